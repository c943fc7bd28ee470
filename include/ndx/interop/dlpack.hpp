// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_DLPACK_HPP
#define NDX_INTEROP_DLPACK_HPP

#include <ndx/concepts.hpp>
#include <ndx/interop/detail/dlpack_checks.hpp>
#include <ndx/interop/detail/dlpack_ownership.hpp>
#include <ndx/interop/detail/dlpack_structs.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ndx {
/// A tensor of another program's that came by DLPack, and what keeps its elements alive: the deleter of the managed
/// tensor runs once, when this goes. Moves, does not copy. Tensor-like, and as shallow const as a `tensor_view`, as
/// others may hold the same elements: they are const only where `T` is. A view of memory that the host does not read
/// may need a `Resource`, which goes before the deleter runs.
template <class T, std::size_t Rank, class View = tensor_view<T, Rank>, class Resource = dlpack::nobody>
class dlpack_tensor {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using extents_type = std::array<index_t, Rank>;

  /// Holds nothing.
  dlpack_tensor() = default;
  dlpack_tensor(dlpack::any_managed owner, Resource resource, View const& view) noexcept
      : owner_(std::move(owner)), resource_(std::move(resource)), view_(view) {}
  dlpack_tensor(dlpack_tensor&& other) noexcept
      : owner_(std::move(other.owner_)),
        resource_(std::move(other.resource_)),
        view_(std::exchange(other.view_, View{})) {}
  dlpack_tensor& operator=(dlpack_tensor&& other) noexcept {
    resource_ = std::move(other.resource_);
    owner_ = std::move(other.owner_);
    view_ = std::exchange(other.view_, View{});
    return *this;
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] extents_type const& extents() const noexcept { return view_.extents(); }
  /// Must not outlive this.
  [[nodiscard]] View view() const noexcept { return view_; }

private:
  dlpack::any_managed owner_;
  Resource resource_;
  View view_;
};

template <class T, std::size_t Rank, class View, class Resource>
struct tensor_traits<dlpack_tensor<T, Rank, View, Resource>> {
  static View view(dlpack_tensor<T, Rank, View, Resource> const& x) noexcept { return x.view(); }
};

/// A `DLTensor` of any header as a view; does not own. Extents and strides count elements, null strides are packed.
/// Whether the elements may be written the struct does not say.
///
/// Throws `error` where the elements are not in memory that the host reads, not of the type `T`, or not aligned for it;
/// `shape_error` where the rank is another one, an extent is negative, offsets do not fit in 63 bits, or elements are
/// at a null pointer.
template <exchangeable_element T, std::size_t Rank, dlpack::tensor_struct Struct>
[[nodiscard]] tensor_view<T, Rank> from_dlpack(Struct const& from) {
  dlpack::DLTensor const seen = dlpack::copy_of(from);
  dlpack::check_tensor(seen, dlpack::data_type_of<T>(), Rank);
  T* const data = static_cast<T*>(dlpack::host_address(seen, alignof(T)));
  dlpack::layout<Rank> const layout = dlpack::layout_of<Rank>(seen);
  tensor_view<T, Rank> const result(data, layout.extents, layout.strides);
  plan::check_layout("from_dlpack", "tensor", plan::layout_of(result), sizeof(T), data != nullptr);
  return result;
}

/// Takes a managed tensor, versioned or not, of any header: its deleter runs when the result goes. No element is
/// copied.
///
/// Throws what the view of a `DLTensor` throws, and `error` where the pointer is null, the major version is not 1, or
/// the tensor is read-only while `T` is not const. Then the managed tensor still is the caller's, untouched.
template <exchangeable_element T, std::size_t Rank, dlpack::managed_struct Managed>
[[nodiscard]] dlpack_tensor<T, Rank> from_dlpack(Managed* managed) {
  dlpack::check_managed(managed, std::is_const_v<T>);
  tensor_view<T, Rank> const view = from_dlpack<T, Rank>(managed->dl_tensor);
  return {dlpack::any_managed(managed), dlpack::nobody{}, view};
}

/// The same for one that a `unique_ptr` holds, which is empty afterwards; where this throws it still holds it.
template <exchangeable_element T, std::size_t Rank, dlpack::managed_struct Managed>
[[nodiscard]] dlpack_tensor<T, Rank> from_dlpack(dlpack::unique<Managed>&& managed) {
  dlpack_tensor<T, Rank> result = from_dlpack<T, Rank>(managed.get());
  static_cast<void>(managed.release());
  return result;
}

/// A view for another program: a managed tensor that leads to the elements of `from`, which must stay until its deleter
/// has run. Elements that are const are marked as read-only. `Managed` may be the struct of any header, also the one
/// without a version, which cannot say that elements are read-only. Hand `release()` of the result on.
///
/// Throws `shape_error` for a view that no operator would take: negative extents, offsets that do not fit in 63 bits,
/// elements at a null pointer.
template <dlpack::managed_struct Managed = dlpack::DLManagedTensorVersioned, exchangeable_element T, std::size_t Rank>
[[nodiscard]] dlpack::unique<Managed> to_dlpack(tensor_view<T, Rank> const& from) {
  return to_dlpack<Managed>(from, dlpack::nobody{});
}

/// The same with what owns the elements, as a `std::shared_ptr` or the tensor itself: moved or copied into the managed
/// tensor, where it stays until the deleter has run. To be moved must not move the elements. Where this throws, the
/// owner is as it was.
template <dlpack::managed_struct Managed = dlpack::DLManagedTensorVersioned, exchangeable_element T, std::size_t Rank,
          class Owner>
[[nodiscard]] dlpack::unique<Managed> to_dlpack(tensor_view<T, Rank> const& from, Owner&& owner) {
  plan::check_layout("to_dlpack", "tensor", plan::layout_of(from), sizeof(T), from.data_handle() != nullptr);
  void* const data = const_cast<std::remove_cv_t<T>*>(from.data_handle());
  return dlpack::make_managed<Managed>(from, {{dlpack::kDLCPU, 0}, data, 0}, std::forward<Owner>(owner));
}

/// A tensor for another program, which owns it from now on: `to_dlpack(std::move(tensor))`.
template <dlpack::managed_struct Managed = dlpack::DLManagedTensorVersioned, exchangeable_element T, std::size_t Rank>
[[nodiscard]] dlpack::unique<Managed> to_dlpack(tensor<T, Rank>&& from) {
  return to_dlpack<Managed>(from.view(), std::move(from));
}

}  // namespace ndx

#endif
