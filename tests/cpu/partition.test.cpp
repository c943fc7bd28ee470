// SPDX-License-Identifier: MIT
// Scatters of single elements that are large enough to go by buckets. They are too large for the oracle: the reference
// is `seq`, which the other tests compare with it. With a sanitizer all sizes are an eighth, and so are the thresholds:
// there are as many buckets, chunks and rounds.
#define NDX_CPU_TUNABLE inline
#include "../support/any_policy.hpp"
#include "../support/catch.hpp"
#include "../support/count_allocations.hpp"
#include "../support/elements.hpp"
#include "../support/kept_memory.hpp"
#include "../support/random.hpp"
#include "../support/raw_bytes.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace test;
using ndx::index_t;

namespace {

namespace tuning = ndx::cpu::tuning;

#if defined(NDX_TEST_THREAD_SANITIZER) || defined(NDX_TEST_ADDRESS_SANITIZER)
constexpr index_t scale = 8;
[[maybe_unused]] bool const is_scaled = [] {
  for (index_t* const threshold : {&tuning::bucketed_reach_bytes, &tuning::bucketed_updates, &tuning::bucket_bytes,
                                   &tuning::updates_in_chunk, &tuning::scratch_bytes})
    *threshold /= scale;
  return true;
}();
#else
constexpr index_t scale = 1;
#endif

/// The least that goes by buckets, of elements of so many bytes: a matrix, and updates for it.
constexpr index_t columns = 1024;
index_t rows_for(std::size_t size) {
  return tuning::bucketed_reach_bytes / columns / static_cast<index_t>(size) + 3;
}
index_t updates_for(std::size_t size) {
  return rows_for(size) * columns * static_cast<index_t>(size) / tuning::reach_of_update_bytes + 1;
}

enum class order { random, unique, sorted };
enum class layout { packed, padded, reversed };

template <class T>
T random_element(random_source& random, bool reduces) {
  if constexpr (ndx::plan::floating_element<T>)
    if (reduces) return static_cast<T>(static_cast<float>(random.between(-3000, 3000)) / 64.0F);
  std::array<std::byte, sizeof(T)> bytes;
  random.fill(bytes);
  T result;
  std::memcpy(static_cast<void*>(&result), bytes.data(), sizeof(T));
  return result;
}

/// A scatter by pairs into a matrix, with everything that it takes.
template <class T, class Index = std::int64_t>
struct pairs {
  index_t rows = rows_for(sizeof(T));
  index_t count = updates_for(sizeof(T));
  layout how = layout::packed;
  bool in_place = false;
  ndx::scatter_nd_options options{};
  std::vector<T> input{};
  std::vector<Index> indices{};
  std::vector<T> updates{};

  void fill(order in = order::random) {
    random_source random(first_seed());
    bool const reduces = options.reduction != ndx::reduction::none;
    std::vector<T> some(997);
    for (T& element : some) element = random_element<T>(random, reduces);
    input.resize(static_cast<std::size_t>(rows * pitch()));
    fill_raw(input.data(), some.data(), some.size() * sizeof(T), input.size() * sizeof(T));
    updates.resize(static_cast<std::size_t>(count));
    std::vector<T> others(some.size());
    for (std::size_t i = 0; i < others.size(); ++i) others[i] = some[i * 31 % some.size()];
    fill_raw(updates.data(), others.data(), others.size() * sizeof(T), updates.size() * sizeof(T));
    indices.resize(static_cast<std::size_t>(2 * count));
    index_t const hot = random.between(0, rows * columns - 500);
    for (index_t i = 0; i < count; ++i) {
      // Some elements get many updates. A step that is prime and no divisor of the extents reaches each element once.
      index_t place = random.chance(20) ? hot + random.between(0, 499) : random.between(0, rows * columns - 1);
      if (in == order::unique) place = i * 1000003 % (rows * columns);
      if (in == order::sorted) place = i * (rows * columns / count);
      set(i, place / columns, place % columns);
      if (std::is_signed_v<Index> && in != order::sorted && random.chance(30))
        set(i, place / columns - rows, place % columns - columns);
    }
  }
  void set(index_t i, index_t row, index_t column) {
    indices[static_cast<std::size_t>(2 * i)] = static_cast<Index>(row);
    indices[static_cast<std::size_t>(2 * i + 1)] = static_cast<Index>(column);
  }
  [[nodiscard]] index_t pitch() const { return how == layout::padded ? columns + 3 : columns; }

