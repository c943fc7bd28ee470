// SPDX-License-Identifier: MIT
// This is about ways to ndx, not about its kernels: those of one instruction set compile in a third of the time.
#ifndef NDX_ONLY_BASELINE
#define NDX_ONLY_BASELINE
#endif
#include <ndx/ndx.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

// Returns 0 if every policy gives what is due.
int main() {
  ndx::tensor<float, 2> const table({3, 2}, {0, 1, 2, 3, 4, 5});
  std::vector<std::int32_t> const rows{2, -3};
  auto const right = [](auto const& policy) {
    return [&policy](auto const& input, auto const& indices) {
      ndx::tensor<float, 2> output({2, 2});
      ndx::gather_nd(policy, input, indices, output);
      return output(0, 0) == 4 && output(0, 1) == 5 && output(1, 0) == 0 && output(1, 1) == 1;
    };
  };
  ndx::tensor_view const indices{rows.data(), {2, 1}};
  bool const good = right(ndx::seq)(table, indices) && right(ndx::simd)(table, indices) &&
                    right(ndx::par_simd.threads(2))(table, indices);
  std::printf("ndx %d.%d.%d: %s\n", NDX_VERSION_MAJOR, NDX_VERSION_MINOR, NDX_VERSION_PATCH, good ? "right" : "wrong");
  return good ? 0 : 1;
}
