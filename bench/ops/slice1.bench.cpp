// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"
#ifdef NDX_BENCH_EIGEN
#include "baselines/eigen.hpp"
#endif
#ifdef NDX_BENCH_XTENSOR
#include "baselines/xtensor.hpp"
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;
using extents = std::array<index_t, 4>;

/// A window of a packed tensor of rank 4.
struct window {
  extents input, offsets, sizes, strides, output;
};

constexpr window make_window(extents input, extents offsets, extents sizes, extents strides) {
  window w{input, offsets, sizes, strides, {}};
  for (std::size_t d = 0; d < 4; ++d) w.output[d] = 1 + (sizes[d] - 1) / (strides[d] < 0 ? -strides[d] : strides[d]);
  return w;
}

template <class T>
void slice_with_plain_loops(window const& w) {
  index_t start = 0;
  index_t pitch = 1;
  extents strides{};
  for (std::size_t d = 4; d-- > 0;) {
    if (w.strides[d] == 0 || w.offsets[d] < 0 || w.sizes[d] < 1 || w.sizes[d] > w.input[d] - w.offsets[d])
      throw std::out_of_range("window outside the tensor");
    start += (w.offsets[d] + (w.strides[d] < 0 ? w.sizes[d] - 1 : 0)) * pitch;
    strides[d] = w.strides[d] * pitch;
    pitch *= w.input[d];
  }
  plain::slice(source().as<T const>(), start, strides, destination().as<T>(), w.output);
}

#ifdef NDX_BENCH_EIGEN
template <class T>
void slice_with_eigen(window const& w) {
  eigen::box<T> box;
  for (std::size_t d = 0; d < 4; ++d) {
    box.extents[d] = w.input[d];
    box.offsets[d] = w.offsets[d];
    box.sizes[d] = w.sizes[d];
    box.strides[d] = w.strides[d] < 0 ? -w.strides[d] : w.strides[d];
    box.reversed[d] = w.strides[d] < 0;
  }
  eigen::slice(source().as<T const>(), box, destination().as<T>(), w.output);
}
#endif

#ifdef NDX_BENCH_XTENSOR
template <class T>
void slice_with_xtensor(window const& w) {
  xtensor::shape<4> input{};
  xtensor::shape<4> output{};
  std::array<std::ptrdiff_t, 4> first{};
  std::array<std::ptrdiff_t, 4> last{};
  for (std::size_t d = 0; d < 4; ++d) {
    input[d] = static_cast<std::size_t>(w.input[d]);
    output[d] = static_cast<std::size_t>(w.output[d]);
    first[d] = w.offsets[d] + (w.strides[d] < 0 ? w.sizes[d] - 1 : 0);
    last[d] = w.strides[d] < 0 ? w.offsets[d] - 1 : w.offsets[d] + w.sizes[d];
  }
  xtensor::slice(source().as<T const>(), input, first, last, w.strides, destination().as<T>(), output);
}
#endif

#ifdef NDX_BENCH_TORCH
/// Its tensors have no negative strides: what they reach is read forwards, by `copy_`, or by `flip`.
template <class T>
libtorch::call slice_with_libtorch(window const& w) {
  std::vector<std::int64_t> const output(w.output.begin(), w.output.end());
  auto input = libtorch::make_array(source().as<T>(), {w.input.begin(), w.input.end()});
  index_t start = 0;
  std::vector<std::int64_t> reversed;
  for (std::size_t d = 0; d < 4; ++d) {
    index_t const step = w.strides[d] < 0 ? -w.strides[d] : w.strides[d];
    index_t const first = w.strides[d] < 0 ? w.sizes[d] - 1 - step * (w.output[d] - 1) : 0;
    start += (w.offsets[d] + first) * input.strides[d];
    input.strides[d] *= step;
    if (w.strides[d] < 0) reversed.push_back(static_cast<std::int64_t>(d));
  }
  input.data = source().as<T>() + start;
  input.extents = output;
  auto const to = libtorch::make_array(destination().as<T>(), output);
  return reversed.empty() ? libtorch::copy(input, to) : libtorch::flip(input, reversed, to);
}
#endif

