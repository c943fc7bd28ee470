// SPDX-License-Identifier: MIT
// What each error is, and what its text says. That the right extents are accepted, and index errors in all their
// places, are matters of the operators' own tests.
#include "support/catch.hpp"
#include "support/harness.hpp"
#include "support/policies.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using ndx::index_t;
using extents = std::array<index_t, 2>;
using matrix = ndx::tensor_view<float, 2>;
using index_matrix = ndx::tensor_view<std::int64_t, 2>;

constexpr auto lowest = std::numeric_limits<index_t>::min();
constexpr auto highest = std::numeric_limits<index_t>::max();

static_assert(std::is_base_of_v<std::runtime_error, ndx::error>);
static_assert(std::is_base_of_v<ndx::error, ndx::shape_error>);
static_assert(std::is_base_of_v<ndx::error, ndx::overlap_error>);
static_assert(std::is_base_of_v<ndx::error, ndx::unsupported_error>);
static_assert(std::is_base_of_v<ndx::error, ndx::index_error>);

/// Memory for the arguments of one call.
struct memory {
  std::vector<float> input = std::vector<float>(64, 1.0F);
  std::vector<std::int64_t> indices = std::vector<std::int64_t>(64, 0);
  std::vector<float> updates = std::vector<float>(64, 2.0F);
  std::vector<float> output = std::vector<float>(64, 3.0F);

  matrix in(extents e) { return {input.data(), e}; }
  index_matrix tuples(extents e) { return {indices.data(), e}; }
  matrix up(extents e) { return {updates.data(), e}; }
  matrix out(extents e) { return {output.data(), e}; }

  friend bool operator==(memory const&, memory const&) = default;
};

/// Every policy throws this error, its text says all that, and no memory has been touched.
template <class Error, class Call>
void expect(std::initializer_list<std::string> words, Call call) {
  test::for_each_policy([&](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    memory m;
    memory const before = m;
    try {
      call(policy, m);
      FAIL_CHECK("there was no error");
    } catch (Error const& error) {
      INFO("text: " << error.what());
      for (std::string const& word : words) {
        INFO("due in the text: " << word);
        CHECK(test::mentions(error.what(), word));
      }
    } catch (std::exception const& error) {
      FAIL_CHECK("another error: " << error.what());
    }
    CHECK(m == before);
  });
}

/// No policy throws.
template <class Call>
void expect_none(Call call) {
  test::for_each_policy([&](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    memory m;
    CHECK_NOTHROW(call(policy, m));
  });
}

template <class Error>
void expect_gather(std::initializer_list<std::string> words, extents input, extents indices, extents output) {
  expect<Error>(words, [=](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in(input), m.tuples(indices), m.out(output));
  });
}

template <class Error>
void expect_batched(std::initializer_list<std::string> words, extents input, extents indices, extents output,
                    index_t batch_dims) {
  expect<Error>(words, [=](auto const& policy, memory& m) {
    ndx::gather_nd1(policy, m.in(input), m.tuples(indices), m.out(output), {.batch_dims = batch_dims});
  });
}

template <class Error>
void expect_scatter(std::initializer_list<std::string> words, extents input, extents indices, extents updates,
                    extents output) {
  expect<Error>(words, [=](auto const& policy, memory& m) {
    ndx::scatter_nd(policy, m.in(input), m.tuples(indices), m.up(updates), m.out(output));
  });
}

template <class Error>
void expect_elements(std::initializer_list<std::string> words, extents input, extents indices, extents updates,
                     extents output, index_t axis) {
  expect<Error>(words, [=](auto const& policy, memory& m) {
    ndx::scatter_elements(policy, m.in(input), m.tuples(indices), m.up(updates), m.out(output), {.axis = axis});
  });
}

template <class Error>
void expect_slice(std::initializer_list<std::string> words, extents input, extents output,
                  ndx::slice1_options<2> const& options) {
  expect<Error>(words,
                [=](auto const& policy, memory& m) { ndx::slice1(policy, m.in(input), m.out(output), options); });
}

}  // namespace

