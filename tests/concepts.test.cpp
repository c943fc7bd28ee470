// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using ndx::index_t;
using ndx::tensor;
using ndx::tensor_view;

// Types with the shape of std::mdspan, of which the library includes none. As there, index and rank types are the
// span's own, extents may be static or dynamic, and a const span gives elements that are not const.

template <std::size_t... Extents>
struct static_extents {
  using index_type = unsigned char;
  using rank_type = std::size_t;
  static constexpr std::array<index_type, sizeof...(Extents)> values{Extents...};
};

template <class T, class Extents>
class static_span {
public:
  using element_type = T;
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = T*;

  constexpr explicit static_span(T* data) : data_(data) {}

  static constexpr rank_type rank() noexcept { return Extents::values.size(); }
  static constexpr index_type extent(rank_type r) noexcept { return Extents::values[r]; }
  constexpr index_type stride(rank_type r) const noexcept {
    unsigned result = 1;
    for (rank_type d = r + 1; d < rank(); ++d) result *= extent(d);
    return static_cast<index_type>(result);
  }
  constexpr data_handle_type const& data_handle() const noexcept { return data_; }

private:
  T* data_;
};

template <std::size_t Rank>
struct dynamic_extents {
  using index_type = int;
  using rank_type = unsigned;
};

// Strides as std::layout_stride has them.
template <class T, std::size_t Rank, class Handle = T*>
class strided_span {
public:
  using element_type = T;
  using extents_type = dynamic_extents<Rank>;
  using index_type = int;
  using rank_type = unsigned;
  using data_handle_type = Handle;

  constexpr strided_span(Handle data, std::array<int, Rank> extents, std::array<int, Rank> strides)
      : data_(data), extents_(extents), strides_(strides) {}

  static constexpr rank_type rank() noexcept { return Rank; }
  constexpr index_type extent(rank_type r) const noexcept { return extents_[r]; }
  constexpr index_type stride(rank_type r) const noexcept { return strides_[r]; }
  constexpr data_handle_type const& data_handle() const noexcept { return data_; }

private:
  Handle data_;
  std::array<int, Rank> extents_;
  std::array<int, Rank> strides_;
};

struct file_offset {
  std::size_t bytes;
};

// A type of the application that becomes a tensor by tensor_traits alone.
template <class T>
struct picture {
  index_t height;
  index_t width;
  index_t pitch;  // elements from row to row
  std::vector<T> elements;
};

// The application's own policy: does what ndx::seq does, and counts.
struct counting_policy {
  int* calls;

  template <class T, class Index>
  void execute(ndx::plan::operation const& operation, ndx::plan::arguments<T, Index> const& arguments) const {
    ++*calls;
    ndx::seq.execute(operation, arguments);
  }
};

struct no_policy {};

}  // namespace

template <class T>
struct ndx::tensor_traits<picture<T>> {
  static constexpr tensor_view<T, 2> view(picture<T>& x) {
    return {x.elements.data(), {x.height, x.width}, {x.pitch, 1}};
  }
  static constexpr tensor_view<T const, 2> view(picture<T> const& x) {
    return {x.elements.data(), {x.height, x.width}, {x.pitch, 1}};
  }
};

