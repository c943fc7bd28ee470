// SPDX-License-Identifier: MIT
#define NDX_ONLY_BASELINE  // what an instruction set is used for has no exceptions anyway
#include <ndx/ndx.hpp>

#include <cstdint>
#include <cstring>

// Without an argument: gathers, and returns 0 if the result is right. "index" and "shape": a check fails.
int main(int count, char** arguments) {
  char const* const mistake = count > 1 ? arguments[1] : "";
  ndx::tensor<int, 1> const input({3}, {10, 11, 12});
  ndx::tensor<std::int64_t, 2> const indices({2, 1}, {2, std::strcmp(mistake, "index") == 0 ? 3 : 0});
  ndx::tensor<int, 1> output({std::strcmp(mistake, "shape") == 0 ? 5 : 2});
  ndx::gather_nd(ndx::seq, input, indices, output);
  ndx::gather_nd(ndx::simd, input, indices, output);
  ndx::gather_nd(ndx::par_simd, input, indices, output);
  return output(0) == 12 && output(1) == 10 ? 0 : 1;
}