// ---- shapes ---------------------------------------------------------------------------------------------------------

TEST_CASE("A shape error of an output names the operator, the output, the extents seen and the extents due") {
  expect_gather<ndx::shape_error>({"gather_nd", "output", "{3, 7}", "{2, 7}"}, {5, 7}, {2, 1}, {3, 7});
  expect_batched<ndx::shape_error>({"gather_nd1", "output", "{4, 7}", "{5, 7}"}, {6, 7}, {5, 1}, {4, 7}, 0);
  expect_scatter<ndx::shape_error>({"scatter_nd", "output", "{7, 5}", "{5, 7}"}, {5, 7}, {2, 1}, {2, 7}, {7, 5});
  expect_elements<ndx::shape_error>({"scatter_elements", "output", "{7, 5}", "{5, 7}"}, {5, 7}, {2, 7}, {2, 7}, {7, 5},
                                    0);
}

TEST_CASE("A shape error of updates names the operator, the updates, the extents seen and the extents due") {
  expect_scatter<ndx::shape_error>({"scatter_nd", "updates", "{3, 7}", "{2, 7}"}, {5, 7}, {2, 1}, {3, 7}, {5, 7});
  expect_elements<ndx::shape_error>({"scatter_elements", "updates", "{3, 7}", "{2, 7}"}, {5, 7}, {2, 7}, {3, 7}, {5, 7},
                                    0);
}

TEST_CASE("A shape error of tuples names the indices, how many coordinates there are and how many may be") {
  expect_gather<ndx::shape_error>({"gather_nd", "indices", "{2, 3}", "3", "1", "2"}, {5, 7}, {2, 3}, {2, 7});
  expect_gather<ndx::shape_error>({"gather_nd", "indices", "{2, 0}", "0", "1", "2"}, {5, 7}, {2, 0}, {2, 7});
  expect_batched<ndx::shape_error>({"gather_nd1", "indices", "{5, 2}", "2", "1"}, {5, 7}, {5, 2}, {5, 7}, 1);
  expect_scatter<ndx::shape_error>({"scatter_nd", "indices", "{2, 4}", "4", "1", "2"}, {5, 7}, {2, 4}, {2, 7}, {5, 7});
}

TEST_CASE("A shape error of batch dimensions names them and what they may be") {
  expect_batched<ndx::shape_error>({"gather_nd1", "batch_dims", "-1", "2"}, {5, 7}, {5, 1}, {5, 7}, -1);
  expect_batched<ndx::shape_error>({"gather_nd1", "batch_dims", "2"}, {5, 7}, {5, 1}, {5, 7}, 2);
  expect_batched<ndx::shape_error>({"gather_nd1", "batch_dims", std::to_string(highest)}, {5, 7}, {5, 1}, {5, 7},
                                   highest);
  expect_batched<ndx::shape_error>({"gather_nd1", "indices", "6", "5", "{6, 1}", "{5, 7}"}, {5, 7}, {6, 1}, {6, 1}, 1);
}

TEST_CASE("A shape error of an axis names it and what it may be") {
  for (index_t axis : {index_t{2}, index_t{-3}, lowest, highest})
    expect_elements<ndx::shape_error>({"scatter_elements", "axis", std::to_string(axis), "-2", "1"}, {5, 7}, {2, 7},
                                      {2, 7}, {5, 7}, axis);
}

TEST_CASE("scatter_elements: a shape error of indices names the dimension, its extent and the input's") {
  expect_elements<ndx::shape_error>({"scatter_elements", "indices", "8", "7", "{2, 8}"}, {5, 7}, {2, 8}, {2, 8}, {5, 7},
                                    0);
  expect<ndx::shape_error>({"scatter_elements", "indices", "1", "2"}, [](auto const& policy, memory& m) {
    ndx::scatter_elements(policy, m.in({5, 7}), ndx::tensor_view{m.indices.data(), {4}}, m.up({1, 4}), m.out({5, 7}));
  });
}

