// SPDX-License-Identifier: MIT
// What files.test.py runs: reads files that Python wrote, and writes them again for Python to read.
//
// Usage: npy_files (INPUT COPY REVERSED)...   writes each .npy file again, and with its dimensions reversed
#include <ndx/interop/npy.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

namespace {

template <class T, std::size_t Rank>
void copy_npy(char const* const* paths) {
  ndx::npy::mapped<T, Rank> const file{std::filesystem::path(paths[0])};
  ndx::npy::write(paths[1], file);
  std::array<std::size_t, Rank> order{};
  for (std::size_t d = 0; d < Rank; ++d) order[d] = Rank - 1 - d;
  ndx::npy::write(paths[2], file.view().permuted(order));
}

template <class T>
bool copy_npy_of(ndx::npy::header const& header, char const* const* paths) {
  if (!ndx::npy::detail::same_descr(header.descr, ndx::npy::detail::descr_of<T>())) return false;
  switch (header.shape.size()) {
    case 0:
      copy_npy<T, 0>(paths);
      return true;
    case 3:
      copy_npy<T, 3>(paths);
      return true;
    default:
      return false;
  }
}

template <class... Types>
bool copy_npy_of_any(char const* const* paths) {
  ndx::npy::header const header = ndx::npy::read_header(paths[0]);
  return (copy_npy_of<Types>(header, paths) || ...);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 4 || count % 3 != 1) return 2;
    for (int i = 1; i < count; i += 3) {
      if (copy_npy_of_any<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                          std::uint32_t, std::uint64_t, ndx::float16, float, double, ndx::bfloat16, std::complex<float>,
                          std::complex<double>>(arguments + i))
        continue;
      std::fprintf(stderr, "%s: due are a type that ndx knows and rank 0 or 3\n", arguments[i]);
      return 1;
    }
    return 0;
  } catch (ndx::error const& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
