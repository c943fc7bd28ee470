// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/message_of.hpp"

#include <ndx/error.hpp>
#include <ndx/tensor_view.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using ndx::index_t;
using ndx::tensor_view;

template <std::size_t Rank>
constexpr std::array<index_t, Rank> all(index_t extent) {
  std::array<index_t, Rank> extents{};
  for (index_t& e : extents) e = extent;
  return extents;
}

// 0, 1, 2, ...: an element tells where it lies.
template <std::size_t Count>
constexpr std::array<int, Count> counting() {
  std::array<int, Count> values{};
  for (std::size_t i = 0; i < Count; ++i) values[i] = static_cast<int>(i);
  return values;
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

template <std::size_t Rank>
constexpr bool rank_is_usable() {
  int element = 7;
  tensor_view<int, Rank> const v(&element, all<Rank>(1));
  return v.rank() == Rank && v.size() == 1 && !v.empty() && v[std::array<index_t, Rank>{}] == 7;
}

static_assert(std::is_trivially_copyable_v<tensor_view<int, 0>>);
static_assert(std::is_trivially_copyable_v<tensor_view<double const, 3>>);
static_assert(std::is_trivially_copyable_v<tensor_view<std::string, 8>>);
static_assert(std::is_same_v<decltype(std::declval<tensor_view<float, 2>>().size()), index_t>);
static_assert(std::is_same_v<decltype(std::declval<tensor_view<float, 2>>()(0, 0)), float&>);
static_assert(std::is_same_v<decltype(std::declval<tensor_view<float const, 2>>()(0, 0)), float const&>);
static_assert(std::is_same_v<tensor_view<float const, 2>::element_type, float const>);
static_assert(std::is_same_v<tensor_view<float const, 2>::value_type, float>);
static_assert(tensor_view<float, 5>::rank() == 5);

static_assert(std::convertible_to<tensor_view<float, 3>, tensor_view<float const, 3>>);
static_assert(!std::convertible_to<tensor_view<float const, 3>, tensor_view<float, 3>>);
static_assert(!std::convertible_to<tensor_view<float, 3>, tensor_view<double, 3>>);
static_assert(!std::convertible_to<tensor_view<float, 3>, tensor_view<float const, 2>>);

static_assert(rank_is_usable<0>() && rank_is_usable<1>() && rank_is_usable<2>() && rank_is_usable<3>());
static_assert(rank_is_usable<4>() && rank_is_usable<5>() && rank_is_usable<6>() && rank_is_usable<7>());
static_assert(rank_is_usable<8>());

constexpr bool views_work_in_constant_expressions() {
  auto data = counting<24>();
  tensor_view v{data.data(), {2, 3, 4}};
  v(1, 2, 3) = 99;
  return data[23] == 99 && v.permuted({2, 0, 1})(3, 1, 0) == 15 && v.reversed(1)(0, 0, 0) == 8 &&
         v.window({.offsets = {1, 0, 1}, .sizes = {1, 3, 3}, .strides = {1, 2, -2}})(0, 1, 1) == 21;
}
static_assert(views_work_in_constant_expressions());

}  // namespace

TEST_CASE("a packed view is row-major", "[tensor_view]") {
  auto data = counting<24>();
  tensor_view<int, 3> const v(data.data(), {2, 3, 4});
  CHECK(v.data_handle() == data.data());
  CHECK(v.extents() == std::array<index_t, 3>{2, 3, 4});
  CHECK(v.strides() == std::array<index_t, 3>{12, 4, 1});
  CHECK(v.extent(0) == 2);
  CHECK(v.extent(1) == 3);
  CHECK(v.extent(2) == 4);
  CHECK(v.stride(0) == 12);
  CHECK(v.stride(1) == 4);
  CHECK(v.stride(2) == 1);
  CHECK(v.size() == 24);
  CHECK_FALSE(v.empty());
  int expected = 0;
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 4; ++k, ++expected) {
        CHECK(v(i, j, k) == expected);
        CHECK(v[std::array<index_t, 3>{i, j, k}] == expected);
        CHECK(&v(i, j, k) == &v[{i, j, k}]);
      }
}

TEST_CASE("an element can be written through a view, and a const view still gives mutable elements", "[tensor_view]") {
  auto data = counting<6>();
  tensor_view<int, 2> const v(data.data(), {2, 3});
  v(1, 0) = -5;
  v[{0, 2}] = -6;
  CHECK(data == std::array<int, 6>{0, 1, -6, -5, 4, 5});
}

TEST_CASE("operator() takes any integer type", "[tensor_view]") {
  auto data = counting<6>();
  tensor_view const v{data.data(), {2, 3}};
  CHECK(v(std::int16_t{1}, 2u) == 5);
  CHECK(v(std::size_t{1}, index_t{1}) == 4);
}

