// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DLPACK_VULKAN_HPP
#define NDX_INTEROP_DLPACK_VULKAN_HPP

#include <ndx/interop/dlpack.hpp>
#include <ndx/vulkan/device.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// DLPack for tensors of Vulkan devices. What its `data` means for kDLVulkan no specification says. Here it is the
/// VkBuffer itself, as a pointer, and `byte_offset` counts from the buffer's start; `device_id` is 0 and not looked at.
/// A buffer belongs to one VkDevice, which both sides must have agreed upon. Work on the elements that the giver has
/// submitted must be done, or be before in the same queue, as for every argument of an operator.
namespace ndx::vulkan {

static_assert(sizeof(VkBuffer) == sizeof(void*), "ndx: on this platform no pointer has room for a VkBuffer");

/// A tensor in a buffer of another program's. The deleter runs as soon as this goes, so that must not be before the
/// work on it is done.
template <class T, std::size_t Rank>
using dlpack_tensor = ndx::dlpack_tensor<T, Rank, tensor_view<T, Rank>, tensor<std::remove_cv_t<T>, Rank>>;

/// Takes a managed tensor of a Vulkan device, versioned or not, of any header; `gpu` must be on the VkDevice of the
/// buffer. Throws what `ndx::from_dlpack` throws, and what `device::wrap` does where the offset does not fit; the
/// managed tensor still is the caller's then.
template <exchangeable_element T, std::size_t Rank, dlpack::managed_struct Managed>
[[nodiscard]] dlpack_tensor<T, Rank> from_dlpack(device const& gpu, Managed* managed) {
  dlpack::check_managed(managed, std::is_const_v<T>);
  dlpack::DLTensor const seen = dlpack::copy_of(managed->dl_tensor);
  dlpack::check_tensor(seen, dlpack::data_type_of<T>(), Rank);
  if (seen.device.device_type != dlpack::kDLVulkan)
    dlpack::fail_device(seen.device, "memory of a Vulkan device: kDLVulkan (7)");
  dlpack::layout<Rank> const layout = dlpack::layout_of<Rank>(seen);
  auto wrapped = gpu.wrap<std::remove_cv_t<T>, Rank>(reinterpret_cast<VkBuffer>(seen.data), seen.byte_offset,
                                                     layout.extents, layout.strides);
  tensor_view<T, Rank> const view = wrapped.view();
  return {dlpack::any_managed(managed), std::move(wrapped), view};
}

/// The same for one that a `unique_ptr` holds, which is empty afterwards; where this throws it still holds it.
template <exchangeable_element T, std::size_t Rank, dlpack::managed_struct Managed>
[[nodiscard]] dlpack_tensor<T, Rank> from_dlpack(device const& gpu, dlpack::unique<Managed>&& managed) {
  dlpack_tensor<T, Rank> result = from_dlpack<T, Rank>(gpu, managed.get());
  static_cast<void>(managed.release());
  return result;
}

/// A view of device memory for another program, with what owns it; as `ndx::to_dlpack`.
template <dlpack::managed_struct Managed = dlpack::DLManagedTensorVersioned, exchangeable_element T, std::size_t Rank,
          class Owner>
[[nodiscard]] dlpack::unique<Managed> to_dlpack(tensor_view<T, Rank> const& from, Owner&& owner) {
  device_pointer<T> const at = from.data_handle();
  plan::check_layout("to_dlpack", "tensor", plan::layout_of(from), sizeof(T), at.owner() != nullptr);
  dlpack::location place{{dlpack::kDLVulkan, 0}, nullptr, 0};
  if (at.owner() != nullptr) {
    place.data = reinterpret_cast<void*>(at.owner()->bytes().buffer);
    place.byte_offset = at.owner()->bytes().offset + static_cast<VkDeviceSize>(at.offset());
  }
  return dlpack::make_managed<Managed>(from, place, std::forward<Owner>(owner));
}

/// A view whose owner stays until the deleter of the result has run.
template <dlpack::managed_struct Managed = dlpack::DLManagedTensorVersioned, exchangeable_element T, std::size_t Rank>
[[nodiscard]] dlpack::unique<Managed> to_dlpack(tensor_view<T, Rank> const& from) {
  return vulkan::to_dlpack<Managed>(from, dlpack::nobody{});
}

/// A device tensor for another program, which owns it from now on.
template <dlpack::managed_struct Managed = dlpack::DLManagedTensorVersioned, exchangeable_element T, std::size_t Rank>
[[nodiscard]] dlpack::unique<Managed> to_dlpack(tensor<T, Rank>&& from) {
  return vulkan::to_dlpack<Managed>(from.view(), std::move(from));
}

}  // namespace ndx::vulkan

#endif
