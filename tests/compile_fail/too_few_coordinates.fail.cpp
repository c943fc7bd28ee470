// SPDX-License-Identifier: MIT
// rejected with: no match for call to '\(ndx::tensor_view<float, 3>\) \(int, int\)'|no matching function for call to
// object of type 'ndx::tensor_view<float, 3>'
#include <ndx/ndx.hpp>

float element(ndx::tensor_view<float, 3> view) { return view(1, 2); }