  template <class Element>
  [[nodiscard]] ndx::tensor_view<Element, 2> matrix(Element* data) const {
    if (how != layout::reversed) return {data, {rows, columns}, {pitch(), 1}};
    return {data + rows * columns - 1, {rows, columns}, {-columns, -1}};
  }

  /// What the output holds before, padding included.
  [[nodiscard]] kept_array<T> output() const {
    kept_array<T> result(input);
    if (!in_place) std::memset(static_cast<void*>(result.data()), 0x5a, result.size() * sizeof(T));
    return result;
  }
  template <class Policy>
  void run(Policy const& policy, kept_array<T>& output) const {
    ndx::scatter_nd(policy, matrix<T const>(in_place ? output.data() : input.data()),
                    ndx::tensor_view<Index const, 2>(indices.data(), {count, 2}),
                    ndx::tensor_view<T const, 1>(updates.data(), {count}), matrix<T>(output.data()), options);
  }
};

template <class T, class Index>
void verify(pairs<T, Index> const& scatter) {
  kept_array<T> const before = scatter.output();
  kept_array<T> expected = before;
  scatter.run(any_policy("seq", ndx::seq), expected);
  kept_array<T> output = before;
  for (any_policy const& policy : every_policy()) {
    if (policy.name() == "seq") continue;
    INFO("policy " << policy.name() << ", " << sizeof(T) << " bytes");
    output = before;
    scatter.run(policy, output);
    CHECK(same_as_watched(output, expected));
  }
}

/// Does such a scatter take scratch memory, which is to say, does it go by buckets?
template <class T, class Index, class Policy>
bool takes_scratch(pairs<T, Index> const& scatter, Policy const& policy) {
  kept_array<T> output(scatter.input);
  return test::takes_scratch([&] { scatter.run(policy, output); });
}

template <class T>
void verify_layouts() {
  for (auto [how, in_place] : {std::pair{layout::packed, true}, std::pair{layout::packed, false},
                               std::pair{layout::padded, true}, std::pair{layout::reversed, false}}) {
    CAPTURE(static_cast<int>(how), in_place);
    pairs<T> scatter{.how = how, .in_place = in_place};
    scatter.fill();
    verify(scatter);
  }
}

template <class Index>
void verify_indices() {
  pairs<float, Index> scatter;
  scatter.fill();
  verify(scatter);
}

template <class T>
void verify_reduction(ndx::reduction op, bool in_place) {
  CAPTURE(static_cast<int>(op), in_place);
  pairs<T> scatter{.in_place = in_place, .options = {.reduction = op}};
  scatter.fill();
  verify(scatter);
}

}  // namespace

TEST_CASE("By buckets: elements of every size, packed, padded and reversed, in place and not") {
  verify_layouts<float>();
  if (thread_sanitizer) return;  // threads share the same places whatever the size
  verify_layouts<std::uint8_t>();
  verify_layouts<std::uint16_t>();
  verify_layouts<double>();
  verify_layouts<std::complex<double>>();
}

TEST_CASE("By buckets: every type of index") {
  verify_indices<std::int32_t>();
  if (thread_sanitizer) return;
  verify_indices<std::uint32_t>();
  verify_indices<std::uint64_t>();
}

TEST_CASE("By buckets: every reduction, in the order of the tuples") {
  using enum ndx::reduction;
  verify_reduction<float>(add, false);
  if (thread_sanitizer) return;
  for (ndx::reduction op : {add, mul, min, max}) verify_reduction<float>(op, op == add);
  verify_reduction<double>(mul, true);
  verify_reduction<ndx::float16>(add, true);
  verify_reduction<std::int8_t>(max, false);
  verify_reduction<std::uint16_t>(add, true);
}

TEST_CASE("By buckets: indices that are all different") {
  pairs<float> scatter;
  scatter.fill(order::unique);
  verify(scatter);
}

