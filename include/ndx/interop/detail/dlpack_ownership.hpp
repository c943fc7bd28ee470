// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_DLPACK_OWNERSHIP_HPP
#define NDX_INTEROP_DETAIL_DLPACK_OWNERSHIP_HPP

#include <ndx/interop/detail/dlpack_checks.hpp>
#include <ndx/interop/detail/dlpack_structs.hpp>
#include <ndx/tensor_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ndx::dlpack {

/// Owns a managed tensor of any header: calls its deleter once, when it goes.
class any_managed {
public:
  any_managed() = default;
  template <managed_struct Managed>
  explicit any_managed(Managed* managed) noexcept
      : managed_(managed), destroy_([](void* self) { delete_managed{}(static_cast<Managed*>(self)); }) {}
  any_managed(any_managed&& other) noexcept
      : managed_(std::exchange(other.managed_, nullptr)), destroy_(other.destroy_) {}
  any_managed& operator=(any_managed other) noexcept {
    std::swap(managed_, other.managed_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~any_managed() {
    if (managed_ != nullptr) destroy_(managed_);
  }

private:
  void* managed_ = nullptr;
  void (*destroy_)(void* self) = nullptr;
};

/// Owns nothing.
struct nobody {};

/// A managed tensor, what its pointers lead to, and what owns its elements.
template <managed_struct Managed, std::size_t Rank, class Owner>
struct exported {
  Managed managed{};
  std::array<std::int64_t, Rank> extents;
  std::array<std::int64_t, Rank> strides;
  Owner owner;

  static void destroy(Managed* self) { delete static_cast<exported*>(self->manager_ctx); }
};

/// Where the elements of a view lie, in the terms of DLPack.
struct location {
  DLDevice device;
  void* data;
  std::uint64_t byte_offset;
};

/// A managed tensor with the elements of a view that has been checked, and what owns them. Elements that are const are
/// marked as read-only.
template <managed_struct Managed, exchangeable_element T, std::size_t Rank, class Handle, class Owner>
unique<Managed> make_managed(tensor_view<T, Rank, Handle> const& from, location const& at, Owner&& owner) {
  static_assert(versioned_struct<Managed> || !std::is_const_v<T>,
                "ndx: a DLManagedTensor cannot say that its elements are const; a DLManagedTensorVersioned can");
  using holder = exported<Managed, Rank, std::decay_t<Owner>>;
  // Nothing is moved before there is a place for it.
  auto* const made = new holder{{}, from.extents(), from.strides(), std::forward<Owner>(owner)};
  Managed& managed = made->managed;
  auto& to = managed.dl_tensor;
  to.data = at.data;
  to.device.device_type = static_cast<decltype(to.device.device_type)>(at.device.device_type);
  to.device.device_id = at.device.device_id;
  to.ndim = static_cast<std::int32_t>(Rank);
  constexpr DLDataType type = data_type_of<T>();
  to.dtype.code = type.code;
  to.dtype.bits = type.bits;
  to.dtype.lanes = type.lanes;
  to.shape = made->extents.data();
  to.strides = made->strides.data();
  to.byte_offset = at.byte_offset;
  managed.manager_ctx = made;
  managed.deleter = &holder::destroy;
  if constexpr (versioned_struct<Managed>) {
    managed.version.major = major_version;
    managed.version.minor = minor_version;
    managed.flags = std::is_const_v<T> ? flag_read_only : 0;
  }
  return unique<Managed>(&managed);
}

}  // namespace ndx::dlpack

#endif
