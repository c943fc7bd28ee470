// SPDX-License-Identifier: MIT
// The structs of the real header of DLPack: taken and made as they are, and of the layout that ndx gives its own.
#include <dlpack/dlpack.h>

#include <ndx/interop/dlpack.hpp>

#include "../../support/catch.hpp"

#include <cstddef>
#include <utility>

namespace {

template <class Real, class Own>
constexpr bool same_tensor = sizeof(Real) == sizeof(Own) && offsetof(Real, data) == offsetof(Own, data) &&
                             offsetof(Real, device) == offsetof(Own, device) &&
                             offsetof(Real, ndim) == offsetof(Own, ndim) &&
                             offsetof(Real, dtype) == offsetof(Own, dtype) &&
                             offsetof(Real, shape) == offsetof(Own, shape) &&
                             offsetof(Real, strides) == offsetof(Own, strides) &&
                             offsetof(Real, byte_offset) == offsetof(Own, byte_offset);

template <class Real, class Own>
constexpr bool same_managed = sizeof(Real) == sizeof(Own) && offsetof(Real, dl_tensor) == offsetof(Own, dl_tensor) &&
                              offsetof(Real, manager_ctx) == offsetof(Own, manager_ctx) &&
                              offsetof(Real, deleter) == offsetof(Own, deleter);

static_assert(same_tensor<DLTensor, ndx::dlpack::DLTensor>);
static_assert(sizeof(DLDataType) == sizeof(ndx::dlpack::DLDataType) && sizeof(DLDevice) == 8);
static_assert(offsetof(DLDataType, lanes) == offsetof(ndx::dlpack::DLDataType, lanes));
static_assert(same_managed<DLManagedTensor, ndx::dlpack::DLManagedTensor>);
#ifdef DLPACK_MAJOR_VERSION
static_assert(same_managed<DLManagedTensorVersioned, ndx::dlpack::DLManagedTensorVersioned>);
#endif

static_assert(kDLCPU == ndx::dlpack::kDLCPU && kDLCUDAHost == ndx::dlpack::kDLCUDAHost);
static_assert(kDLVulkan == ndx::dlpack::kDLVulkan && kDLROCMHost == ndx::dlpack::kDLROCMHost);
static_assert(kDLInt == ndx::dlpack::kDLInt && kDLUInt == ndx::dlpack::kDLUInt && kDLFloat == ndx::dlpack::kDLFloat);
static_assert(kDLBfloat == ndx::dlpack::kDLBfloat && kDLComplex == ndx::dlpack::kDLComplex);

}  // namespace

TEST_CASE("the structs of the real header of DLPack go in and out", "[dlpack]") {
  auto sent = ndx::to_dlpack<DLManagedTensor>(ndx::tensor<double, 2>({2, 2}, {1, 2, 3, 4}));
  CHECK(sent->dl_tensor.device.device_type == kDLCPU);
  CHECK(sent->dl_tensor.dtype.code == kDLFloat);
  CHECK(ndx::from_dlpack<double const, 2>(sent->dl_tensor)(1, 0) == 3.0);
  auto const taken = ndx::from_dlpack<double, 2>(std::move(sent));
  CHECK(taken.view()(1, 1) == 4.0);
}
