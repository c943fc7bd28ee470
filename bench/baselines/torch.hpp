// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_BASELINES_TORCH_HPP
#define NDX_BENCH_BASELINES_TORCH_HPP

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

/// libtorch 1.13, on memory that is there already. Its headers take seconds to compile, so they stay in torch.cpp.
/// It checks every index, and takes 64-bit ones only.
namespace ndx_bench::libtorch {

enum class element { one_byte, two_bytes, float32, int64 };

struct array {
  void const* data;
  element type;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;  ///< in elements
};

/// Packed.
template <class T>
array make_array(T const* data, std::vector<std::int64_t> extents) {
  static_assert(sizeof(T) <= 2 || std::is_same_v<T, float> || std::is_same_v<T, std::int64_t>);
  constexpr auto type = sizeof(T) == 1   ? element::one_byte
                        : sizeof(T) == 2 ? element::two_bytes
                        : sizeof(T) == 4 ? element::float32
                                         : element::int64;
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t d = extents.size(); d-- > 1;) strides[d - 1] = strides[d] * extents[d];
  return {data, type, std::move(extents), std::move(strides)};
}

/// A call whose tensors are made: as they would be in a program that uses libtorch throughout.
struct call {
  std::function<void()> run;
  std::function<void()> fetch;  ///< brings the result where it is expected, if libtorch insists on memory of its own
};

/// For the calls from now on.
void use_threads(int count);

/// `index_select(out=)` by indices of extents {n}.
call gather_rows(array const& input, array const& indices, array const& output);

/// `index(out=)` by the number of the batch and indices of extents {batch, n}: faster than `gather` with these indices
/// expanded.
call gather_rows_of_batch(array const& input, array const& indices, array const& output);

/// `index(out=)` of a matrix by tuples of extents {n, 2}.
call gather_elements(array const& input, array const& tuples, array const& output);

/// `copy_`.
call copy(array const& input, array const& output);

/// `flip`, which makes its result.
call flip(array const& input, std::vector<std::int64_t> const& axes, array const& output);

/// What the scatters begin with: `copy_` of the input, or nothing.
enum class start { in_place, with_copy };

/// `index_put_` by indices of extents {n}: faster than `index_copy_`.
call scatter_rows(start from, array const& input, array const& indices, array const& updates, array const& output);

/// `index_put_` by tuples of extents {n, 2}, accumulating where it `adds`.
call scatter_elements(start from, bool adds, array const& input, array const& tuples, array const& updates,
                      array const& output);

/// `scatter_` or `scatter_add_`.
call scatter_along_axis(start from, bool adds, int axis, array const& input, array const& indices, array const& updates,
                        array const& output);

}  // namespace ndx_bench::libtorch

#endif