#ifndef NDX_TEST_THREAD_SANITIZER
// That is decided on one thread.
TEST_CASE("By buckets: which scatters go that way") {
  pairs<float> scatter;
  scatter.fill();
  CHECK(takes_scratch(scatter, ndx::simd));
  CHECK(takes_scratch(scatter, ndx::par_simd.threads(3)));
  CHECK_FALSE(takes_scratch(scatter, ndx::seq));
  SECTION("not where there are fewer updates") {
    scatter.count -= 5;
    CHECK_FALSE(takes_scratch(scatter, ndx::simd));
  }
  SECTION("not into a smaller destination") {
    scatter.rows -= 5;
    scatter.fill();
    CHECK_FALSE(takes_scratch(scatter, ndx::simd));
  }
  SECTION("not where the tuples run through the destination") {
    scatter.fill(order::sorted);
    CHECK_FALSE(takes_scratch(scatter, ndx::simd));
    verify(scatter);
  }
  SECTION("not elements that are no unit") {
    pairs<record> records{.rows = rows_for(4), .count = updates_for(4) * 6};
    records.fill();
    CHECK_FALSE(takes_scratch(records, ndx::simd));
  }
}
#endif

TEST_CASE("By buckets: scratch memory is taken once, and given back when asked for") {
  pairs<float> scatter;
  scatter.fill();
  kept_array<float> output(scatter.input);
  for (any_policy const& policy : every_policy()) {
    INFO("policy " << policy.name());
    scatter.run(policy, output);
    std::size_t const before = allocation_count();
    scatter.run(policy, output);
    CHECK(allocation_count() == before);
  }
  ndx::release_scratch();
  ndx::release_scratch();
  CHECK(takes_scratch(scatter, ndx::simd));
}

TEST_CASE("By buckets: without memory for it a scatter goes another way") {
  pairs<float> scatter;
  scatter.fill();
  kept_array<float> expected = scatter.output();
  scatter.run(ndx::seq, expected);
  kept_array<float> output = scatter.output();
  scatter.run(ndx::par_simd.threads(3), output);  // starts the threads, which allocates
  for (bool bad : {false, true}) {
    if (bad) scatter.set(scatter.count - 1, scatter.rows, 0);
    ndx::release_scratch();
    std::size_t const before = allocation_count();
    limit_allocations((std::size_t{1} << 20U) / scale);
    bool thrown = false;
    try {
      scatter.run(ndx::simd, output);
      scatter.run(ndx::par_simd.threads(3), output);
    } catch (ndx::index_error const&) {
      thrown = true;
    }
    std::size_t const after = allocation_count();
    limit_allocations(std::numeric_limits<std::size_t>::max());
    CHECK(thrown == bad);
    CHECK((bad || after == before));
    CHECK(same_as_watched(output, expected));
  }
}

TEST_CASE("By buckets: bounds::check names the first bad index, and nothing has been written") {
  for (bool in_place : {true, false}) {
    pairs<float> scatter{.in_place = in_place};
    scatter.fill();
    kept_array<float> const before(scatter.input);
    index_t const first = scatter.count / 3;
    for (index_t i : {first, first + 1, scatter.count - 1}) scatter.set(i, 0, i == first ? -columns - 1 : columns);
    for (any_policy const& policy : every_policy()) {
      INFO("policy " << policy.name());
      kept_array<float> output = before;
      try {
        scatter.run(policy, output);
        FAIL_CHECK("no index_error");
      } catch (ndx::index_error const& error) {
        CHECK(error.position() == std::vector<index_t>{first, 1});
        CHECK(error.value() == -columns - 1);
      }
      CHECK(same_as_watched(output, before));
    }
  }
}

TEST_CASE("By buckets: the other modes of bounds") {
  for (ndx::bounds mode : {ndx::bounds::ignore, ndx::bounds::clamp, ndx::bounds::wrap, ndx::bounds::trust}) {
    if (thread_sanitizer && mode != ndx::bounds::ignore) continue;
    CAPTURE(static_cast<int>(mode));
    pairs<std::int32_t, std::int32_t> scatter{.options = {.bounds = mode, .reduction = ndx::reduction::add}};
    scatter.fill();
    if (mode != ndx::bounds::trust)
      for (index_t i = 0; i < scatter.count; i += 7) scatter.set(i, i % 3 - 1, i % 2 == 0 ? columns + i : -columns - i);
    verify(scatter);
    CHECK(takes_scratch(scatter, ndx::simd));
  }
}

