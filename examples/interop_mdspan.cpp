// SPDX-License-Identifier: MIT
// Types with the members of std::mdspan are arguments as they are, without a header of ndx or of theirs: a matrix of a
// solver here, and std::mdspan itself where the standard library has it.
#include <ndx/ndx.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#if __has_include(<mdspan>)
#include <mdspan>
#endif

namespace {

// [type]
/// A matrix that a solver keeps column by column, columns a multiple of eight elements apart.
class columns {
public:
  using element_type = double;
  using extents_type = std::array<int, 2>;

  columns(double* first, extents_type extents) : first_(first), extents_(extents) {}

  static constexpr std::size_t rank() { return 2; }
  int extent(std::size_t dimension) const { return extents_[dimension]; }
  int stride(std::size_t dimension) const { return dimension == 0 ? 1 : (extents_[0] + 7) / 8 * 8; }
  double* data_handle() const { return first_; }

private:
  double* first_;
  extents_type extents_;
};
// [/type]

bool takes_rows(std::vector<double>& memory) {
  // [gather]
  columns const matrix(memory.data(), {3, 2});  // 3 rows, 2 columns
  std::vector<std::int64_t> const rows{2, 0, -1};
  ndx::tensor<double, 2> taken({3, 2});
  ndx::gather_nd(ndx::simd, matrix, ndx::tensor_view(rows.data(), {3, 1}), taken);
  // [/gather]
  for (ndx::index_t row = 0; row < 3; ++row) std::printf("%g %g\n", taken[{row, 0}], taken[{row, 1}]);
  return taken[{0, 1}] == 21 && taken[{1, 0}] == 0 && taken[{2, 1}] == 21;
}

bool puts_rows_back(std::vector<double>& memory) {
  columns const matrix(memory.data(), {3, 2});
  ndx::tensor<std::int64_t, 2> const rows({1, 1}, {1});
  ndx::tensor<double, 2> const updates({1, 2}, {100, 200});
  ndx::scatter_nd(ndx::simd, matrix, rows, updates, matrix, {.reduction = ndx::reduction::add});
  return memory[1] == 101 && memory[9] == 211;  // in the columns of the solver
}

bool takes_an_mdspan(std::vector<double>& memory) {
#ifdef __cpp_lib_mdspan
  std::mdspan<double, std::extents<int, 2, 3>, std::layout_stride> const transposed(
      memory.data(), {std::extents<int, 2, 3>(), std::array<int, 2>{8, 1}});
  ndx::tensor<double, 2> packed({2, 3});
  ndx::slice1(ndx::simd, transposed, packed, {.sizes = {2, 3}, .strides = {1, 1}});
  return packed[{1, 2}] == 21;
#else
  static_cast<void>(memory);
  return true;
#endif
}

}  // namespace

int main() {
  std::vector<double> memory(16);
  for (std::size_t row = 0; row < 3; ++row) {
    memory[row] = static_cast<double>(row);           // the first column: 0, 1, 2
    memory[8 + row] = static_cast<double>(10 + row);  // the second one: 10, 11, 12
  }
  memory[10] = 21;
  return takes_rows(memory) && takes_an_mdspan(memory) && puts_rows_back(memory) ? 0 : 1;
}
