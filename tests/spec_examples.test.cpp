// SPDX-License-Identifier: MIT
// The worked examples of the specification: each is a function of a policy, so that it runs in a constant expression,
// where the compiler finds every access out of range, and again on every policy.
#include "support/catch.hpp"
#include "support/policies.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace {

template <std::size_t Size, class T = float>
constexpr std::array<T, Size> counting_from(T first) {
  std::array<T, Size> result{};
  for (T& element : result) element = first++;
  return result;
}

struct gather_rows {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    std::array<float, 4> const input{0, 1, 2, 3};
    std::array<std::int32_t, 2> const indices{1, 0};
    std::array<float, 4> output{};
    ndx::gather_nd(policy, ndx::tensor_view{input.data(), {2, 2}}, ndx::tensor_view{indices.data(), {2, 1}},
                   ndx::tensor_view{output.data(), {2, 2}});
    return output == std::array<float, 4>{2, 3, 0, 1};
  }
};

struct gather_rows_of_a_cube {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<8>(0.0F);
    std::array<std::int64_t, 4> const indices{0, 1, 1, 0};
    std::array<float, 4> output{};
    ndx::gather_nd(policy, ndx::tensor_view{input.data(), {2, 2, 2}}, ndx::tensor_view{indices.data(), {2, 2}},
                   ndx::tensor_view{output.data(), {2, 2}});
    return output == std::array<float, 4>{2, 3, 4, 5};
  }
};

/// The output extents are {1,2,6,7}: the input's after the three coordinates.
struct gather_from_rank_5 {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<3 * 4 * 5 * 6 * 7>(0);
    std::array<std::uint32_t, 6> const indices{2, 3, 4, 0, 1, 0};
    std::array<int, 84> output{};
    ndx::gather_nd(policy, ndx::tensor_view{input.data(), {3, 4, 5, 6, 7}}, ndx::tensor_view{indices.data(), {1, 2, 3}},
                   ndx::tensor_view{output.data(), {1, 2, 6, 7}});
    bool right = true;
    for (int i = 0; i < 42; ++i) {
      right = right && output[static_cast<std::size_t>(i)] == 59 * 42 + i;
      right = right && output[static_cast<std::size_t>(42 + i)] == 5 * 42 + i;
    }
    return right;
  }
};

struct gather_in_batches {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<12>(0.0F);
    std::array<std::int32_t, 12> const indices{0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0};
    std::array<float, 6> output{};
    ndx::gather_nd1(policy, ndx::tensor_view{input.data(), {3, 2, 2}}, ndx::tensor_view{indices.data(), {3, 2, 2}},
                    ndx::tensor_view{output.data(), {3, 2}}, {.batch_dims = 1});
    return output == std::array<float, 6>{0, 3, 7, 4, 9, 10};
  }
};

struct slice_with_strides {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<16>(1.0F);
    std::array<float, 4> output{};
    ndx::slice1(policy, ndx::tensor_view{input.data(), {1, 1, 4, 4}}, ndx::tensor_view{output.data(), {1, 1, 2, 2}},
                {.offsets = {0, 0, 0, 1}, .sizes = {1, 1, 4, 3}, .strides = {1, 1, 2, 2}});
    return output == std::array<float, 4>{2, 4, 10, 12};
  }
};

struct slice_backwards {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<16>(1.0F);
    std::array<float, 4> output{};
    ndx::slice1(policy, ndx::tensor_view{input.data(), {1, 1, 4, 4}}, ndx::tensor_view{output.data(), {1, 1, 2, 2}},
                {.offsets = {0, 0, 0, 1}, .sizes = {1, 1, 4, 3}, .strides = {1, 1, -2, 2}});
    return output == std::array<float, 4>{14, 16, 6, 8};
  }
};

struct scatter_four_elements {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<8>(1.0F);
    std::array<std::int64_t, 4> const indices{4, 3, 1, 7};
    std::array<float, 4> const updates{9, 10, 11, 12};
    std::array<float, 8> output{};
    ndx::scatter_nd(policy, ndx::tensor_view{input.data(), {8}}, ndx::tensor_view{indices.data(), {4, 1}},
                    ndx::tensor_view{updates.data(), {4}}, ndx::tensor_view{output.data(), {8}});
    return output == std::array<float, 8>{1, 11, 3, 10, 9, 6, 7, 12};
  }
};