TEST_CASE("By buckets: more updates than the scratch memory holds go in rounds") {
  using element = std::complex<double>;
  index_t const most = tuning::scratch_bytes / ndx::cpu::record_bytes(sizeof(element));
  pairs<element, std::int32_t> scatter{.count = most + tuning::updates_in_chunk};
  scatter.fill();
  verify(scatter);
  if (thread_sanitizer) return;
  CHECK(takes_scratch(scatter, ndx::simd));
  scatter.set(most + 5, 0, columns);
  for (bool in_place : {true, false}) {
    scatter.in_place = in_place;
    kept_array<element> output(scatter.input);
    CHECK_THROWS_AS(scatter.run(ndx::simd, output), ndx::index_error);
    CHECK_THROWS_AS(scatter.run(ndx::par_simd.threads(3), output), ndx::index_error);
    CHECK(same_as_watched(output, scatter.input));
  }
}

TEST_CASE("By buckets: tuples and updates in several dimensions, strided") {
  constexpr index_t outer = 704 / scale;
  constexpr index_t middle = 60;
  constexpr index_t inner = 25;
  index_t const extent = tuning::bucketed_reach_bytes / 8 + 1000;
  REQUIRE(outer * middle * inner >= extent / 8);
  random_source random(first_seed());
  std::vector<std::uint32_t> indices(static_cast<std::size_t>(outer * middle * inner * 2));
  for (auto& index : indices) index = static_cast<std::uint32_t>(random.between(0, extent - 1));
  std::vector<double> updates(indices.size());
  for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = static_cast<double>(i);
  std::array<index_t, 4> const extents{outer, middle, inner, 1};
  // Rows of updates that do not follow each other, and indices that lie side by side or do not.
  index_t const apart = GENERATE(1, 2);
  if (thread_sanitizer && apart == 2) return;
  ndx::tensor_view<std::uint32_t const, 4> const tuples(indices.data(), extents,
                                                        {middle * inner * apart, inner * apart, apart, 1});
  ndx::tensor_view<double const, 3> const values(updates.data() + middle * 2 * inner - inner, {outer, middle, inner},
                                                 {middle * 2 * inner, -2 * inner, 1});
  auto const run = [&](auto const& policy) {
    kept_array<double> output(static_cast<std::size_t>(extent), 0.5);
    ndx::tensor_view<double, 1> const all(output.data(), {extent});
    ndx::scatter_nd(policy, all, tuples, values, all, {.reduction = ndx::reduction::add});
    return output;
  };
  kept_array<double> const expected = run(ndx::seq);
  for (any_policy const& policy : every_policy()) {
    INFO("policy " << policy.name());
    CHECK(same_as_watched(run(policy), expected));
  }
}

TEST_CASE("By buckets: a destination without elements is left alone") {
  std::vector<std::int32_t> const indices(static_cast<std::size_t>(3 * tuning::bucketed_updates));
  std::vector<float> const updates(static_cast<std::size_t>(tuning::bucketed_updates));
  ndx::tensor_view<float, 3> const nothing(nullptr, {0, 8192, 8192});
  for (any_policy const& policy : every_policy()) {
    auto const scatter = [&](ndx::bounds mode) {
      ndx::scatter_nd(policy, nothing, ndx::tensor_view{indices.data(), {tuning::bucketed_updates, 3}},
                      ndx::tensor_view{updates.data(), {tuning::bucketed_updates}}, nothing, {.bounds = mode});
    };
    CHECK_NOTHROW(scatter(ndx::bounds::ignore));
    CHECK_THROWS_AS(scatter(ndx::bounds::check), ndx::index_error);
    CHECK_THROWS_AS(scatter(ndx::bounds::clamp), ndx::index_error);
  }
}
