// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_POINTER_HPP
#define NDX_VULKAN_POINTER_HPP

#include <ndx/error.hpp>
#include <ndx/handle.hpp>
#include <ndx/tensor_view.hpp>
#include <ndx/vulkan/storage.hpp>

#include <concepts>
#include <type_traits>

namespace ndx::vulkan {

/// The place of an element in device memory: what a pointer is on the host. Does not own.
template <class T>
class device_pointer {
public:
  using element_type = T;
  template <class U>
  using rebind = device_pointer<U>;

  constexpr device_pointer() noexcept = default;
  /// `offset` in bytes from the start of the storage's region.
  constexpr device_pointer(storage const* owner, index_t offset) noexcept : storage_(owner), offset_(offset) {}
  template <class U>
    requires(!std::same_as<U, T> && std::convertible_to<U (*)[], T (*)[]>)
  constexpr device_pointer(device_pointer<U> const& other) noexcept
      : storage_(other.owner()), offset_(other.offset()) {}

  [[nodiscard]] constexpr storage const* owner() const noexcept { return storage_; }
  [[nodiscard]] constexpr index_t offset() const noexcept { return offset_; }

  [[nodiscard]] friend constexpr device_pointer operator+(device_pointer pointer, index_t elements) noexcept {
    return {pointer.storage_, pointer.offset_ + elements * static_cast<index_t>(sizeof(T))};
  }
  friend constexpr bool operator==(device_pointer const&, device_pointer const&) noexcept = default;

  /// The space is the buffer: regions of one buffer may be told apart only by their offsets.
  [[nodiscard]] ndx::place place() const noexcept {
    if (storage_ == nullptr) return {};
    return {storage_->space(), reinterpret_cast<void const*>(static_cast<std::uintptr_t>(
                                   static_cast<index_t>(storage_->bytes().offset) + offset_))};
  }

private:
  storage const* storage_ = nullptr;
  index_t offset_ = 0;
};

template <class Handle>
inline constexpr bool is_device_pointer = false;
template <class T>
inline constexpr bool is_device_pointer<device_pointer<T>> = true;

template <class Handle>
concept device_handle = is_device_pointer<Handle>;

/// A tensor in device memory that is somebody else's, as `ndx::tensor_view` is on the host.
template <class T, std::size_t Rank>
using tensor_view = ndx::tensor_view<T, Rank, device_pointer<T>>;

}  // namespace ndx::vulkan

#endif
