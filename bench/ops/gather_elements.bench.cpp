// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;

/// A quarter as many elements as a square matrix has, each from anywhere along its line.
struct along_axis {
  index_t edge;
  std::array<index_t, 2> extents;
  std::vector<std::int64_t> indices;

  along_axis(int axis, index_t matrix_edge) : edge(matrix_edge), extents{edge, edge} {
    extents[static_cast<std::size_t>(axis)] = edge / 4;
    indices = random_indices<std::int64_t>(static_cast<std::size_t>(extents[0] * extents[1]), edge);
  }
};

void compare_axis(int axis, index_t edge = 4096) {
  auto const count = static_cast<std::size_t>(edge * (edge / 4));
  auto const bytes = count * sizeof(float);
  std::string const name = (count < 32 ? std::to_string(count) + " elements, axis " : "axis ") + std::to_string(axis);
  comparison<along_axis> ways(name, {count * sizeof(std::int64_t), bytes, bytes}, bytes,
                              [=] { return along_axis(axis, edge); });
  ways.memcpy();
  ways.plain([axis](along_axis const& a) {
    plain::gather_along_axis(source().as<float const>(), {a.edge, a.edge}, axis, a.indices.data(), a.extents,
                             destination().as<float>());
  });
  auto const gather = [axis](auto const& policy, along_axis const& a, ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<float const, 2> const input(source().as<float const>(), {a.edge, a.edge});
    ndx::tensor_view<std::int64_t const, 2> const indices(a.indices.data(), a.extents);
    ndx::tensor_view<float, 2> const output(destination().as<float>(), a.extents);
    ndx::gather_elements(policy, input, indices, output, {.axis = axis, .bounds = mode});
  };
  ways.policies(gather);
  ways.trusting([gather](auto const& policy, auto const& data) { gather(policy, data, ndx::bounds::trust); });
}

[[maybe_unused]] bool const registered = [] {
  for (int axis : {0, 1}) compare_axis(axis);
  compare_axis(1, 4);
  return true;
}();

}  // namespace
