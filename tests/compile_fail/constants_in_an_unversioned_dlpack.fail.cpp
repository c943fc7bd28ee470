// SPDX-License-Identifier: MIT
// rejected with: a DLManagedTensor cannot say that its elements are const; a DLManagedTensorVersioned can
#include <ndx/interop/dlpack.hpp>

auto send(ndx::tensor_view<float const, 2> x) { return ndx::to_dlpack<ndx::dlpack::DLManagedTensor>(x); }