TEST_CASE("The operators that address axes refuse tensors of rank 0") {
  expect<ndx::shape_error>({"gather_nd", "input", "rank", "0"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, ndx::tensor_view<float, 0>(m.input.data(), {}), m.tuples({2, 1}), m.out({2, 1}));
  });
  expect<ndx::shape_error>({"gather_nd", "indices", "rank", "0"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 7}), ndx::tensor_view<std::int64_t, 0>(m.indices.data(), {}), m.out({2, 1}));
  });
}

TEST_CASE("slice1: a shape error names the dimension") {
  using options = ndx::slice1_options<2>;
  auto const with = [](index_t offset, index_t size, index_t stride) {
    return options{.offsets = {0, offset}, .sizes = {5, size}, .strides = {1, stride}};
  };
  expect_slice<ndx::shape_error>({"slice1", "strides", "0", "dimension 1"}, {5, 7}, {5, 4}, with(0, 4, 0));
  expect_slice<ndx::shape_error>({"slice1", "sizes", "0", "dimension 1"}, {5, 7}, {5, 4}, with(0, 0, 1));
  expect_slice<ndx::shape_error>({"slice1", "sizes", "-4", "dimension 1"}, {5, 7}, {5, 4}, with(0, -4, 1));
  expect_slice<ndx::shape_error>({"slice1", "offsets", "sizes", "4", "6", "7", "dimension 1"}, {5, 7}, {5, 4},
                                 with(4, 6, 1));
  expect_slice<ndx::shape_error>({"slice1", "offsets", "-2", "7", "dimension 1"}, {5, 7}, {5, 4}, with(-2, 4, 1));
  expect_slice<ndx::shape_error>({"slice1", std::to_string(highest), "7", "dimension 1"}, {5, 7}, {5, 4},
                                 with(highest, 4, 1));
  expect_slice<ndx::shape_error>({"slice1", std::to_string(highest), "7", "dimension 1"}, {5, 7}, {5, 4},
                                 with(4, highest, 1));
  expect_slice<ndx::shape_error>({"slice1", "output", "dimension 1", "4", "3"}, {5, 7}, {5, 4}, with(1, 5, 2));
  expect_slice<ndx::shape_error>({"slice1", "output", "dimension 1", "4", "3"}, {5, 7}, {5, 4}, with(1, 5, -2));
  expect_slice<ndx::shape_error>({"slice1", "output", "dimension 1", "0", "3"}, {5, 7}, {5, 0}, with(1, 5, 2));
}

// ---- layouts --------------------------------------------------------------------------------------------------------

TEST_CASE("A negative extent is a shape error that names the argument") {
  expect_gather<ndx::shape_error>({"gather_nd", "input", "{-5, 7}"}, {-5, 7}, {2, 1}, {2, 7});
  expect_gather<ndx::shape_error>({"gather_nd", "indices", "{-2, 1}"}, {5, 7}, {-2, 1}, {2, 7});
  expect_gather<ndx::shape_error>({"gather_nd", "output", "{2, -7}"}, {5, 7}, {2, 1}, {2, -7});
  expect_scatter<ndx::shape_error>({"scatter_nd", "updates", "{-2, 7}"}, {5, 7}, {2, 1}, {-2, 7}, {5, 7});
}

