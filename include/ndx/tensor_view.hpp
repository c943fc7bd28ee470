// SPDX-License-Identifier: MIT
#ifndef NDX_TENSOR_VIEW_HPP
#define NDX_TENSOR_VIEW_HPP

#include <ndx/error.hpp>
#include <ndx/handle.hpp>
#include <ndx/plan/layout.hpp>
#include <ndx/slicing.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace ndx {

/// A tensor in memory of somebody else's: a pointer, extents, and strides counted in elements, of any sign (0 repeats).
/// Trivially copyable, does not own, and shallow const: the elements are const only where `T` is. A `Handle` other than
/// a pointer leads to memory that the host cannot read: such a view has everything but access to its elements.
template <class T, std::size_t Rank, class Handle = T*>
class tensor_view {
  static_assert(Rank <= max_rank, "ndx: the rank of a tensor is at most 8");

public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = index_t;
  using extents_type = std::array<index_t, Rank>;
  using data_handle_type = Handle;

  constexpr tensor_view() noexcept : tensor_view(Handle{}, extents_type{}) {}

  /// Packed, row-major.
  constexpr tensor_view(Handle data, extents_type extents) noexcept
      : data_(data), extents_(extents), strides_(plan::packed_strides(extents)) {}

  constexpr tensor_view(Handle data, extents_type extents, extents_type strides) noexcept
      : data_(data), extents_(extents), strides_(strides) {}

  template <class U, class Other>
    requires(!std::same_as<U, T> && std::convertible_to<U (*)[], T (*)[]> && std::convertible_to<Other, Handle>)
  constexpr tensor_view(tensor_view<U, Rank, Other> const& other) noexcept
      : data_(other.data_handle()), extents_(other.extents()), strides_(other.strides()) {}

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] constexpr index_t extent(std::size_t dimension) const noexcept { return extents_[dimension]; }
  [[nodiscard]] constexpr extents_type const& extents() const noexcept { return extents_; }
  [[nodiscard]] constexpr index_t stride(std::size_t dimension) const noexcept { return strides_[dimension]; }
  [[nodiscard]] constexpr extents_type const& strides() const noexcept { return strides_; }
  [[nodiscard]] constexpr Handle data_handle() const noexcept { return data_; }

  [[nodiscard]] constexpr index_t size() const noexcept {
    index_t result = 1;
    for (index_t extent : extents_) result = plan::wrapping_multiply(result, extent);
    return result;
  }

  [[nodiscard]] constexpr bool empty() const noexcept {
    for (index_t extent : extents_)
      if (extent == 0) return true;
    return false;
  }

  /// The element at these coordinates, which are not checked.
  template <class... Coordinates>
    requires(host_handle<Handle> && sizeof...(Coordinates) == Rank &&
             (std::convertible_to<Coordinates, index_t> && ...))
  [[nodiscard]] constexpr T& operator()(Coordinates... coordinates) const noexcept {
    return (*this)[extents_type{static_cast<index_t>(coordinates)...}];
  }

  [[nodiscard]] constexpr T& operator[](extents_type const& coordinates) const noexcept requires host_handle<Handle> {
    index_t offset = 0;
    for (std::size_t d = 0; d < Rank; ++d) offset += coordinates[d] * strides_[d];
    return data_[offset];
  }

  /// The elements `start + strides * c`, `start[d] = offsets[d] + (strides[d] < 0 ? sizes[d] - 1 : 0)`, without a copy.
  /// Extents: `1 + (sizes - 1) / |strides|`. Throws `shape_error` where stride is 0, or the window empty or outside.
  [[nodiscard]] constexpr tensor_view window(slice1_options<Rank> const& options) const {
    index_t offset = 0;
    extents_type extents{};
    extents_type strides{};
    for (std::size_t d = 0; d < Rank; ++d) {
      plan::window_axis const axis{options.offsets[d], options.sizes[d], options.strides[d]};
      plan::check_window("window", d, axis, extents_[d]);
      extents[d] = axis.steps();
      // One element is reached without a step: its stride may be anything, so large ones must not overflow.
      strides[d] = plan::wrapping_multiply(strides_[d], axis.stride);
      offset = plan::wrapping_add(offset, plan::wrapping_multiply(strides_[d], axis.start()));
    }
    return {data_ + offset, extents, strides};
  }

  /// The elements of a slice in Python's terms, without a copy; none where it is empty. Throws `shape_error` where a
  /// step is 0.
  [[nodiscard]] constexpr tensor_view sliced(slice_options<Rank> const& options) const {
    resolved_slice<Rank> const slice = resolve_slice(extents_, options);
    tensor_view result = *this;
    result.extents_ = slice.extents;
    index_t offset = 0;
    for (std::size_t d = 0; d < Rank; ++d) {
      plan::window_axis const axis{slice.window.offsets[d], slice.window.sizes[d], slice.window.strides[d]};
      result.strides_[d] = plan::wrapping_multiply(strides_[d], axis.stride);
      offset = plan::wrapping_add(offset, plan::wrapping_multiply(strides_[d], axis.start()));
    }
    if (!result.empty()) result.data_ = data_ + offset;  // there may be no element to point to
    return result;
  }

  /// Dimension `d` of the result is dimension `order[d]` of this view. Throws `shape_error` where `order` is none.
  [[nodiscard]] constexpr tensor_view permuted(std::array<std::size_t, Rank> const& order) const {
    tensor_view result = *this;
    std::array<bool, Rank> seen{};
    for (std::size_t d = 0; d < Rank; ++d) {
      if (order[d] >= Rank || seen[order[d]]) plan::fail_permutation(Rank, d, order[d]);
      seen[order[d]] = true;
      result.extents_[d] = extents_[order[d]];
      result.strides_[d] = strides_[order[d]];
    }
    return result;
  }

  /// The same elements, `dimension` walked backwards. Throws `shape_error` where there is no such dimension.
  [[nodiscard]] constexpr tensor_view reversed(std::size_t dimension) const {
    if (dimension >= Rank) plan::fail_dimension("reversed", Rank, dimension);
    tensor_view result = *this;
    if (!empty()) result.data_ = result.data_ + (extents_[dimension] - 1) * strides_[dimension];
    result.strides_[dimension] = plan::wrapping_multiply(strides_[dimension], -1);
    return result;
  }

private:
  Handle data_;
  extents_type extents_;
  extents_type strides_;
};

template <class T, std::size_t Rank>
tensor_view(T*, index_t const (&)[Rank]) -> tensor_view<T, Rank>;
template <class T, std::size_t Rank>
tensor_view(T*, index_t const (&)[Rank], index_t const (&)[Rank]) -> tensor_view<T, Rank>;
template <class T, std::size_t Rank>
tensor_view(T*, std::array<index_t, Rank>) -> tensor_view<T, Rank>;
template <class T, std::size_t Rank>
tensor_view(T*, std::array<index_t, Rank>, std::array<index_t, Rank>) -> tensor_view<T, Rank>;

}  // namespace ndx

#endif
