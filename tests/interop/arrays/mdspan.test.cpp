// SPDX-License-Identifier: MIT
#include "../../support/mdspan.hpp"

#include "operators.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

using namespace test;
using ndx::index_t;
using ndx::tensor_view;

namespace {

constexpr std::size_t any = std::dynamic_extent;

using dynamic2 = md::extents<int, any, any>;
using dynamic3 = md::extents<int, any, any, any>;

/// Gives the address that the mdspan itself has for an element.
template <class Span>
auto const* address(Span const& span, std::array<typename Span::index_type, Span::rank()> const& at) {
  return &span[at];
}

/// Elements are copies, of twice the value: what `data_handle` points to is something else.
template <class T>
struct doubling_accessor {
  using offset_policy = doubling_accessor;
  using element_type = T;
  using reference = T;
  using data_handle_type = T*;

  constexpr reference access(data_handle_type p, std::size_t i) const noexcept { return 2 * p[i]; }
  constexpr data_handle_type offset(data_handle_type p, std::size_t i) const noexcept { return p + i; }
};

/// Every other element, by references: all of its types are those of the default accessor.
template <class T>
struct skipping_accessor : md::default_accessor<T> {
  using offset_policy = skipping_accessor;

  constexpr T& access(T* p, std::size_t i) const noexcept { return p[2 * i]; }
  constexpr T* offset(T* p, std::size_t i) const noexcept { return p + 2 * i; }
};

/// Reads what the pointer leads to, which the program says by a specialization of `tensor_traits`.
template <class T>
struct plain_accessor : md::default_accessor<T> {
  using offset_policy = plain_accessor;
};

/// Tiles of 2 x 2, which no strides describe.
struct layout_tiled {
  template <class Extents>
  struct mapping {
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = std::make_unsigned_t<index_type>;
    using rank_type = typename Extents::rank_type;
    using layout_type = layout_tiled;

    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return false; }
    static constexpr bool is_always_strided() noexcept { return false; }
    static constexpr bool is_unique() noexcept { return true; }
    static constexpr bool is_exhaustive() noexcept { return false; }
    static constexpr bool is_strided() noexcept { return false; }

    constexpr mapping() = default;
    constexpr explicit mapping(Extents const& e) noexcept : extents_(e) {}
    constexpr Extents const& extents() const noexcept { return extents_; }
    constexpr index_type required_span_size() const noexcept { return (*this)(extents_.extent(0), 0); }
    constexpr index_type operator()(index_type i, index_type j) const noexcept {
      return i / 2 * 2 * extents_.extent(1) + j / 2 * 4 + i % 2 * 2 + j % 2;
    }
    friend constexpr bool operator==(mapping const& a, mapping const& b) noexcept { return a.extents_ == b.extents_; }

  private:
    Extents extents_{};
  };
};

using square = md::extents<int, 4, 4>;
static_assert(ndx::tensor_like<md::mdspan<float, square>>);
static_assert(ndx::tensor_like<md::mdspan<float, square, md::layout_left> const&>);
static_assert(ndx::tensor_like<md::mdspan<float, square, md::layout_stride>>);
static_assert(!ndx::tensor_like<md::mdspan<float, square, md::layout_right, doubling_accessor<float>>>);
static_assert(!ndx::tensor_like<md::mdspan<float, square, md::layout_right, skipping_accessor<float>>>);
static_assert(!ndx::tensor_like<md::mdspan<float, square, layout_tiled>>);

static_assert(ndx::writable_tensor<md::mdspan<float, square> const&>);
static_assert(!ndx::writable_tensor<md::mdspan<float const, square>>);
static_assert(std::is_same_v<ndx::view_of<md::mdspan<float const, md::extents<int>>&>, tensor_view<float const, 0>>);

constexpr bool gathers_at_compile_time() {
  std::array<int, 6> const table{0, 1, 2, 3, 4, 5};
  std::array<std::int32_t, 2> const row{1, -1};
  std::array<int, 2> output{};
  // The transpose of the table, {{0, 3}, {1, 4}, {2, 5}}.
  ndx::gather_nd(ndx::seq, md::mdspan<int const, md::extents<unsigned char, 3, 2>, md::layout_left>(table.data()),
                 md::mdspan<std::int32_t const, md::extents<short, 1, 2>>(row.data()),
                 md::mdspan<int, md::extents<long, 1>>(output.data()));
  return output[0] == 4;
}
static_assert(gathers_at_compile_time());

template <class T, int Rows, int Columns, class Extents, class Layout>
struct dense : matrix_kind<T, Rows, Columns> {
  std::array<T, std::size_t{Rows} * Columns> elements{};

  auto tensor() { return span_of<T>(elements.data()); }
  auto tensor() const { return span_of<T const>(elements.data()); }
  T& at(int i, int j) { return tensor()[{static_cast<index>(i), static_cast<index>(j)}]; }
  T at(int i, int j) const { return tensor()[{static_cast<index>(i), static_cast<index>(j)}]; }

private:
  using index = typename Extents::index_type;
  template <class U>
  static auto span_of(U* data) {
    return md::mdspan<U, Extents, Layout>(data, Extents(static_cast<index>(Rows), static_cast<index>(Columns)));
  }
};

template <class T, int Rows, int Columns>
struct right_of_static : dense<T, Rows, Columns, md::extents<unsigned char, Rows, Columns>, md::layout_right> {};