TEST_CASE("a view has any signed strides", "[tensor_view]") {
  auto data = counting<24>();
  SECTION("with padding between rows") {
    tensor_view<int, 2> const v(data.data() + 1, {3, 4}, {7, 1});
    CHECK(v(0, 0) == 1);
    CHECK(v(2, 3) == 1 + 14 + 3);
    CHECK(v.strides() == std::array<index_t, 2>{7, 1});
    CHECK(v.size() == 12);
  }
  SECTION("negative") {
    tensor_view<int, 2> const v(data.data() + 23, {2, 3}, {-12, -2});
    CHECK(v(0, 0) == 23);
    CHECK(v(1, 2) == 23 - 12 - 4);
  }
  SECTION("zero: a broadcast") {
    tensor_view<int, 2> const v(data.data() + 5, {100, 3}, {0, 1});
    CHECK(v.size() == 300);
    CHECK(v(0, 2) == 7);
    CHECK(v(99, 2) == 7);
  }
}

TEST_CASE("template arguments are deduced from a pointer and braces", "[tensor_view]") {
  auto data = counting<24>();
  auto const& constant = data;
  tensor_view v{data.data(), {2, 3}};
  static_assert(std::is_same_v<decltype(v), tensor_view<int, 2>>);
  tensor_view c{constant.data(), {2, 3, 4}};
  static_assert(std::is_same_v<decltype(c), tensor_view<int const, 3>>);
  tensor_view s{data.data(), {2, 3}, {1, 2}};
  static_assert(std::is_same_v<decltype(s), tensor_view<int, 2>>);
  tensor_view a{data.data(), std::array<index_t, 1>{24}};
  static_assert(std::is_same_v<decltype(a), tensor_view<int, 1>>);
  CHECK(v(1, 2) == 5);
  CHECK(c(1, 2, 3) == 23);
  CHECK(s(1, 2) == 5);
  CHECK(a(23) == 23);
}

TEST_CASE("a view converts to a view of constant elements", "[tensor_view]") {
  auto data = counting<6>();
  tensor_view<int, 2> const v(data.data() + 5, {2, 3}, {-3, -1});
  tensor_view<int const, 2> const c = v;
  CHECK(c.data_handle() == v.data_handle());
  CHECK(c.extents() == v.extents());
  CHECK(c.strides() == v.strides());
  CHECK(c(1, 2) == 0);
}

TEST_CASE("a view of rank 0 is one element", "[tensor_view]") {
  int element = 42;
  tensor_view<int, 0> const v(&element, {});
  CHECK(v.rank() == 0);
  CHECK(v.size() == 1);
  CHECK_FALSE(v.empty());
  CHECK(v() == 42);
  CHECK(v[{}] == 42);
  CHECK(v.permuted({})() == 42);
}

TEST_CASE("a view of rank 8 reaches its last element", "[tensor_view]") {
  auto data = counting<256>();
  tensor_view<int, 8> const v(data.data(), all<8>(2));
  CHECK(v.size() == 256);
  CHECK(v(1, 1, 1, 1, 1, 1, 1, 1) == 255);
  CHECK(v(1, 0, 0, 0, 0, 0, 1, 0) == 130);
  CHECK(v.permuted({7, 6, 5, 4, 3, 2, 1, 0})(0, 1, 0, 0, 0, 0, 0, 1) == 130);
}

TEST_CASE("a view with a zero extent is empty and may have no data", "[tensor_view]") {
  tensor_view<int, 3> const v(nullptr, {2, 0, 4});
  CHECK(v.size() == 0);
  CHECK(v.empty());
  CHECK(v.extents() == std::array<index_t, 3>{2, 0, 4});
  CHECK(v.reversed(0).empty());
  CHECK(v.reversed(1).empty());
  CHECK(v.permuted({1, 2, 0}).extents() == std::array<index_t, 3>{0, 4, 2});
}

TEST_CASE("permuted views name the source of each dimension", "[tensor_view]") {
  auto data = counting<24>();
  tensor_view const v{data.data(), {2, 3, 4}};
  auto const p = v.permuted({2, 0, 1});
  CHECK(p.data_handle() == v.data_handle());
  CHECK(p.extents() == std::array<index_t, 3>{4, 2, 3});
  CHECK(p.strides() == std::array<index_t, 3>{1, 12, 4});
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 4; ++k) CHECK(&p(k, i, j) == &v(i, j, k));
  p(3, 1, 2) = -1;
  CHECK(data[23] == -1);
}

TEST_CASE("a permutation must name every dimension once", "[tensor_view]") {
  auto data = counting<24>();
  tensor_view const v{data.data(), {2, 3, 4}};
  CHECK_THROWS_AS(v.permuted({0, 0, 1}), ndx::shape_error);
  CHECK_THROWS_AS(v.permuted({0, 1, 3}), ndx::shape_error);
  CHECK_THROWS_AS(v.permuted({2, 2, 2}), ndx::shape_error);
  CHECK(contains(test::message_of<ndx::shape_error>([&] { static_cast<void>(v.permuted({0, 0, 1})); }), "permut"));
  CHECK_NOTHROW(v.permuted({1, 2, 0}));
}

