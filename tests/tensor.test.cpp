// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <ndx/error.hpp>
#include <ndx/tensor.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace {

using ndx::index_t;
using ndx::tensor;

struct pixel {
  std::uint8_t red, green, blue;
  friend bool operator==(pixel const&, pixel const&) = default;
};

template <class T, std::size_t Rank>
bool is_aligned(tensor<T, Rank> const& t) {
  return reinterpret_cast<std::uintptr_t>(t.data()) % 64 == 0;
}

static_assert(std::is_nothrow_move_constructible_v<tensor<float, 2>>);
static_assert(std::is_nothrow_move_assignable_v<tensor<float, 2>>);
static_assert(std::is_copy_constructible_v<tensor<float, 2>>);
static_assert(std::is_copy_assignable_v<tensor<float, 2>>);
static_assert(std::is_same_v<decltype(std::declval<tensor<float, 2>&>().view()), ndx::tensor_view<float, 2>>);
static_assert(
    std::is_same_v<decltype(std::declval<tensor<float, 2> const&>().view()), ndx::tensor_view<float const, 2>>);
static_assert(std::is_same_v<decltype(std::declval<tensor<float, 2>&>()(0, 0)), float&>);
static_assert(std::is_same_v<decltype(std::declval<tensor<float, 2> const&>()(0, 0)), float const&>);

}  // namespace

TEST_CASE("a tensor owns packed, row-major elements", "[tensor]") {
  tensor<int, 3> t({2, 3, 4});
  CHECK(t.extents() == std::array<index_t, 3>{2, 3, 4});
  CHECK(t.end() - t.begin() == 24);
  std::iota(t.begin(), t.end(), 0);
  CHECK(t(0, 0, 0) == 0);
  CHECK(t(1, 2, 3) == 23);
  CHECK(t(1, 0, 2) == 14);
  CHECK(t.view().strides() == std::array<index_t, 3>{12, 4, 1});
  CHECK(t.view().data_handle() == t.data());
  CHECK(t.data() == &*t.begin());
  t(1, 2, 3) = -1;
  CHECK(t.data()[23] == -1);
}

TEMPLATE_TEST_CASE("a tensor is aligned to 64 bytes and initialised", "[tensor]", bool, std::uint8_t, std::int64_t,
                   float, std::complex<double>, pixel) {
  for (index_t rows : {1, 3, 17, 1000}) {
    // A used block first: fresh memory of the system is zero anyway.
    {
      tensor<TestType, 2> used({rows, 5});
      auto* bytes = reinterpret_cast<unsigned char*>(used.data());
      std::fill(bytes, bytes + static_cast<std::size_t>(rows) * 5 * sizeof(TestType), static_cast<unsigned char>(1));
    }
    tensor<TestType, 2> const t({rows, 5});
    CHECK(is_aligned(t));
    CHECK(std::all_of(t.begin(), t.end(), [](TestType const& element) { return element == TestType{}; }));
    CHECK(t.end() - t.begin() == rows * 5);
  }
}

TEST_CASE("a copy of a tensor has its own elements", "[tensor]") {
  tensor<int, 2> original({2, 3});
  std::iota(original.begin(), original.end(), 1);
  tensor<int, 2> copy = original;
  CHECK(copy.data() != original.data());
  CHECK(copy.extents() == original.extents());
  CHECK(is_aligned(copy));
  copy(0, 0) = 100;
  CHECK(original(0, 0) == 1);
  CHECK(copy(1, 2) == 6);

  tensor<int, 2> assigned({7, 7});
  assigned = original;
  CHECK(assigned.extents() == std::array<index_t, 2>{2, 3});
  CHECK(std::equal(assigned.begin(), assigned.end(), original.begin(), original.end()));
  CHECK(assigned.data() != original.data());

  auto const& same = assigned;
  assigned = same;
  CHECK(assigned(1, 2) == 6);
}

TEST_CASE("a moved tensor keeps its memory", "[tensor]") {
  tensor<int, 2> original({2, 3});
  std::iota(original.begin(), original.end(), 1);
  int const* const memory = original.data();
  tensor<int, 2> moved = std::move(original);
  CHECK(moved.data() == memory);
  CHECK(moved(1, 2) == 6);

  tensor<int, 2> assigned({7, 7});
  assigned = std::move(moved);
  CHECK(assigned.data() == memory);
  CHECK(assigned.extents() == std::array<index_t, 2>{2, 3});

  moved = assigned;  // a moved-from tensor can be assigned to
  CHECK(moved(1, 2) == 6);
}

TEST_CASE("a tensor of rank 0 is one element", "[tensor]") {
  tensor<double, 0> t(std::array<index_t, 0>{});
  CHECK(t() == 0.0);
  t() = 2.5;
  CHECK(t.end() - t.begin() == 1);
  CHECK(t.view()() == 2.5);
  CHECK(t.view().size() == 1);
}

TEST_CASE("a tensor with a zero extent has no elements", "[tensor]") {
  tensor<float, 3> const t({2, 0, 4});
  CHECK(t.begin() == t.end());
  CHECK(t.view().empty());
  CHECK(t.extents() == std::array<index_t, 3>{2, 0, 4});
  tensor<float, 3> copy = t;
  CHECK(copy.extents() == t.extents());
  CHECK(copy.begin() == copy.end());
}

TEST_CASE("a tensor of rank 8 reaches its last element", "[tensor]") {
  tensor<std::uint8_t, 8> t({2, 1, 2, 1, 2, 1, 2, 3});
  std::iota(t.begin(), t.end(), std::uint8_t{0});
  CHECK(t(1, 0, 1, 0, 1, 0, 1, 2) == 47);
}

TEST_CASE("impossible extents are a shape error", "[tensor]") {
  constexpr index_t largest = std::numeric_limits<index_t>::max();
  CHECK_THROWS_AS((tensor<float, 1>({-1})), ndx::shape_error);
  CHECK_THROWS_AS((tensor<float, 3>({2, -3, 0})), ndx::shape_error);
  CHECK_THROWS_AS((tensor<double, 1>({largest})), ndx::shape_error);
  CHECK_THROWS_AS((tensor<std::uint8_t, 2>({largest, 3})), ndx::shape_error);
  CHECK_THROWS_AS((tensor<std::uint8_t, 3>({largest, largest, largest})), ndx::shape_error);
}