TEST_CASE("Elements at a null pointer are a shape error, an empty tensor there is none") {
  expect<ndx::shape_error>({"gather_nd", "input", "null"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, matrix{nullptr, {5, 7}}, m.tuples({2, 1}), m.out({2, 7}));
  });
  expect<ndx::shape_error>({"gather_nd", "indices", "null"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 7}), index_matrix{nullptr, {2, 1}}, m.out({2, 7}));
  });
  expect<ndx::shape_error>({"gather_nd", "output", "null"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 7}), m.tuples({2, 1}), matrix{nullptr, {2, 7}});
  });
  expect<ndx::shape_error>({"scatter_elements", "updates", "null"}, [](auto const& policy, memory& m) {
    ndx::scatter_elements(policy, m.in({5, 7}), m.tuples({2, 7}), matrix{nullptr, {2, 7}}, m.out({5, 7}));
  });
  expect_none([](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 7}), index_matrix{nullptr, {0, 1}}, matrix{nullptr, {0, 7}});
    ndx::gather_nd(policy, matrix{nullptr, {5, 0}}, m.tuples({2, 1}), matrix{nullptr, {2, 0}});
    ndx::scatter_nd(policy, m.in({5, 7}), index_matrix{nullptr, {0, 1}}, matrix{nullptr, {0, 7}}, m.out({5, 7}));
  });
}

TEST_CASE("Extents and strides whose byte offsets do not fit 64 bit are a shape error before any access") {
  constexpr index_t half = index_t{1} << 32;
  expect_gather<ndx::shape_error>({"gather_nd", "input", std::to_string(half)}, {half, half}, {2, 1}, {2, 7});
  expect_gather<ndx::shape_error>({"gather_nd", "input", std::to_string(highest)}, {highest, 1}, {2, 1}, {2, 1});
  for (extents const strides :
       {extents{highest, 1}, extents{lowest, 1}, extents{highest / 8, 1}, extents{-highest / 8, 1}})
    expect<ndx::shape_error>({"gather_nd", "input", std::to_string(strides[0])}, [=](auto const& policy, memory& m) {
      ndx::gather_nd(policy, matrix{m.input.data(), {5, 7}, strides}, m.tuples({2, 1}), m.out({2, 7}));
    });
  expect<ndx::shape_error>({"scatter_nd", "output", std::to_string(highest)}, [](auto const& policy, memory& m) {
    ndx::scatter_nd(policy, m.in({5, 7}), m.tuples({2, 1}), m.up({2, 7}),
                    matrix{m.output.data(), {5, 7}, {highest, 1}});
  });
  expect<ndx::shape_error>({"slice1", "output", std::to_string(lowest)}, [](auto const& policy, memory& m) {
    ndx::slice1(policy, m.in({5, 7}), matrix{m.output.data(), {5, 7}, {lowest, 1}}, {.sizes = {5, 7}});
  });
}

TEST_CASE("The stride of a dimension with one element, or of an empty tensor, may be anything") {
  for (index_t stride : {lowest, highest, index_t{0}, index_t{-1}})
    expect_none([=](auto const& policy, memory& m) {
      ndx::gather_nd(policy, matrix{m.input.data(), {1, 7}, {stride, 1}},
                     index_matrix{m.indices.data(), {1, 1}, {stride, stride}},
                     matrix{m.output.data(), {1, 7}, {stride, 1}});
      for (std::size_t i = 0; i < 7; ++i) CHECK(m.output[i] == m.input[i]);
      ndx::gather_nd(policy, m.in({5, 0}), m.tuples({3, 1}), matrix{m.output.data(), {3, 0}, {stride, stride}});
    });
}

// ---- overlaps -------------------------------------------------------------------------------------------------------

TEST_CASE("An output that shares memory with another argument is an overlap error that names it") {
  expect<ndx::overlap_error>({"gather_nd", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 4}), m.tuples({5, 1}), matrix{m.input.data() + 19, {5, 4}});
  });
  expect<ndx::overlap_error>({"gather_nd", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 4}), m.tuples({5, 1}),
                   m.in({5, 4}));  // no operator but the scatters works in place
  });
  expect<ndx::overlap_error>({"gather_nd1", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::gather_nd1(policy, matrix{m.input.data() + 10, {5, 2}}, m.tuples({5, 1}),
                    matrix{m.input.data() + 19, {5, 2}, {-2, 1}});
  });
  expect<ndx::overlap_error>({"slice1", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::slice1(policy, m.in({5, 4}), matrix{m.input.data() + 4, {4, 4}}, {.sizes = {4, 4}});
  });
  expect<ndx::overlap_error>({"scatter_nd", "output", "updates"}, [](auto const& policy, memory& m) {
    ndx::scatter_nd(policy, m.in({5, 4}), m.tuples({2, 1}), m.up({2, 4}), matrix{m.updates.data() + 7, {5, 4}});
  });
  expect<ndx::overlap_error>({"scatter_elements", "output", "updates"}, [](auto const& policy, memory& m) {
    ndx::scatter_elements(policy, m.in({5, 4}), m.tuples({5, 4}), m.up({5, 4}), m.up({5, 4}));
  });
  expect<ndx::overlap_error>({"gather_nd", "output", "indices"}, [](auto const& policy, memory& m) {
    index_matrix const table{m.indices.data() + 32, {5, 4}};
    ndx::gather_nd(policy, table, m.tuples({2, 1}), index_matrix{m.indices.data() + 1, {2, 4}});
  });
}

