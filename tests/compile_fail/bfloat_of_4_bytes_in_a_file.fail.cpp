// SPDX-License-Identifier: MIT
// rejected with: ndx: a BF16 of safetensors has two bytes
#include <ndx/interop/safetensors.hpp>

#include <cstdint>

struct brain_float {
  std::uint32_t bits;
};
template <>
struct ndx::element_kind_of<brain_float> : ndx::element_kind_constant<ndx::element_kind::bfloat> {};

void run(ndx::tensor<brain_float, 1> const& weight) { ndx::safetensors::write("x", {{"weight", weight}}); }