namespace {

using int_span = static_span<int, static_extents<2, 3>>;
using const_int_span = static_span<int const, static_extents<2, 3>>;

static_assert(ndx::tensor_like<tensor<float, 2>>);
static_assert(ndx::tensor_like<tensor<float, 2>&>);
static_assert(ndx::tensor_like<tensor<float, 2> const&>);
static_assert(ndx::tensor_like<tensor_view<float, 0>>);
static_assert(ndx::tensor_like<tensor_view<std::complex<double> const, 8> const&>);
static_assert(ndx::tensor_like<int_span>);
static_assert(ndx::tensor_like<const_int_span const&>);
static_assert(ndx::tensor_like<strided_span<double, 3>&>);
static_assert(ndx::tensor_like<picture<float>&>);
static_assert(ndx::tensor_like<picture<float> const&>);
static_assert(!ndx::tensor_like<strided_span<double, 3, file_offset>>);
static_assert(!ndx::tensor_like<int>);
static_assert(!ndx::tensor_like<float*>);
static_assert(!ndx::tensor_like<std::vector<float>>);
static_assert(!ndx::tensor_like<std::vector<float> const&>);
static_assert(!ndx::tensor_like<std::array<float, 3>>);
static_assert(!ndx::tensor_like<picture<float>*>);

static_assert(ndx::index_type<std::int32_t> && ndx::index_type<std::int64_t>);
static_assert(ndx::index_type<std::uint32_t> && ndx::index_type<std::uint64_t>);
static_assert(!ndx::index_type<std::int16_t> && !ndx::index_type<std::uint8_t> && !ndx::index_type<char>);
static_assert(!ndx::index_type<bool> && !ndx::index_type<float> && !ndx::index_type<double>);

static_assert(ndx::index_tensor<tensor_view<std::uint64_t const, 3>>);
static_assert(ndx::index_tensor<tensor<std::int32_t, 1> const&>);
static_assert(ndx::index_tensor<int_span>);
static_assert(!ndx::index_tensor<tensor_view<float, 3>>);
static_assert(!ndx::index_tensor<tensor_view<std::int16_t, 3>>);
static_assert(!ndx::index_tensor<std::int32_t>);

static_assert(ndx::writable_tensor<tensor<float, 2>&>);
static_assert(ndx::writable_tensor<tensor_view<float, 2> const&>);
static_assert(ndx::writable_tensor<int_span const&>);
static_assert(ndx::writable_tensor<picture<int>&>);
static_assert(!ndx::writable_tensor<tensor<float, 2> const&>);
static_assert(!ndx::writable_tensor<tensor_view<float const, 2>>);
static_assert(!ndx::writable_tensor<const_int_span>);
static_assert(!ndx::writable_tensor<picture<int> const&>);

static_assert(ndx::same_value_type<tensor<float, 2>&, tensor_view<float const, 3>>);
static_assert(ndx::same_value_type<const_int_span, picture<int>&>);
static_assert(!ndx::same_value_type<tensor<float, 2>&, tensor_view<double, 2>>);
static_assert(!ndx::same_value_type<tensor<std::int32_t, 2>&, tensor_view<std::uint32_t, 2>>);

static_assert(ndx::execution_policy<decltype(ndx::seq)>);
static_assert(ndx::execution_policy<decltype(ndx::simd)>);
static_assert(ndx::execution_policy<decltype(ndx::par_simd)>);
static_assert(ndx::execution_policy<decltype(ndx::simd.with(ndx::instruction_set::baseline))>);
static_assert(ndx::execution_policy<decltype(ndx::par_simd.with(ndx::instruction_set::baseline).threads(2))>);
static_assert(ndx::execution_policy<decltype(ndx::par_simd.threads(2).with(ndx::instruction_set::baseline))>);
static_assert(ndx::execution_policy<counting_policy>);
static_assert(!ndx::execution_policy<no_policy>);
static_assert(!ndx::execution_policy<int>);

template <class Expected, class X>
constexpr bool view_is(X&& x) {
  return std::is_same_v<decltype(ndx::view(std::forward<X>(x))), Expected>;
}

constexpr bool view_works_in_constant_expressions() {
  std::array<int, 6> data{0, 1, 2, 3, 4, 5};
  auto const from_static = ndx::view(int_span(data.data()));
  auto const from_strided = ndx::view(strided_span<int, 2>(data.data(), {3, 2}, {1, 3}));
  from_static(0, 1) = 7;
  return from_static(1, 2) == 5 && from_strided(2, 1) == 5 && from_strided(1, 0) == 7 &&
         ndx::view(from_static)(0, 1) == 7;
}
static_assert(view_works_in_constant_expressions());

}  // namespace

TEST_CASE("view() of a tensor is its view, constant where the tensor is", "[concepts]") {
  tensor<float, 2> t({2, 3});
  t(1, 2) = 5.0f;
  tensor<float, 2> const& constant = t;
  static_assert(std::is_same_v<decltype(ndx::view(t)), tensor_view<float, 2>>);
  static_assert(std::is_same_v<decltype(ndx::view(constant)), tensor_view<float const, 2>>);
  CHECK(ndx::view(t).data_handle() == t.data());
  CHECK(ndx::view(constant)(1, 2) == 5.0f);
  CHECK(ndx::view(t).extents() == t.extents());
}

