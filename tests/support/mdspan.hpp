// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_MDSPAN_HPP
#define NDX_TESTS_SUPPORT_MDSPAN_HPP

// std::mdspan as `test::md`: that of the standard library where it has one (C++23), else as much of [views.multidim] as
// the tests use, with the same names, parameters and constraints.

#include <version>
#if defined(__cpp_lib_mdspan)

#include <mdspan>

namespace test {
namespace md = std;
}

#else

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace test::md {

template <class IndexType, std::size_t... Extents>
class extents {
public:
  using index_type = IndexType;
  using rank_type = std::size_t;

  static constexpr rank_type rank() noexcept { return sizeof...(Extents); }
  static constexpr rank_type rank_dynamic() noexcept { return ((Extents == std::dynamic_extent ? 1U : 0U) + ... + 0U); }

  constexpr extents() noexcept = default;

  /// All extents, or those that are dynamic.
  template <class... Values>
    requires((std::convertible_to<Values, IndexType> && ...) && sizeof...(Values) != 0 &&
             (sizeof...(Values) == rank() || sizeof...(Values) == rank_dynamic()))
  constexpr explicit extents(Values... values) noexcept {
    std::array<IndexType, sizeof...(Values)> const given{static_cast<IndexType>(values)...};
    rank_type next = 0;
    for (rank_type r = 0; r < rank(); ++r)
      if (given.size() == rank()) values_[r] = given[r];
      else if (is_dynamic[r]) values_[r] = given[next++];
  }

  constexpr index_type extent(rank_type r) const noexcept { return values_[r]; }

private:
  static constexpr std::array<bool, rank()> is_dynamic{(Extents == std::dynamic_extent)...};

  std::array<IndexType, rank()> values_{
      (Extents == std::dynamic_extent ? IndexType{0} : static_cast<IndexType>(Extents))...};
};

namespace detail {

/// What the three mappings have alike. `Strides` tells the stride of a dimension.
template <class Extents, class Strides>
class strided_mapping {
public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;

  static constexpr bool is_always_strided() noexcept { return true; }
  static constexpr bool is_strided() noexcept { return true; }

  constexpr strided_mapping(Extents const& e, Strides const& strides) noexcept : extents_(e), strides_(strides) {}

  constexpr Extents const& extents() const noexcept { return extents_; }

  template <class... Indices>
    requires(sizeof...(Indices) == Extents::rank())
  constexpr index_type operator()(Indices... indices) const noexcept {
    std::array<index_type, Extents::rank()> const at{static_cast<index_type>(indices)...};
    index_type result = 0;
    for (rank_type r = 0; r < at.size(); ++r) result = static_cast<index_type>(result + at[r] * strides_(extents_, r));
    return result;
  }

protected:
  constexpr index_type stride_of(rank_type r) const noexcept { return strides_(extents_, r); }

private:
  Extents extents_;
  Strides strides_;
};

/// The product of the extents of the dimensions in [first, last).
template <class Extents>
constexpr typename Extents::index_type product(Extents const& e, std::size_t first, std::size_t last) noexcept {
  typename Extents::index_type result = 1;
  for (std::size_t r = first; r < last; ++r) result = static_cast<typename Extents::index_type>(result * e.extent(r));
  return result;
}

}  // namespace detail

struct layout_right {
  struct strides {
    template <class Extents>
    constexpr auto operator()(Extents const& e, std::size_t r) const noexcept {
      return detail::product(e, r + 1, Extents::rank());
    }
  };
  template <class Extents>
  struct mapping : detail::strided_mapping<Extents, strides> {
    constexpr mapping(Extents const& e) noexcept : detail::strided_mapping<Extents, strides>(e, {}) {}
    constexpr auto stride(std::size_t r) const noexcept requires(Extents::rank() > 0) { return this->stride_of(r); }
  };
};

struct layout_left {
  struct strides {
    template <class Extents>
    constexpr auto operator()(Extents const& e, std::size_t r) const noexcept {
      return detail::product(e, 0, r);
    }
  };
  template <class Extents>
  struct mapping : detail::strided_mapping<Extents, strides> {
    constexpr mapping(Extents const& e) noexcept : detail::strided_mapping<Extents, strides>(e, {}) {}
    constexpr auto stride(std::size_t r) const noexcept requires(Extents::rank() > 0) { return this->stride_of(r); }
  };
};

struct layout_stride {
  template <class Extents>
  struct strides {
    std::array<typename Extents::index_type, Extents::rank()> values;
    constexpr auto operator()(Extents const&, std::size_t r) const noexcept { return values[r]; }
  };
  template <class Extents>
  struct mapping : detail::strided_mapping<Extents, strides<Extents>> {
    constexpr mapping(Extents const& e,
                      std::array<typename Extents::index_type, Extents::rank()> const& values) noexcept
        : detail::strided_mapping<Extents, strides<Extents>>(e, {values}) {}
    constexpr auto stride(std::size_t r) const noexcept { return this->stride_of(r); }
  };
};

template <class T>
struct default_accessor {
  using offset_policy = default_accessor;
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;

  constexpr reference access(data_handle_type p, std::size_t i) const noexcept { return p[i]; }
};

template <class T, class Extents, class Layout = layout_right, class Accessor = default_accessor<T>>
class mdspan {
public:
  using extents_type = Extents;
  using layout_type = Layout;
  using accessor_type = Accessor;
  using mapping_type = typename Layout::template mapping<Extents>;
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = typename Accessor::data_handle_type;
  using reference = typename Accessor::reference;

  static constexpr rank_type rank() noexcept { return Extents::rank(); }
  static constexpr bool is_always_strided() { return mapping_type::is_always_strided(); }

  constexpr explicit mdspan(data_handle_type p, Extents const& e = Extents()) : mdspan(p, mapping_type(e)) {}
  constexpr mdspan(data_handle_type p, mapping_type const& m, Accessor const& a = {})
      : data_(p), mapping_(m), accessor_(a) {}

  constexpr index_type extent(rank_type r) const noexcept { return mapping_.extents().extent(r); }
  // As there: declared for every layout, and not to be called for one that has no strides.
  constexpr index_type stride(rank_type r) const { return mapping_.stride(r); }
  constexpr data_handle_type const& data_handle() const noexcept { return data_; }

  constexpr reference operator[](std::array<index_type, Extents::rank()> const& at) const {
    return [&]<std::size_t... R>(std::index_sequence<R...>)->reference {
      return accessor_.access(data_, static_cast<std::size_t>(mapping_(at[R]...)));
    }
    (std::make_index_sequence<Extents::rank()>());
  }

private:
  data_handle_type data_;
  mapping_type mapping_;
  Accessor accessor_;
};

}  // namespace test::md

#endif

#endif