struct scatter_elements_with_a_duplicate {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<5>(0.0F);
    std::array<std::int32_t, 4> const indices{3, 1, 3, 0};
    std::array<float, 4> const updates{5, 6, 7, 8};
    std::array<float, 5> output{};
    ndx::scatter_elements(policy, ndx::tensor_view{input.data(), {5}}, ndx::tensor_view{indices.data(), {4}},
                          ndx::tensor_view{updates.data(), {4}}, ndx::tensor_view{output.data(), {5}},
                          {.axis = 0, .duplicates = ndx::duplicates::last});
    return output == std::array<float, 5>{8, 6, 2, 7, 4};
  }
};

struct scatter_elements_along_columns {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    std::array<float, 9> const input{};
    std::array<std::uint64_t, 6> const indices{1, 0, 2, 0, 2, 1};
    std::array<float, 6> const updates{10, 11, 12, 20, 21, 22};
    std::array<float, 9> output{};
    ndx::scatter_elements(policy, ndx::tensor_view{input.data(), {3, 3}}, ndx::tensor_view{indices.data(), {2, 3}},
                          ndx::tensor_view{updates.data(), {2, 3}}, ndx::tensor_view{output.data(), {3, 3}},
                          {.axis = 0});
    return output == std::array<float, 9>{20, 11, 0, 10, 0, 22, 0, 21, 12};
  }
};

/// The smallest update of each place: what was there before takes no part, but stays where no update goes.
struct scatter_elements_without_themselves {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<5>(1.0F);
    std::array<std::int32_t, 4> const indices{3, 1, 3, -5};
    std::array<float, 4> const updates{5, 6, 7, 8};
    std::array<float, 5> output{};
    ndx::scatter_elements(policy, ndx::tensor_view{input.data(), {5}}, ndx::tensor_view{indices.data(), {4}},
                          ndx::tensor_view{updates.data(), {4}}, ndx::tensor_view{output.data(), {5}},
                          {.axis = 0, .reduction = ndx::reduction::min, .include_self = false});
    return output == std::array<float, 5>{8, 6, 3, 5, 5};
  }
};

/// The inverse of a scatter along an axis: what went to a place is read from there.
struct gather_elements_along_columns {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    std::array<float, 9> const input{20, 11, 0, 10, 0, 22, 0, 21, 12};
    std::array<std::uint64_t, 6> const indices{1, 0, 2, 0, 2, 1};
    std::array<float, 6> output{};
    ndx::gather_elements(policy, ndx::tensor_view{input.data(), {3, 3}}, ndx::tensor_view{indices.data(), {2, 3}},
                         ndx::tensor_view{output.data(), {2, 3}}, {.axis = 0});
    return output == std::array<float, 6>{10, 11, 12, 20, 21, 22};
  }
};

/// Columns of a matrix by indices of rank 2, and a row by one index of rank 0.
struct take_columns_and_a_row {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    std::array<float, 6> const input{0, 1, 2, 10, 11, 12};
    ndx::tensor_view const matrix(input.data(), {2, 3});
    std::array<std::int32_t, 4> const indices{2, 0, -1, 1};
    std::array<float, 8> columns{};
    ndx::take(policy, matrix, ndx::tensor_view{indices.data(), {2, 2}}, ndx::tensor_view{columns.data(), {2, 2, 2}},
              {.axis = 1});
    std::int64_t const last = -1;
    std::array<float, 3> row{};
    ndx::take(policy, matrix, ndx::tensor_view<std::int64_t const, 0>(&last, {}), ndx::tensor_view{row.data(), {3}});
    return columns == std::array<float, 8>{2, 0, 2, 1, 12, 10, 12, 11} && row == std::array<float, 3>{10, 11, 12};
  }
};

/// x[-2:, ::-2] of Python, without a copy and with one, and an empty slice.
struct slice_as_python_does {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<15>(0.0F);
    ndx::tensor_view const matrix(input.data(), {3, 5});
    ndx::slice_options<2> const options{.starts = {-2}, .steps = {std::nullopt, -2}};
    std::array<float, 6> output{};
    ndx::slice(policy, matrix, ndx::tensor_view{output.data(), {2, 3}}, options);
    std::array<float, 1> untouched{77};
    ndx::slice(policy, matrix, ndx::tensor_view{untouched.data(), {0, 5}}, {.starts = {7}});
    auto const view = matrix.sliced(options);
    return output == std::array<float, 6>{9, 7, 5, 14, 12, 10} && untouched[0] == 77 &&
           view.extents() == std::array<ndx::index_t, 2>{2, 3} && view(1, 2) == 10 &&
           matrix.sliced({.starts = {7}}).empty();
  }
};