TEST_CASE("An output beside the other arguments does not overlap them") {
  expect_none([](auto const& policy, memory& m) {
    ndx::gather_nd(policy, m.in({5, 4}), m.tuples({5, 1}), matrix{m.input.data() + 20, {5, 4}});
    ndx::gather_nd(policy, matrix{m.input.data() + 20, {5, 4}}, m.tuples({5, 1}), m.in({5, 4}));
  });
}

TEST_CASE("A scatter whose output is its input in another layout is an overlap error") {
  expect<ndx::overlap_error>({"scatter_nd", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::scatter_nd(policy, m.in({5, 5}), m.tuples({2, 1}), m.up({2, 5}), m.in({5, 5}).permuted({1, 0}));
  });
  expect<ndx::overlap_error>({"scatter_nd", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::scatter_nd(policy, m.in({5, 5}), m.tuples({2, 1}), m.up({2, 5}), m.in({5, 5}).reversed(0));
  });
  expect<ndx::overlap_error>({"scatter_elements", "output", "input"}, [](auto const& policy, memory& m) {
    ndx::scatter_elements(policy, m.in({5, 5}), m.tuples({2, 5}), m.up({2, 5}), matrix{m.input.data() + 1, {5, 5}});
  });
}

TEST_CASE("A scatter with one view as input and output works in place") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    memory m;
    std::iota(m.input.begin(), m.input.end(), 0.0F);
    m.indices[0] = 2;
    memory expected = m;
    for (std::size_t i = 0; i < 4; ++i) expected.input[2 * 4 + i] = m.updates[i];
    ndx::scatter_nd(policy, m.in({5, 4}), m.tuples({1, 1}), m.up({1, 4}), m.in({5, 4}));
    CHECK(m == expected);
    // Leading ones do not make another view of it.
    m.indices[0] = 1;
    for (std::size_t i = 0; i < 4; ++i) expected.input[4 + i] = m.updates[i];
    expected.indices[0] = 1;
    ndx::scatter_nd(policy, m.in({5, 4}), m.tuples({1, 1}), m.up({1, 4}),
                    ndx::tensor_view<float, 3>{m.input.data(), {1, 5, 4}});
    CHECK(m == expected);
  });
}

TEST_CASE("An output that reaches an element twice is an overlap error") {
  for (extents const strides :
       {extents{0, 1}, extents{4, 0}, extents{1, 1}, extents{3, 1}, extents{-1, 1}, extents{2, 3}}) {
    expect<ndx::overlap_error>({"gather_nd", "output", "{5, 4}"}, [=](auto const& policy, memory& m) {
      ndx::gather_nd(policy, m.in({5, 4}), m.tuples({5, 1}), matrix{m.output.data() + 32, {5, 4}, strides});
    });
    expect<ndx::overlap_error>({"slice1", "output", "{5, 4}"}, [=](auto const& policy, memory& m) {
      ndx::slice1(policy, m.in({5, 4}), matrix{m.output.data() + 32, {5, 4}, strides}, {.sizes = {5, 4}});
    });
    expect<ndx::overlap_error>({"scatter_nd", "output", "{5, 4}"}, [=](auto const& policy, memory& m) {
      matrix const twice{m.output.data() + 32, {5, 4}, strides};
      ndx::scatter_nd(policy, twice, m.tuples({2, 1}), m.up({2, 4}), twice);  // in place is no excuse
    });
  }
}

