// SPDX-License-Identifier: MIT
#include <ndx/interop/dlpack.hpp>

auto send(ndx::tensor_view<float const, 2> x) { return ndx::to_dlpack<ndx::dlpack::DLManagedTensorVersioned>(x); }
