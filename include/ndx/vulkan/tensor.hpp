// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_TENSOR_HPP
#define NDX_VULKAN_TENSOR_HPP

#include <ndx/concepts.hpp>
#include <ndx/vulkan/pointer.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace ndx::vulkan {

class device;

/// A tensor in device memory that it owns, or in a buffer of the application's: what `device::allocate`, `upload` and
/// `wrap` return. Extents and strides count elements. Moves, does not copy.
///
/// May go before the commands that use it are done: its memory is given back when every batch and recorder that was
/// begun before is done or gone.
template <class T, std::size_t Rank>
class tensor {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "ndx: elements are moved as bytes");

public:
  using element_type = T;
  using value_type = T;
  using extents_type = std::array<index_t, Rank>;

  /// No memory, no elements; for a place to move one to.
  tensor() = default;
  tensor(tensor&& other) noexcept
      : storage_(std::move(other.storage_)), view_(std::exchange(other.view_, tensor_view<T, Rank>{})) {}
  tensor& operator=(tensor&& other) noexcept {
    storage_ = std::move(other.storage_);
    view_ = std::exchange(other.view_, tensor_view<T, Rank>{});
    return *this;
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] index_t extent(std::size_t dimension) const noexcept { return view_.extent(dimension); }
  [[nodiscard]] extents_type const& extents() const noexcept { return view_.extents(); }
  [[nodiscard]] extents_type const& strides() const noexcept { return view_.strides(); }
  [[nodiscard]] index_t size() const noexcept { return view_.size(); }
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }

  /// Views must not outlive the tensor; they slice, permute and reverse without a copy as those on the host do.
  [[nodiscard]] tensor_view<T, Rank> view() noexcept { return view_; }
  [[nodiscard]] tensor_view<T const, Rank> view() const noexcept { return view_; }

private:
  friend class device;
  tensor(std::unique_ptr<storage const> owner, index_t offset, extents_type const& extents,
         extents_type const& strides) noexcept
      : storage_(std::move(owner)), view_(device_pointer<T>(storage_.get(), offset), extents, strides) {}

  std::unique_ptr<storage const> storage_;
  tensor_view<T, Rank> view_;
};

}  // namespace ndx::vulkan

namespace ndx {

template <class T, std::size_t Rank>
struct tensor_traits<vulkan::tensor<T, Rank>> {
  static vulkan::tensor_view<T, Rank> view(vulkan::tensor<T, Rank>& x) noexcept { return x.view(); }
  static vulkan::tensor_view<T const, Rank> view(vulkan::tensor<T, Rank> const& x) noexcept { return x.view(); }
};

}  // namespace ndx

#endif