TEST_CASE("An output whose strides interleave without meeting is no overlap") {
  for (extents const strides :
       {extents{1, 5}, extents{4, 1}, extents{-4, 1}, extents{4, 5}, extents{2, 11}, extents{-2, -11}})
    expect_none([=](auto const& policy, memory& m) {
      ndx::gather_nd(policy, m.in({5, 4}), m.tuples({5, 1}),
                     matrix{m.output.data() + (strides[1] < 0 ? 63 : 20), {5, 4}, strides});
    });
}

// ---- unsupported ----------------------------------------------------------------------------------------------------

TEMPLATE_TEST_CASE("A reduction on a type that has none is an unsupported error that names it", "", bool,
                   std::complex<float>, test::pixel) {
  test::for_each_policy<TestType>([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    std::array<TestType, 4> elements{};
    std::array<TestType, 2> updates{};
    std::array<std::int64_t, 2> const indices{1, 9};  // the second is bad, but nobody gets as far as reading it
    ndx::tensor_view const view{elements.data(), {4}};
    ndx::tensor_view const update_view{updates.data(), {2}};
    for (ndx::reduction op : {ndx::reduction::add, ndx::reduction::mul, ndx::reduction::min, ndx::reduction::max,
                              ndx::reduction::sub, ndx::reduction::mean}) {
      auto const check = [](auto call, std::string const& operator_name) {
        try {
          call();
          FAIL_CHECK("there was no error");
        } catch (ndx::unsupported_error const& error) {
          INFO("text: " << error.what());
          CHECK(test::mentions(error.what(), operator_name));
          CHECK(test::mentions(error.what(), "reduction"));
        }
      };
      check(
          [&] {
            ndx::scatter_nd(policy, view, ndx::tensor_view{indices.data(), {2, 1}}, update_view, view,
                            {.reduction = op});
          },
          "scatter_nd");
      check(
          [&] {
            ndx::scatter_elements(policy, view, ndx::tensor_view{indices.data(), {2}}, update_view, view,
                                  {.reduction = op});
          },
          "scatter_elements");
    }
  });
}

TEST_CASE("A number that names no reduction is an unsupported error that shows it") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    float const update = 1;
    std::int32_t const index = 0;
    float element = 0;
    try {
      ndx::scatter_elements(policy, ndx::tensor_view{&element, {1}}, ndx::tensor_view{&index, {1}},
                            ndx::tensor_view{&update, {1}}, ndx::tensor_view{&element, {1}},
                            {.reduction = static_cast<ndx::reduction>(7)});
      FAIL_CHECK("there was no error");
    } catch (ndx::unsupported_error const& error) {
      CHECK(test::mentions(error.what(), "scatter_elements: reduction: 7 is none; due is one of none, add, "));
    }
  });
}

TEST_CASE("An instruction set that the processor lacks is an unsupported error on use") {
  for (ndx::instruction_set set :
       {ndx::instruction_set::baseline, ndx::instruction_set::avx2, ndx::instruction_set::avx512}) {
    memory m;
    auto const call = [&](auto const& policy) {
      ndx::gather_nd(policy, m.in({5, 4}), m.tuples({5, 1}), m.out({5, 4}));
    };
    if (ndx::supported(set)) {
      CHECK_NOTHROW(call(ndx::simd.with(set)));
      CHECK_NOTHROW(call(ndx::par_simd.with(set)));
    } else {
      CHECK_THROWS_AS(call(ndx::simd.with(set)), ndx::unsupported_error);
      CHECK_THROWS_AS(call(ndx::par_simd.with(set)), ndx::unsupported_error);
    }
  }
}

