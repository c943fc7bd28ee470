// SPDX-License-Identifier: MIT
// slice, flip and slice_grad. What slice1 does with the same windows: slice1.bench.cpp.
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

namespace {

using ndx::index_t;
using namespace ndx_bench;
using extents = std::array<index_t, 4>;

constexpr std::size_t bytes_of(extents const& of) {
  std::size_t bytes = sizeof(float);
  for (index_t extent : of) bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

constexpr extents packed(extents const& of) { return {of[1] * of[2] * of[3], of[2] * of[3], of[3], 1}; }

/// A slice of a packed tensor, and by plain arithmetic where it begins and in which steps it goes.
struct slice {
  extents input;
  ndx::slice_options<4> options;
  extents output;
  index_t start;
  extents strides;
};

void compare_slice(std::string const& name, slice const& what) {
  auto const bytes = bytes_of(what.output);
  comparison<slice> ways(name, {0, bytes, bytes}, bytes, [what] { return what; });
  ways.memcpy();
  ways.plain([](slice const& s) {
    plain::slice(source().as<float const>(), s.start, s.strides, destination().as<float>(), s.output);
  });
  // What it takes to make the view is in it.
  ways.add("loop over a view", [](slice const& s) {
    auto const view = ndx::tensor_view<float const, 4>(source().as<float const>(), s.input).sliced(s.options);
    auto* to = destination().as<float>();
    for (index_t a = 0; a < view.extent(0); ++a)
      for (index_t b = 0; b < view.extent(1); ++b)
        for (index_t c = 0; c < view.extent(2); ++c)
          for (index_t d = 0; d < view.extent(3); ++d) *to++ = view(a, b, c, d);
  });
  ways.policies([](auto const& policy, slice const& s) {
    ndx::tensor_view<float const, 4> const input(source().as<float const>(), s.input);
    ndx::tensor_view<float, 4> const output(destination().as<float>(), s.output);
    ndx::slice(policy, input, output, s.options);
  });
}

void compare_flip(std::string const& name, extents const& of, std::array<index_t, 2> const& axes) {
  auto const bytes = bytes_of(of);
  comparison<extents> ways(name, {0, bytes, bytes}, bytes, [of] { return of; });
  ways.memcpy();
  ways.plain([axes](extents const& e) {
    extents strides = packed(e);
    index_t start = 0;
    for (index_t axis : axes) {
      auto const d = static_cast<std::size_t>(axis);
      start += (e[d] - 1) * strides[d];
      strides[d] = -strides[d];
    }
    plain::slice(source().as<float const>(), start, strides, destination().as<float>(), e);
  });
  ways.policies([axes](auto const& policy, extents const& e) {
    ndx::tensor_view<float const, 4> const input(source().as<float const>(), e);
    ndx::tensor_view<float, 4> const output(destination().as<float>(), e);
    ndx::flip(policy, input, output, {.axes = axes});
  });
}

/// Every `stride`-th element along the last two axes, from `offset` on.
struct gradient {
  extents part, whole;
  index_t offset, stride;
};

void compare_gradient(std::string const& name, gradient const& what) {
  auto const read = bytes_of(what.part);
  auto const written = bytes_of(what.whole);
  comparison<gradient> ways(name, {0, read, written}, written, [what] { return what; });
  ways.memcpy();
  ways.plain([](gradient const& g) {
    auto* const to = destination().as<float>();
    std::memset(to, 0, bytes_of(g.whole));
    plain::slice_grad(source().as<float const>(), g.part, to, g.offset * (g.whole[3] + 1),
                      {g.whole[1] * g.whole[2] * g.whole[3], g.whole[2] * g.whole[3], g.stride * g.whole[3], g.stride});
  });
  ways.policies([](auto const& policy, gradient const& g) {
    ndx::tensor_view<float const, 4> const input(source().as<float const>(), g.part);
    ndx::tensor_view<float, 4> const output(destination().as<float>(), g.whole);
    auto const reached = [&g](std::size_t d) { return (g.part[d] - 1) * g.stride + 1; };
    ndx::slice_grad(policy, input, output,
                    {.offsets = {0, 0, g.offset, g.offset},
                     .sizes = {g.part[0], g.part[1], reached(2), reached(3)},
                     .strides = {1, 1, g.stride, g.stride}});
  });
}

[[maybe_unused]] bool const registered = [] {
  constexpr auto all = std::nullopt;
  constexpr extents pictures{8, 16, 256, 256};
  constexpr extents matrix{1, 1, 4096, 4096};
  constexpr extents steps = packed(pictures);
  compare_slice("slice, crop 256 x 256 to 224 x 224", {pictures,
                                                       {.starts = {all, all, 16, 16}, .ends = {all, all, -16, -16}},
                                                       {8, 16, 224, 224},
                                                       16 * 256 + 16,
                                                       steps});
  compare_slice("slice, every second row from the last",
                {pictures, {.steps = {all, all, -2}}, {8, 16, 128, 256}, 255 * 256, {steps[0], steps[1], -512, 1}});
  compare_slice("slice, four elements of 8 x 8",
                {{1, 1, 8, 8}, {.starts = {all, all, 6, 6}}, {1, 1, 2, 2}, 6 * 8 + 6, {64, 64, 8, 1}});
  compare_flip("flip, rows and columns", matrix, {2, 3});
  compare_flip("flip, pictures and channels", pictures, {0, 1});
  compare_gradient("slice_grad, of a crop to 224 x 224", {{8, 16, 224, 224}, pictures, 16, 1});
  compare_gradient("slice_grad, of every second row and column", {{8, 16, 128, 128}, pictures, 0, 2});
  return true;
}();

}  // namespace