struct flip_rows {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    auto const input = counting_from<6>(0.0F);
    std::array<float, 6> rows{};
    ndx::flip(policy, ndx::tensor_view{input.data(), {2, 3}}, ndx::tensor_view{rows.data(), {2, 3}}, {.axes = {-1}});
    std::array<float, 6> all{};
    ndx::flip(policy, ndx::tensor_view{input.data(), {2, 3}}, ndx::tensor_view{all.data(), {2, 3}});
    return rows == std::array<float, 6>{2, 1, 0, 5, 4, 3} && all == std::array<float, 6>{5, 4, 3, 2, 1, 0};
  }
};

/// Where slice_backwards has read, and in its order.
struct gradient_of_a_slice {
  template <class Policy>
  constexpr bool operator()(Policy const& policy) const {
    std::array<float, 4> const input{1, 2, 3, 4};
    auto output = counting_from<16>(1.0F);
    ndx::slice_grad(policy, ndx::tensor_view{input.data(), {1, 1, 2, 2}}, ndx::tensor_view{output.data(), {1, 1, 4, 4}},
                    {.offsets = {0, 0, 0, 1}, .sizes = {1, 1, 4, 3}, .strides = {1, 1, -2, 2}});
    return output == std::array<float, 16>{0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 1, 0, 2};
  }
};

static_assert(slice_as_python_does{}(ndx::seq));
static_assert(flip_rows{}(ndx::seq));
static_assert(gradient_of_a_slice{}(ndx::seq));
static_assert(take_columns_and_a_row{}(ndx::seq));
static_assert(gather_elements_along_columns{}(ndx::seq));
static_assert(gather_rows{}(ndx::seq));
static_assert(gather_rows_of_a_cube{}(ndx::seq));
static_assert(gather_from_rank_5{}(ndx::seq));
static_assert(gather_in_batches{}(ndx::seq));
static_assert(slice_with_strides{}(ndx::seq));
static_assert(slice_backwards{}(ndx::seq));
static_assert(scatter_four_elements{}(ndx::seq));
static_assert(scatter_elements_with_a_duplicate{}(ndx::seq));
static_assert(scatter_elements_along_columns{}(ndx::seq));
static_assert(scatter_elements_without_themselves{}(ndx::seq));

// More of what only a constant expression shows: no access out of range where the answer is to clamp, wrap, fill or
// skip.

template <class I>
constexpr std::array<int, 4> gathered(std::array<I, 4> const& indices, ndx::bounds mode) {
  std::array<int, 3> const input{10, 11, 12};
  std::array<int, 4> output{};
  ndx::gather_nd(ndx::seq, ndx::tensor_view{input.data(), {3}}, ndx::tensor_view{indices.data(), {4, 1}},
                 ndx::tensor_view{output.data(), {4}}, {.bounds = mode, .fill = -1});
  return output;
}

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto highest_unsigned = std::numeric_limits<std::uint64_t>::max();

using four = std::array<int, 4>;
static_assert(gathered<std::int64_t>({-1, -3, 0, 2}, ndx::bounds::check) == four{12, 10, 10, 12});
static_assert(gathered<std::int64_t>({-1, -3, 0, 2}, ndx::bounds::trust) == four{12, 10, 10, 12});
static_assert(gathered<std::int64_t>({lowest, highest, -4, 3}, ndx::bounds::ignore) == four{-1, -1, -1, -1});
static_assert(gathered<std::int64_t>({lowest, highest, -4, 3}, ndx::bounds::clamp) == four{10, 12, 10, 12});
static_assert(gathered<std::int64_t>({lowest, highest, -4, 3}, ndx::bounds::wrap) == four{11, 11, 12, 10});
static_assert(gathered<std::int32_t>({INT32_MIN, INT32_MAX, -4, 3}, ndx::bounds::wrap) == four{11, 11, 12, 10});
static_assert(gathered<std::uint64_t>({highest_unsigned, 3, 4, 1}, ndx::bounds::ignore) == four{-1, -1, -1, 11});
static_assert(gathered<std::uint64_t>({highest_unsigned, 3, 4, 1}, ndx::bounds::wrap) == four{10, 10, 11, 11});
static_assert(gathered<std::uint32_t>({UINT32_MAX, 3, 4, 1}, ndx::bounds::clamp) == four{12, 12, 12, 11});

template <class T>
constexpr std::array<T, 2> reduced(std::array<T, 2> state, std::array<T, 3> const& updates, ndx::reduction op,
                                   bool include_self = true) {
  std::array<std::int32_t, 3> const indices{1, 0, 1};
  ndx::tensor_view const view{state.data(), {2}};
  ndx::scatter_nd(ndx::seq, view, ndx::tensor_view{indices.data(), {3, 1}}, ndx::tensor_view{updates.data(), {3}}, view,
                  {.reduction = op, .include_self = include_self});
  return state;
}