TEST_CASE("reversed views walk a dimension from its end", "[tensor_view]") {
  auto data = counting<24>();
  tensor_view const v{data.data(), {2, 3, 4}};
  auto const r = v.reversed(1);
  CHECK(r.extents() == v.extents());
  CHECK(r.strides() == std::array<index_t, 3>{12, -4, 1});
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j)
      for (index_t k = 0; k < 4; ++k) CHECK(&r(i, j, k) == &v(i, 2 - j, k));
  CHECK(r.reversed(1).data_handle() == v.data_handle());
  CHECK(r.reversed(1).strides() == v.strides());
  CHECK(v.reversed(0).reversed(1).reversed(2)(0, 0, 0) == 23);
  CHECK_THROWS_AS(v.reversed(3), ndx::shape_error);
  CHECK_THROWS_AS((tensor_view<int, 0>(data.data(), {}).reversed(0)), ndx::shape_error);
}

TEST_CASE("a window is what slice1 would copy", "[tensor_view]") {
  auto data = counting<16>();
  tensor_view const v{data.data(), {1, 1, 4, 4}};
  SECTION("strides default to one") {
    auto const w = v.window({.offsets = {0, 0, 1, 2}, .sizes = {1, 1, 3, 2}});
    CHECK(w.extents() == std::array<index_t, 4>{1, 1, 3, 2});
    CHECK(w.data_handle() == &v(0, 0, 1, 2));
    CHECK(w(0, 0, 2, 1) == 15);
  }
  SECTION("a stride of two takes every second element") {
    auto const w = v.window({.offsets = {0, 0, 0, 1}, .sizes = {1, 1, 4, 3}, .strides = {1, 1, 2, 2}});
    CHECK(w.extents() == std::array<index_t, 4>{1, 1, 2, 2});
    CHECK(w(0, 0, 0, 0) == 1);
    CHECK(w(0, 0, 0, 1) == 3);
    CHECK(w(0, 0, 1, 0) == 9);
    CHECK(w(0, 0, 1, 1) == 11);
  }
  SECTION("a negative stride starts at the last element of the window") {
    auto const w = v.window({.offsets = {0, 0, 0, 1}, .sizes = {1, 1, 4, 3}, .strides = {1, 1, -2, 2}});
    CHECK(w.extents() == std::array<index_t, 4>{1, 1, 2, 2});
    CHECK(w(0, 0, 0, 0) == 13);
    CHECK(w(0, 0, 0, 1) == 15);
    CHECK(w(0, 0, 1, 0) == 5);
    CHECK(w(0, 0, 1, 1) == 7);
  }
  SECTION("a stride beyond the window takes one element") {
    auto const w = v.window({.offsets = {0, 0, 0, 0}, .sizes = {1, 1, 4, 4}, .strides = {1, 1, 4, -100}});
    CHECK(w.extents() == std::array<index_t, 4>{1, 1, 1, 1});
    CHECK(w(0, 0, 0, 0) == 3);
  }
  SECTION("windows of windows, of permuted and of reversed views") {
    auto const inner = v.window({.offsets = {0, 0, 1, 1}, .sizes = {1, 1, 3, 3}})
                           .window({.offsets = {0, 0, 1, 0}, .sizes = {1, 1, 2, 3}, .strides = {1, 1, 1, -1}});
    CHECK(inner(0, 0, 0, 0) == 11);
    CHECK(inner(0, 0, 1, 2) == 13);
    CHECK(v.permuted({3, 2, 1, 0}).window({.offsets = {3, 2, 0, 0}, .sizes = {1, 2, 1, 1}})(0, 1, 0, 0) == 15);
    CHECK(v.reversed(3).window({.offsets = {0, 0, 0, 1}, .sizes = {1, 1, 1, 3}})(0, 0, 0, 0) == 2);
  }
}

TEST_CASE("a window that does not fit is an error that names the dimension", "[tensor_view]") {
  auto data = counting<24>();
  tensor_view const v{data.data(), {2, 3, 4}};
  constexpr index_t largest = std::numeric_limits<index_t>::max();
  constexpr index_t smallest = std::numeric_limits<index_t>::min();
  using options = ndx::slice1_options<3>;
  auto const text = [&](options const& window) {
    return test::message_of<ndx::shape_error>([&] { static_cast<void>(v.window(window)); });
  };
  auto const names_dimension_1 = [](std::string const& t) {
    return contains(t, "window") && contains(t, "dimension 1");
  };
  CHECK(names_dimension_1(text({.offsets = {0, 1, 0}, .sizes = {2, 3, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, -1, 0}, .sizes = {2, 3, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, 0, 0}, .sizes = {2, 4, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, 0, 0}, .sizes = {2, 0, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, 0, 0}, .sizes = {2, -1, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, 0, 0}, .sizes = {2, 3, 4}, .strides = {1, 0, 1}})));
  CHECK(names_dimension_1(text({.offsets = {0, largest, 0}, .sizes = {2, 3, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, 2, 0}, .sizes = {2, largest, 4}})));
  CHECK(names_dimension_1(text({.offsets = {0, smallest, 0}, .sizes = {2, 3, 4}})));
  SECTION("the magnitude of the smallest stride does not overflow") {
    auto const w = v.window({.offsets = {0, 0, 0}, .sizes = {2, 3, 4}, .strides = {1, smallest, 1}});
    CHECK(w.extent(1) == 1);
    CHECK(w(0, 0, 0) == 8);
  }
}
