// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DETAIL_DLPACK_OWNERSHIP_HPP
#define NDX_INTEROP_DETAIL_DLPACK_OWNERSHIP_HPP

#include <ndx/interop/detail/dlpack_checks.hpp>
#include <ndx/interop/detail/dlpack_structs.hpp>

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

template <managed_struct Managed, std::size_t Rank, class Owner>
unique<Managed> make_managed(DLTensor const& tensor, layout<Rank> const& shape, bool read_only, Owner&& owner) {
  using holder = exported<Managed, Rank, std::decay_t<Owner>>;
  // Nothing is moved before there is a place for it.
  auto* const made = new holder{{}, shape.extents, shape.strides, std::forward<Owner>(owner)};
  Managed& managed = made->managed;
  auto& to = managed.dl_tensor;
  to.data = tensor.data;
  to.device.device_type = static_cast<decltype(to.device.device_type)>(tensor.device.device_type);
  to.device.device_id = tensor.device.device_id;
  to.ndim = static_cast<std::int32_t>(Rank);
  to.dtype.code = tensor.dtype.code;
  to.dtype.bits = tensor.dtype.bits;
  to.dtype.lanes = tensor.dtype.lanes;
  to.shape = made->extents.data();
  to.strides = made->strides.data();
  to.byte_offset = tensor.byte_offset;
  managed.manager_ctx = made;
  managed.deleter = &holder::destroy;
  if constexpr (versioned_struct<Managed>) {
    managed.version.major = major_version;
    managed.version.minor = minor_version;
    managed.flags = read_only ? flag_read_only : 0;
  }
  return unique<Managed>(&managed);
}

}  // namespace ndx::dlpack

#endif