template <class T, int Rows, int Columns>
struct left_of_mixed : dense<T, Rows, Columns, md::extents<std::size_t, any, Columns>, md::layout_left> {};

/// Every other element of rows that are longer than that.
template <class T, int Rows, int Columns>
struct strided_of_dynamic : matrix_kind<T, Rows, Columns> {
  std::array<T, std::size_t{Rows} * (2 * Columns + 3)> elements{};

  auto tensor() { return span_of<T>(elements.data()); }
  auto tensor() const { return span_of<T const>(elements.data()); }
  T& at(int i, int j) { return tensor()[{i, j}]; }
  T at(int i, int j) const { return tensor()[{i, j}]; }

private:
  template <class U>
  static auto span_of(U* data) {
    using mapping = md::layout_stride::mapping<dynamic2>;
    return md::mdspan<U, dynamic2, md::layout_stride>(
        data, mapping(dynamic2(Rows, Columns), std::array<int, 2>{2 * Columns + 3, 2}));
  }
};

}  // namespace

template <class T, class Extents>
struct ndx::tensor_traits<md::mdspan<T, Extents, md::layout_right, plain_accessor<T>>> {
  using span = md::mdspan<T, Extents, md::layout_right, plain_accessor<T>>;
  static tensor_view<T, Extents::rank()> view(span const& x) {
    return ndx::view(md::mdspan<T, Extents>(x.data_handle(), Extents(x.extent(0), x.extent(1))));
  }
};

TEST_CASE("mdspan: an accessor of the program's own is known by tensor_traits") {
  float elements[4]{1, 2, 3, 4};
  using span = md::mdspan<float, md::extents<int, any, any>, md::layout_right, plain_accessor<float>>;
  auto const view = ndx::view(span(elements, dynamic2(2, 2)));
  CHECK(&view(1, 0) == &elements[2]);
}

TEST_CASE("mdspan: operators take layout_right, layout_left and layout_stride") {
  check_operators_on_matrices<right_of_static>();
  check_operators_on_matrices<left_of_mixed>();
  check_operators_on_matrices<strided_of_dynamic>();
}

TEST_CASE("mdspan: a view has the elements of its span where these are, in every layout") {
  std::vector<int> elements(200);
  auto const check = [](auto const& span) {
    auto const view = ndx::view(span);
    using index = typename std::remove_cvref_t<decltype(span)>::index_type;
    CHECK(view.extents() == std::array<index_t, 3>{2, 3, 4});
    for (index i = 0; i < 2; ++i)
      for (index j = 0; j < 3; ++j)
        for (index k = 0; k < 4; ++k)
          CHECK(&view(static_cast<index_t>(i), static_cast<index_t>(j), static_cast<index_t>(k)) ==
                address(span, {i, j, k}));
  };
  using all_static = md::extents<unsigned char, 2, 3, 4>;
  using mixed = md::extents<std::size_t, 2, any, 4>;
  using with_strides = md::layout_stride::mapping<dynamic3>;
  check(md::mdspan<int, all_static, md::layout_right>(elements.data()));
  check(md::mdspan<int, all_static, md::layout_left>(elements.data()));
  check(md::mdspan<int const, mixed, md::layout_right>(elements.data(), mixed(3)));
  check(md::mdspan<int const, mixed, md::layout_left>(elements.data(), mixed(2, 3, 4)));
  check(md::mdspan<int, dynamic3, md::layout_right>(elements.data(), dynamic3(2, 3, 4)));
  check(md::mdspan<int, dynamic3, md::layout_stride>(elements.data(),
                                                     with_strides(dynamic3(2, 3, 4), std::array<int, 3>{3, 50, 7})));
}

TEST_CASE("mdspan: of a column-major picture every second row is taken") {
  std::vector<float> const picture{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
  std::vector<float> rows(6);
  // [slice]
  // A picture of 4 x 3 that some other library keeps column by column; the rows of the result are packed.
  using whole = md::mdspan<float const, md::extents<int, 4, 3>, md::layout_left>;
  using half = md::mdspan<float, md::extents<int, 2, 3>>;
  ndx::slice1(ndx::simd, whole(picture.data()), half(rows.data()), {.sizes = {4, 3}, .strides = {2, 1}});
  // [/slice]
  CHECK(rows == std::vector<float>{0, 10, 20, 2, 12, 22});
}

TEST_CASE("mdspan: rank 0 is one element, in every layout") {
  int element = 7;
  using none = md::extents<int>;
  CHECK(&ndx::view(md::mdspan<int, none, md::layout_right>(&element))() == &element);
  CHECK(&ndx::view(md::mdspan<int, none, md::layout_left>(&element))() == &element);
  using no_strides = md::layout_stride::mapping<none>;
  CHECK(&ndx::view(md::mdspan<int, none, md::layout_stride>(&element, no_strides(none(), std::array<int, 0>{})))() ==
        &element);

  std::vector<int> const input{5, 6, 8};
  std::int64_t const last = -1;
  ndx::gather_nd(ndx::simd, md::mdspan<int const, md::extents<int, 3>>(input.data()),
                 md::mdspan<std::int64_t const, md::extents<int, 1>>(&last), md::mdspan<int, none>(&element));
  CHECK(element == 8);
}
