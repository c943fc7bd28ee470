// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

void run(ndx::tensor_view<float, 2> view) {
  ndx::tensor_view<float const, 2> const other = view;
  static_cast<void>(other);
}
