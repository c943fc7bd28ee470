// SPDX-License-Identifier: MIT
#ifndef NDX_TENSOR_HPP
#define NDX_TENSOR_HPP

#include <ndx/tensor_view.hpp>

#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

namespace ndx {

/// Says that the elements of a new tensor need not be written yet.
struct uninitialized_t {
  explicit uninitialized_t() = default;
};
inline constexpr uninitialized_t uninitialized{};

/// A tensor that owns its elements: packed, row-major, 64-byte aligned, on the host. Elements start as `T{}`.
template <class T, std::size_t Rank>
class tensor {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "ndx: elements are moved as bytes");

public:
  using element_type = T;
  using value_type = T;
  using extents_type = std::array<index_t, Rank>;

  /// The alignment of the first element, in bytes: a cache line, and the widest vector register there is.
  static constexpr std::size_t alignment = alignof(T) > 64 ? alignof(T) : 64;

  /// No elements. A tensor of rank 0 always has one: it is made by `tensor<T, 0> t({})`.
  tensor() requires(Rank > 0) = default;

  /// Throws `shape_error` for a negative extent and for more bytes than 63 bit can count.
  explicit tensor(extents_type const& extents) : tensor(extents, uninitialized) {
    for (index_t i = 0; i < size_; ++i) ::new (static_cast<void*>(data_ + i)) T{};
  }

  /// The same, its elements to be written before they are read.
  tensor(extents_type const& extents, uninitialized_t) : extents_(extents) {
    tensor_view<T, Rank> const layout(nullptr, extents);
    plan::check_layout("tensor", "extents", plan::layout_of(layout), sizeof(T), true);
    size_ = layout.size();
    if (size_ != 0) data_ = static_cast<T*>(::operator new (bytes(), std::align_val_t{alignment}));
  }

  /// The elements in row-major order; as many of them as the extents say, else `shape_error`.
  tensor(extents_type const& extents, std::initializer_list<T> elements) : tensor(extents) {
    if (static_cast<index_t>(elements.size()) != size_)
      detail::fail(shape_error(detail::text("tensor: elements: ", elements.size(), " of them; due are ", size_,
                                            " for extents ", detail::braces(extents_.data(), Rank))));
    copy(elements.begin());
  }

  tensor(tensor const& other) : tensor(other.extents_, uninitialized) { copy(other.data_); }
  tensor(tensor&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        extents_(std::exchange(other.extents_, extents_type{})) {}
  tensor& operator=(tensor other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(extents_, other.extents_);
    return *this;
  }
  ~tensor() { ::operator delete (data_, std::align_val_t{alignment}); }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  [[nodiscard]] index_t extent(std::size_t dimension) const noexcept { return extents_[dimension]; }
  [[nodiscard]] extents_type const& extents() const noexcept { return extents_; }
  [[nodiscard]] index_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  [[nodiscard]] tensor_view<T, Rank> view() noexcept { return {data_, extents_}; }
  [[nodiscard]] tensor_view<T const, Rank> view() const noexcept { return {data_, extents_}; }

  template <class... Coordinates>
    requires(sizeof...(Coordinates) == Rank && (std::convertible_to<Coordinates, index_t> && ...))
  [[nodiscard]] T& operator()(Coordinates... coordinates) noexcept { return view()(coordinates...); }
  template <class... Coordinates>
    requires(sizeof...(Coordinates) == Rank && (std::convertible_to<Coordinates, index_t> && ...))
  [[nodiscard]] T const& operator()(Coordinates... coordinates) const noexcept { return view()(coordinates...); }
  [[nodiscard]] T& operator[](extents_type const& coordinates) noexcept { return view()[coordinates]; }
  [[nodiscard]] T const& operator[](extents_type const& coordinates) const noexcept { return view()[coordinates]; }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] T const* data() const noexcept { return data_; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] T const* begin() const noexcept { return data_; }
  [[nodiscard]] T const* end() const noexcept { return data_ + size_; }

private:
  [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * sizeof(T); }

  void copy(T const* elements) {
    for (index_t i = 0; i < size_; ++i) ::new (static_cast<void*>(data_ + i)) T(elements[i]);
  }

  T* data_ = nullptr;
  index_t size_ = 0;
  extents_type extents_{};
};

}  // namespace ndx

#endif