static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::none) == std::array<int, 2>{20, 30});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::add) == std::array<int, 2>{21, 42});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::mul) == std::array<int, 2>{20, 600});
static_assert(reduced<int>({1, 2}, {10, -20, 30}, ndx::reduction::min) == std::array<int, 2>{-20, 2});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::max) == std::array<int, 2>{20, 30});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::sub) == std::array<int, 2>{-19, -38});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::none, false) == std::array<int, 2>{20, 30});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::add, false) == std::array<int, 2>{20, 40});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::mul, false) == std::array<int, 2>{20, 300});
static_assert(reduced<int>({-1, -2}, {10, 20, 30}, ndx::reduction::min, false) == std::array<int, 2>{20, 10});
static_assert(reduced<int>({99, 99}, {10, -20, 30}, ndx::reduction::max, false) == std::array<int, 2>{-20, 30});
static_assert(reduced<int>({1, 2}, {10, 20, 30}, ndx::reduction::sub, false) == std::array<int, 2>{-20, -40});
static_assert(reduced<int>({1, 2}, {10, 20, 31}, ndx::reduction::mean) == std::array<int, 2>{10, 14});
static_assert(reduced<int>({1, 2}, {10, 20, 31}, ndx::reduction::mean, false) == std::array<int, 2>{20, 20});
static_assert(reduced<int>({1, -2}, {-10, 0, -31}, ndx::reduction::mean) == std::array<int, 2>{0, -15});
static_assert(reduced<float>({1, -2}, {-10, 0, -31}, ndx::reduction::mean, false) == std::array<float, 2>{0, -20.5F});
static_assert(reduced<std::uint64_t>({0, 1}, {highest_unsigned, 5, 1}, ndx::reduction::mean) ==
              std::array<std::uint64_t, 2>{2, 0});
static_assert(reduced<std::int64_t>({0, lowest}, {lowest, lowest, 1}, ndx::reduction::sub) ==
              std::array<std::int64_t, 2>{lowest, -1});
static_assert(reduced<std::int8_t>({100, 100}, {100, 100, 100}, ndx::reduction::add) ==
              std::array<std::int8_t, 2>{-56, 44});
static_assert(reduced<std::uint16_t>({65535, 65535}, {65535, 65535, 65535}, ndx::reduction::mul) ==
              std::array<std::uint16_t, 2>{1, 65535});
static_assert(reduced<std::int64_t>({lowest, highest}, {1, -1, 1}, ndx::reduction::add) ==
              std::array<std::int64_t, 2>{highest, lowest + 1});

template <class Example>
void run_everywhere() {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    CHECK(Example{}(policy));
  });
}

}  // namespace

TEST_CASE("gather_nd: rows of a matrix") { run_everywhere<gather_rows>(); }
TEST_CASE("gather_nd: rows of a cube by two coordinates") { run_everywhere<gather_rows_of_a_cube>(); }
TEST_CASE("gather_nd: the tail of a tensor of rank 5") { run_everywhere<gather_from_rank_5>(); }
TEST_CASE("gather_nd1: elements of each batch") { run_everywhere<gather_in_batches>(); }
TEST_CASE("slice1: every second row and column of a window") { run_everywhere<slice_with_strides>(); }
TEST_CASE("slice1: rows backwards") { run_everywhere<slice_backwards>(); }
TEST_CASE("scatter_nd: four elements of eight") { run_everywhere<scatter_four_elements>(); }
TEST_CASE("scatter_elements: the last of two updates of one element") {
  run_everywhere<scatter_elements_with_a_duplicate>();
}
TEST_CASE("scatter_elements: rows named for each column") { run_everywhere<scatter_elements_along_columns>(); }
TEST_CASE("scatter_elements: the smallest update, without the element itself") {
  run_everywhere<scatter_elements_without_themselves>();
}
TEST_CASE("gather_elements: what a scatter along the same axis has placed") {
  run_everywhere<gather_elements_along_columns>();
}
TEST_CASE("take: columns by indices of rank 2, a row by an index of rank 0") {
  run_everywhere<take_columns_and_a_row>();
}
TEST_CASE("slice: the last rows, every second column from the right") { run_everywhere<slice_as_python_does>(); }
TEST_CASE("flip: rows from right to left, and everything") { run_everywhere<flip_rows>(); }
TEST_CASE("slice_grad: where a slice backwards has read") { run_everywhere<gradient_of_a_slice>(); }
