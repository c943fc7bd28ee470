// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

float element(ndx::tensor_view<float, 3> view) { return view(1, 2, 3); }