// ---- indices --------------------------------------------------------------------------------------------------------

TEST_CASE("An index error can be caught as what it is, and tells the rest to who asks") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    memory m;
    std::array<std::uint64_t, 4> const indices{0, 1, 2, 18446744073709551615U};
    try {
      ndx::gather_nd(policy, m.in({5, 4}), ndx::tensor_view{indices.data(), {2, 2}},
                     ndx::tensor_view{m.output.data(), {2}});
      FAIL_CHECK("there was no error");
    } catch (ndx::index_error const& error) {
      INFO("text: " << error.what());
      CHECK(error.position() == std::vector<index_t>{1, 1});
      CHECK(error.axis() == 1);
      CHECK(error.value() == -1);  // the bits as read
      CHECK(error.extent() == 4);
      CHECK(test::mentions(error.what(), "18446744073709551615"));
      CHECK(test::mentions(error.what(), "{1, 1}"));
    }
  });
}

namespace {

/// The text of the index error that `call` throws, with all that it tells; empty: there was none.
template <class Call>
std::string index_failure(Call const& call) {
  try {
    call();
  } catch (ndx::index_error const& error) {
    std::string text = error.what();
    for (index_t coordinate : error.position()) text += " " + std::to_string(coordinate);
    for (index_t number : {error.axis(), error.value(), error.extent()}) text += ", " + std::to_string(number);
    return text;
  }
  return {};
}

}  // namespace

TEST_CASE("A scatter that meets bad indices says of the first what every policy says, and writes nothing") {
  // Of the tuples into {5, 4} the second and the third are bad; along axis 1 of {5, 4} the fourth index and the last.
  std::array<std::int32_t, 6> const tuples{3, 1, 4, 4, 0, -5};
  std::array<std::uint64_t, 6> const columns{0, 3, 1, std::uint64_t{1} << 63U, 2, 8};
  auto const scatter_nd = [&](auto const& policy, memory& m, matrix output, auto reduction, auto duplicates) {
    ndx::scatter_nd(policy, m.in({5, 4}), ndx::tensor_view{tuples.data(), {3, 2}},
                    ndx::tensor_view{m.updates.data(), {3}}, output,
                    {.reduction = reduction, .duplicates = duplicates});
  };
  auto const scatter_elements = [&](auto const& policy, memory& m, matrix output, auto reduction, auto duplicates) {
    ndx::scatter_elements(policy, m.in({5, 4}), ndx::tensor_view{columns.data(), {3, 2}}, m.up({3, 2}), output,
                          {.axis = 1, .reduction = reduction, .duplicates = duplicates});
  };
  test::for_each_policy([&](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    for (bool const in_place : {false, true}) {
      for (auto reduction : {ndx::reduction::none, ndx::reduction::add, ndx::reduction::max}) {
        for (auto duplicates : {ndx::duplicates::any, ndx::duplicates::last}) {
          auto const failure = [&](auto const& scatter, auto const& by) {
            memory m;
            memory const before = m;
            std::string const text = index_failure([&] {
              scatter(by, m, in_place ? m.in({5, 4}) : m.out({5, 4}), reduction, duplicates);
            });
            CHECK(m == before);
            return text;
          };
          CHECK(failure(scatter_nd, policy) == failure(scatter_nd, ndx::seq));
          CHECK(test::mentions(failure(scatter_nd, policy), "{1, 1}"));
          CHECK(failure(scatter_elements, policy) == failure(scatter_elements, ndx::seq));
          CHECK(test::mentions(failure(scatter_elements, policy), "9223372036854775808"));
        }
      }
    }
  });
}

TEST_CASE("A shape error comes before an index error, and an unsupported reduction before both") {
  expect<ndx::shape_error>({"gather_nd"}, [](auto const& policy, memory& m) {
    std::array<std::int64_t, 2> const bad{99, 99};
    ndx::gather_nd(policy, m.in({5, 4}), ndx::tensor_view{bad.data(), {2, 1}}, m.out({2, 5}));
  });
}