template <class T>
void compare_window(std::string const& name, window const& w) {
  std::size_t bytes = sizeof(T);
  for (index_t extent : w.output) bytes *= static_cast<std::size_t>(extent);
  comparison<window> ways(name, {0, bytes, bytes}, bytes, [w] { return w; });
  ways.memcpy();
  ways.plain(slice_with_plain_loops<T>);
#ifdef NDX_BENCH_EIGEN
  ways.add("Eigen", slice_with_eigen<T>);
#endif
#ifdef NDX_BENCH_XTENSOR
  ways.add("xtensor", slice_with_xtensor<T>);
#endif
#ifdef NDX_BENCH_TORCH
  ways.torch(slice_with_libtorch<T>);
#endif
  ways.policies([](auto const& policy, window const& v) {
    ndx::tensor_view<T const, 4> const input(source().as<T const>(), v.input);
    ndx::tensor_view<T, 4> const output(destination().as<T>(), v.output);
    ndx::slice1(policy, input, output, {.offsets = v.offsets, .sizes = v.sizes, .strides = v.strides});
  });
}

/// The whole of a matrix whose rows lie where the output has its columns.
template <class T>
void compare_transposition(std::string const& name, index_t edge) {
  auto const bytes = static_cast<std::size_t>(edge * edge) * sizeof(T);
  comparison<index_t> ways(name, {0, bytes, bytes}, bytes, [edge] { return edge; });
  ways.memcpy();
  ways.plain([](index_t n) {
    plain::slice(source().as<T const>(), 0, {0, 0, 1, n}, destination().as<T>(), {1, 1, n, n});
  });
#ifdef NDX_BENCH_TORCH
  ways.torch([](index_t n) {
    auto input = libtorch::make_array(source().as<T>(), {n, n});
    input.strides = {1, n};
    return libtorch::copy(input, libtorch::make_array(destination().as<T>(), {n, n}));
  });
#endif
  ways.policies([](auto const& policy, index_t n) {
    ndx::tensor_view<T const, 2> const input(source().as<T const>(), {n, n}, {1, n});
    ndx::tensor_view<T, 2> const output(destination().as<T>(), {n, n});
    ndx::slice1(policy, input, output, {.offsets = {0, 0}, .sizes = {n, n}, .strides = {1, 1}});
  });
}

[[maybe_unused]] bool const registered = [] {
  constexpr extents none{0, 0, 0, 0};
  constexpr extents pictures{8, 16, 256, 256};
  constexpr extents matrix{1, 1, 4096, 4096};
  constexpr extents bytes{1, 64, 1024, 1024};
  constexpr extents halves{1, 64, 512, 1024};
  constexpr extents pixels{32, 512, 512, 3};
  compare_window<float>("crop 256 x 256 to 224 x 224",
                        make_window(pictures, {0, 0, 16, 16}, {8, 16, 224, 224}, {1, 1, 1, 1}));
  compare_window<float>("every second row and column", make_window(pictures, none, pictures, {1, 1, 2, 2}));
  compare_window<float>("every second row", make_window(pictures, none, pictures, {1, 1, 2, 1}));
  compare_window<float>("every second column", make_window(matrix, none, matrix, {1, 1, 1, 2}));
  compare_window<float>("rows reversed", make_window(pictures, none, pictures, {1, 1, -1, 1}));
  compare_window<float>("columns reversed, 4 B", make_window(matrix, none, matrix, {1, 1, 1, -1}));
  compare_window<std::uint16_t>("columns reversed, 2 B", make_window(halves, none, halves, {1, 1, 1, -1}));
  compare_window<std::uint8_t>("columns reversed, 1 B", make_window(bytes, none, bytes, {1, 1, 1, -1}));
  compare_window<std::uint8_t>("columns reversed, pixels of 3 B", make_window(pixels, none, pixels, {1, 1, -1, 1}));
  constexpr extents points{32, 256, 256, 3};
  constexpr extents channels{64, 256, 256, 16};
  compare_window<float>("columns reversed, pixels of 12 B", make_window(points, none, points, {1, 1, -1, 1}));
  compare_window<std::uint8_t>("channels reversed, pixels of 3 B", make_window(pixels, none, pixels, {1, 1, 1, -1}));
  compare_window<float>("crop 256 x 256 to 224 x 224, 16 channels",
                        make_window(channels, {0, 16, 16, 0}, {64, 224, 224, 16}, {1, 1, 1, 1}));
  compare_window<float>("every second row and column, 16 channels",
                        make_window(channels, none, channels, {1, 2, 2, 1}));
  compare_window<float>("columns reversed, 16 channels", make_window(channels, none, channels, {1, 1, -1, 1}));
  compare_transposition<float>("transposed, 4 B", 2048);
  compare_transposition<std::uint8_t>("transposed, 1 B", 4096);
  compare_window<float>("four elements of 8 x 8", make_window({1, 1, 8, 8}, none, {1, 1, 4, 4}, {1, 1, 2, 2}));
  return true;
}();

}  // namespace
