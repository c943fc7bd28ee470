// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include <string>

using element = std::string const*;

void run(ndx::tensor_view<element const, 1> input, ndx::tensor_view<element, 1> output) {
  ndx::slice1(ndx::seq, input, output, {.offsets = {1}, .sizes = {2}});
}
