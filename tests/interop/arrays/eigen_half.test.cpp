// SPDX-License-Identifier: MIT
#include <ndx/interop/eigen_core.hpp>

#include "../../support/any_policy.hpp"
#include "../../support/catch.hpp"

#include <ndx/ndx.hpp>
#include <ndx/vulkan/elements.hpp>

#include <bit>
#include <cstdint>
#include <random>
#include <type_traits>

using namespace test;

namespace {

static_assert(ndx::movable_elements<Eigen::Matrix<Eigen::half, 2, 2>>);
static_assert(ndx::plan::reducible<Eigen::half> && ndx::plan::reducible<Eigen::bfloat16>);
// The kernels of a device tell types apart by these.
static_assert(ndx::vulkan::element_kind_of<Eigen::half>() == ndx::vulkan::element_kind::half);
static_assert(ndx::vulkan::element_kind_of<Eigen::bfloat16>() == ndx::vulkan::element_kind::brain);
// Types of other libraries do not mix: which of them a program means is for the program to say.
static_assert(!ndx::same_value_type<Eigen::Matrix<Eigen::half, 2, 2>, ndx::tensor<ndx::float16, 2>>);

template <class T>
using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
std::uint16_t bits(T number) {
  return std::bit_cast<std::uint16_t>(number);
}

/// Eigen's own arithmetic: in float, and rounded to the type after every operation.
template <class T>
T reduced(ndx::reduction how, T element, T update) {
  if (how == ndx::reduction::add) return element + update;
  if (how == ndx::reduction::mul) return element * update;
  if (how == ndx::reduction::min) return update < element ? update : element;
  return element < update ? update : element;
}

/// Updates so many and so unlike that sums which are rounded only once differ.
template <class T>
void check_reductions(Eigen::Index places, Eigen::Index updates) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(0.5F, 2.0F);
  std::uniform_int_distribution<std::int32_t> place(0, static_cast<std::int32_t>(places) - 1);
  vector<T> const input = vector<T>::NullaryExpr(places, [&] { return T(number(random)); });
  vector<T> const values = vector<T>::NullaryExpr(updates, [&] { return T(number(random)); });
  vector<std::int32_t> const indices = vector<std::int32_t>::NullaryExpr(updates, [&] { return place(random); });

  for (ndx::reduction how : {ndx::reduction::add, ndx::reduction::mul, ndx::reduction::min, ndx::reduction::max}) {
    vector<T> due = input;
    for (Eigen::Index u = 0; u < updates; ++u) due(indices(u)) = reduced(how, due(indices(u)), values(u));
    for (any_policy const& policy : every_policy()) {
      INFO(policy.name() << ", reduction " << static_cast<int>(how));
      vector<T> output(places);
      ndx::scatter_elements(policy, input, indices, values, output,
                            {.reduction = how, .duplicates = ndx::duplicates::last});
      Eigen::Index differing = 0;
      for (Eigen::Index i = 0; i < places; ++i) differing += bits(output(i)) != bits(due(i)) ? 1 : 0;
      CHECK(differing == 0);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Eigen: 16-bit floating-point numbers are reduced as by Eigen's arithmetic", "", Eigen::half,
                   Eigen::bfloat16) {
  check_reductions<TestType>(7, 100);
  check_reductions<TestType>(3000, 40000);
}

TEMPLATE_TEST_CASE("Eigen: 16-bit floating-point numbers are gathered bit by bit, and filled", "", Eigen::half,
                   Eigen::bfloat16) {
  vector<TestType> input(3);
  input << TestType(1.5F), std::bit_cast<TestType>(std::uint16_t{0xffc1}), TestType(-0.0F);
  vector<std::int64_t> indices(4);
  indices << 2, 1, 9, 0;
  Eigen::Map<Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>> const tuples(indices.data(), 4, 1);
  for (any_policy const& policy : every_policy()) {
    INFO(policy.name());
    vector<TestType> output(4);
    ndx::gather_nd(policy, input, tuples, output, {.bounds = ndx::bounds::ignore, .fill = TestType(7.0F)});
    CHECK(bits(output(0)) == 0x8000);
    CHECK(bits(output(1)) == 0xffc1);
    CHECK(bits(output(2)) == bits(TestType(7.0F)));
    CHECK(bits(output(3)) == bits(TestType(1.5F)));
  }
}

TEST_CASE("Eigen: 16-bit floating-point numbers are added up by group") {
  // [half]
  using vector = Eigen::VectorX<Eigen::half>;
  vector sums = vector::Zero(2);
  vector const values = vector::Constant(3, Eigen::half(0.25f));
  Eigen::VectorXi const groups{{1, 0, 1}};
  ndx::scatter_elements(ndx::simd, sums, groups, values, sums, {.reduction = ndx::reduction::add});
  // [/half]
  CHECK(sums(0) == Eigen::half(0.25f));
  CHECK(sums(1) == Eigen::half(0.5f));
}
