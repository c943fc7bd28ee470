// SPDX-License-Identifier: MIT
// rejected by concept: tensor_like
#include <ndx/ndx.hpp>

#include "../support/mdspan.hpp"

#include <cstdint>

namespace md = test::md;

template <class T>
struct every_other {
  using offset_policy = every_other;
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;
  constexpr T& access(T* p, std::size_t i) const { return p[2 * i]; }
};

void run(float const* table, ndx::tensor<std::int32_t, 2> const& indices) {
  ndx::tensor<float, 2> output({2, 3});
  md::mdspan<float const, md::extents<int, 4, 3>, md::layout_right, every_other<float const>> const input(table);
  ndx::gather_nd(ndx::seq, input, indices, output);
}