TEST_CASE("view() of a view is the view itself, whether the view is const or a temporary", "[concepts]") {
  std::array<int, 6> data{0, 1, 2, 3, 4, 5};
  tensor_view<int, 2> const v(data.data() + 5, {2, 3}, {-3, -1});
  static_assert(std::is_same_v<decltype(ndx::view(v)), tensor_view<int, 2>>);
  static_assert(std::is_same_v<decltype(ndx::view(v.reversed(0))), tensor_view<int, 2>>);
  CHECK(ndx::view(v).data_handle() == v.data_handle());
  CHECK(ndx::view(v).strides() == v.strides());
  CHECK(ndx::view(v.reversed(0))(1, 0) == 5);
}

TEST_CASE("view() takes types with the shape of mdspan", "[concepts]") {
  std::array<int, 24> data{};
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
  SECTION("static extents, const or not") {
    int_span const span(data.data());
    auto const v = ndx::view(span);
    static_assert(std::is_same_v<decltype(v), tensor_view<int, 2> const>);
    CHECK(v.extents() == std::array<index_t, 2>{2, 3});
    CHECK(v.strides() == std::array<index_t, 2>{3, 1});
    CHECK(v.data_handle() == data.data());
  }
  SECTION("constant elements") {
    const_int_span span(data.data());
    static_assert(std::is_same_v<decltype(ndx::view(span)), tensor_view<int const, 2>>);
    CHECK(ndx::view(span)(1, 2) == 5);
  }
  SECTION("dynamic extents and strides, negative ones too") {
    strided_span<int, 3> span(data.data() + 23, {2, 3, 4}, {-12, -4, -1});
    auto const v = ndx::view(span);
    static_assert(std::is_same_v<decltype(v), tensor_view<int, 3> const>);
    CHECK(v.extents() == std::array<index_t, 3>{2, 3, 4});
    CHECK(v.strides() == std::array<index_t, 3>{-12, -4, -1});
    CHECK(v(1, 2, 3) == 0);
  }
  SECTION("rank 0") {
    strided_span<int, 0> span(data.data() + 3, {}, {});
    CHECK(ndx::view(span)() == 3);
  }
}

TEST_CASE("operators take types with the shape of mdspan", "[concepts]") {
  std::array<float, 6> const table{0, 1, 2, 3, 4, 5};
  std::array<std::int32_t, 3> const rows{1, -1, 0};
  std::array<float, 6> result{};
  // The columns of the table backwards, by a negative stride; the output's rows and columns exchanged.
  ndx::gather_nd(ndx::seq, strided_span<float const, 2>(table.data() + 1, {3, 2}, {2, -1}),
                 static_span<std::int32_t const, static_extents<3, 1>>(rows.data()),
                 strided_span<float, 2>(result.data(), {3, 2}, {1, 3}));
  CHECK(result == std::array<float, 6>{3, 5, 1, 2, 4, 0});
}

TEST_CASE("a type of the application becomes a tensor by tensor_traits", "[concepts]") {
  picture<int> source{2, 3, 4, {0, 1, 2, -1, 3, 4, 5, -1}};
  picture<int> const& constant = source;
  static_assert(std::is_same_v<decltype(ndx::view(source)), tensor_view<int, 2>>);
  static_assert(std::is_same_v<decltype(ndx::view(constant)), tensor_view<int const, 2>>);
  CHECK(ndx::view(constant)(1, 2) == 5);

  picture<int> target{2, 2, 3, {9, 9, 9, 9, 9, 9}};
  ndx::slice1(ndx::seq, constant, target, {.offsets = {0, 1}, .sizes = {2, 2}, .strides = {-1, 1}});
  CHECK(target.elements == std::vector<int>{4, 5, 9, 1, 2, 9});
}

TEST_CASE("operators run on a policy of the application", "[concepts]") {
  int calls = 0;
  counting_policy const policy{&calls};
  tensor<int, 1> const input({5}, {10, 11, 12, 13, 14});
  tensor<std::int64_t, 2> const indices({3, 1}, {4, 0, -2});
  tensor<int, 1> gathered({3});
  ndx::gather_nd(policy, input, indices, gathered);
  CHECK(std::vector<int>(gathered.begin(), gathered.end()) == std::vector<int>{14, 10, 13});
  CHECK(calls > 0);

  int const calls_of_gather = std::exchange(calls, 0);
  CHECK(calls_of_gather > 0);
  tensor<int, 1> scattered({5});
  ndx::scatter_nd(policy, input, indices, gathered, scattered, {.reduction = ndx::reduction::add});
  CHECK(std::vector<int>(scattered.begin(), scattered.end()) == std::vector<int>{20, 11, 12, 26, 28});
  CHECK(calls > 0);
}
