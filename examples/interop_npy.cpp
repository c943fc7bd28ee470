// SPDX-License-Identifier: MIT
// A table of NumPy's, rows of which are gathered out of its file into another file of NumPy's.
//
// Usage: interop_npy [table.npy rows.npy output.npy]
// The table is of float32 and extents {n, width}, the rows are of int64 and extents {m, 1}. Without arguments the
// example makes both.
#include <ndx/interop/npy.hpp>
#include <ndx/ndx.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

void make_sample(std::string const& table_path, std::string const& rows_path) {
  ndx::tensor<float, 2> table({1000, 16});
  for (ndx::index_t i = 0; i < 1000; ++i)
    for (ndx::index_t j = 0; j < 16; ++j) table(i, j) = static_cast<float>(16 * i + j);
  ndx::npy::write(table_path, table);
  ndx::npy::write(rows_path, ndx::tensor<std::int64_t, 2>({4, 1}, {999, 0, 17, -1}));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    bool const has_files = argc == 4;
    std::string const table_path = has_files ? argv[1] : "interop_npy_table.npy";
    std::string const rows_path = has_files ? argv[2] : "interop_npy_rows.npy";
    std::string const output_path = has_files ? argv[3] : "interop_npy_output.npy";
    if (!has_files) make_sample(table_path, rows_path);

    // [npy]
    ndx::npy::mapped<float, 2> const table(table_path);  // mapped: only the rows that are gathered are read
    ndx::npy::mapped<std::int64_t, 2> const rows(rows_path);

    ndx::tensor<float, 2> gathered({rows.extent(0), table.extent(1)});
    ndx::gather_nd(ndx::par_simd, table, rows, gathered);
    ndx::npy::write(output_path, gathered);
    // [/npy]

    std::printf("%s: %lld rows of %lld\n", output_path.c_str(), static_cast<long long>(gathered.extent(0)),
                static_cast<long long>(table.extent(0)));
    if (has_files) return 0;
    ndx::npy::mapped<float, 2> const written(output_path);
    auto const seen = written.view();
    return seen(0, 0) == 15984.0f && seen(2, 3) == 275.0f && seen(3, 15) == 15999.0f ? 0 : 1;
  } catch (ndx::error const& problem) {
    std::fprintf(stderr, "interop_npy: %s\n", problem.what());
    return 1;
  }
}
