// SPDX-License-Identifier: MIT
// What becomes of an index that is out of range, and what the exceptions tell.
#include <ndx/ndx.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

int main() {
  ndx::tensor<int, 1> const input({4}, {10, 11, 12, 13});
  ndx::tensor<std::int32_t, 2> const indices({3, 1}, {-1, 6, 2});  // 6 is out of range, -1 is the last
  ndx::tensor<int, 1> output({3});
  bool right = true;
  auto const expect = [&](std::array<int, 3> const& due) {
    std::printf("%d %d %d\n", output(0), output(1), output(2));
    right = right && output(0) == due[0] && output(1) == due[1] && output(2) == due[2];
  };

  // [modes]
  ndx::gather_nd(ndx::seq, input, indices, output, {.bounds = ndx::bounds::clamp});
  expect({13, 13, 12});  // the nearest one
  ndx::gather_nd(ndx::seq, input, indices, output, {.bounds = ndx::bounds::wrap});
  expect({13, 12, 12});  // 6 modulo 4
  ndx::gather_nd(ndx::seq, input, indices, output, {.bounds = ndx::bounds::ignore, .fill = 99});
  expect({13, 99, 12});
  // [/modes]

  // [index-error]
  try {
    ndx::gather_nd(ndx::simd, input, indices, output);  // bounds::check is the default
    right = false;
  } catch (ndx::index_error const& error) {
    std::printf("%s\n", error.what());
    right = right && error.position() == std::vector<ndx::index_t>{1, 0}  // where in indices
            && error.value() == 6 && error.axis() == 0 && error.extent() == 4;
  }
  // [/index-error]

  // [shape-error]
  try {
    ndx::tensor<int, 1> too_long({5});
    ndx::gather_nd(ndx::simd, input, indices, too_long);
    right = false;
  } catch (ndx::shape_error const& error) {  // names the operator, the argument, the extents seen and due
    std::printf("%s\n", error.what());
    right = right && std::string(error.what()).find("{5}") != std::string::npos;
  }
  // [/shape-error]
  return right ? 0 : 1;
}
