// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;

/// Updates along one axis of a square matrix, a quarter of it: each element at most once, or at random where they are
/// added up.
struct along_axis {
  int axis;
  index_t edge;
  std::array<index_t, 2> extents;
  std::vector<std::int64_t> indices;

  along_axis(int of, index_t matrix_edge, bool repeated) : axis(of), edge(matrix_edge), extents{edge, edge} {
    index_t const count_along_axis = edge / 4;
    extents[static_cast<std::size_t>(axis)] = count_along_axis;
    indices.resize(static_cast<std::size_t>(extents[0] * extents[1]));
    random_numbers numbers(1);
    for (index_t line = 0; line < edge; ++line) {
      // Seeds that follow one another would lead whole groups of lines to the same places.
      shuffled const order(static_cast<std::uint64_t>(edge),
                           static_cast<std::uint64_t>(line) * 0x9e3779b97f4a7c15U >> 40U);
      for (index_t i = 0; i < count_along_axis; ++i) {
        auto const position = axis == 0 ? i * extents[1] + line : line * extents[1] + i;
        auto const target =
            repeated ? numbers.below(static_cast<std::uint64_t>(edge)) : order[static_cast<std::uint64_t>(i)];
        indices[static_cast<std::size_t>(position)] = static_cast<std::int64_t>(target);
      }
    }
  }
};

void compare_axis(int axis, bool in_place, ndx::reduction reduction, index_t edge = 4096) {
  auto const whole = static_cast<std::size_t>(edge * edge) * sizeof(float);
  auto const count = static_cast<std::size_t>(edge * (edge / 4));
  auto const moved = count * sizeof(float);
  bool const adds = reduction == ndx::reduction::add;
  std::size_t const copied = in_place ? 0 : whole;
  std::string const name = (count < 32 ? std::to_string(count) + " elements, axis " : "axis ") + std::to_string(axis) +
                           (adds ? ", add" : "") + (in_place ? ", in place" : ", with a copy");
  comparison<along_axis> ways(name, {count * sizeof(std::int64_t), (adds ? 2 : 1) * moved + copied, moved + copied},
                              whole, [=] { return along_axis(axis, edge, adds); });
  ways.memcpy();
  ways.plain([in_place, adds, whole](along_axis const& a) {
    if (!in_place) std::memcpy(destination().as<std::byte>(), source().as<std::byte>(), whole);
    auto const scatter = [&a](auto combine) {
      plain::scatter_along_axis(destination().as<float>(), {a.edge, a.edge}, a.axis, a.indices.data(), a.extents,
                                updates().as<float const>(), combine);
    };
    if (adds) scatter(plain::add);
    else scatter(plain::replace);
  });
#ifdef NDX_BENCH_TORCH
  ways.torch([in_place, adds](along_axis const& a) {
    return libtorch::scatter_along_axis(in_place ? libtorch::start::in_place : libtorch::start::with_copy, adds, a.axis,
                                        libtorch::make_array(source().as<float>(), {a.edge, a.edge}),
                                        libtorch::make_array(a.indices.data(), {a.extents[0], a.extents[1]}),
                                        libtorch::make_array(updates().as<float>(), {a.extents[0], a.extents[1]}),
                                        libtorch::make_array(destination().as<float>(), {a.edge, a.edge}));
  });
#endif
  auto const scatter = [in_place, reduction](auto const& policy, along_axis const& a,
                                             ndx::duplicates which = ndx::duplicates::any,
                                             ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<float, 2> const output(destination().as<float>(), {a.edge, a.edge});
    ndx::tensor_view<float const, 2> const input(in_place ? output.data_handle() : source().as<float const>(),
                                                 output.extents());
    ndx::tensor_view<std::int64_t const, 2> const indices(a.indices.data(), a.extents);
    ndx::tensor_view<float const, 2> const new_elements(updates().as<float const>(), a.extents);
    ndx::scatter_elements(policy, input, indices, new_elements, output,
                          {.axis = a.axis, .bounds = mode, .reduction = reduction, .duplicates = which});
  };
  ways.policies(scatter);
  ways.trusting([scatter](auto const& policy, auto const& data) {
    scatter(policy, data, ndx::duplicates::any, ndx::bounds::trust);
  });
  if (!adds) ways.last_of_duplicates(scatter);
}

[[maybe_unused]] bool const registered = [] {
  for (int axis : {0, 1})
    for (auto reduction : {ndx::reduction::none, ndx::reduction::add})
      for (bool in_place : {true, false}) compare_axis(axis, in_place, reduction);
  compare_axis(1, true, ndx::reduction::none, 4);
  return true;
}();

}  // namespace
