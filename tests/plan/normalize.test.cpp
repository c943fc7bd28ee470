// SPDX-License-Identifier: MIT
#include "../support/catch.hpp"
#include "../support/random.hpp"

#include <ndx/plan/normalize.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

using ndx::index_t;
using ndx::plan::indexed_copy;
using ndx::plan::layout;
using ndx::plan::side;
using test::random_source;

namespace {

/// What one tuple moves: where its indices are, and which element goes where. The order within a tuple is free.
struct step {
  index_t indices;
  std::vector<std::array<index_t, 2>> moves;  // destination, source; sorted
  friend bool operator==(step const&, step const&) = default;
};

template <class Visit>
void walk(indexed_copy const& plan, std::size_t first, std::size_t last, std::array<index_t, 3> at,
          Visit const& visit) {
  if (first == last) return visit(at);
  for (index_t i = 0; i < plan.loops[first].extent; ++i) {
    walk(plan, first + 1, last, at, visit);
    at[0] += plan.loops[first].destination;
    at[1] += plan.loops[first].source;
    at[2] += plan.loops[first].indices;
  }
}

/// All that a plan does, in the order of its tuples. Steps by one and the same tuple are one step.
std::vector<step> meaning(indexed_copy const& plan) {
  std::vector<step> result;
  walk(plan, 0, plan.tuple_rank, {plan.destination_base, plan.source_base, plan.indices_base}, [&](auto const& tuple) {
    if (result.empty() || result.back().indices != tuple[2]) result.push_back({tuple[2], {}});
    walk(plan, plan.tuple_rank, plan.rank, tuple, [&](auto const& at) {
      for (index_t i = 0; i < plan.run; ++i) result.back().moves.push_back({at[0] + i, at[1] + i});
    });
  });
  for (step& one : result) std::sort(one.moves.begin(), one.moves.end());
  return result;
}

/// Strides such that some neighbours can be joined and others cannot.
std::vector<index_t> random_strides(std::vector<index_t> const& extents, random_source& random) {
  std::vector<index_t> strides(extents.size());
  index_t next = random.chance(70) ? 1 : random.between(2, 3);
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = random.chance(10) ? 0 : next;
    next *= extents[d];
    if (random.chance(25)) next += random.between(1, 4);
  }
  if (random.chance(30))
    for (index_t& stride : strides)
      if (random.chance(50)) stride = -stride;
  if (random.chance(20)) std::shuffle(strides.begin(), strides.end(), random.engine());
  return strides;
}

indexed_copy random_plan(random_source& random) {
  auto const tuple_rank = static_cast<std::size_t>(random.between(0, 4));
  auto const rank = tuple_rank + static_cast<std::size_t>(random.between(0, 4));
  std::vector<index_t> extents;
  for (std::size_t d = 0; d < rank; ++d)
    extents.push_back(random.chance(2) ? 0 : random.chance(25) ? 1 : random.between(1, 4));
  auto const destination = random_strides(extents, random);
  auto const source = random.chance(50) ? destination : random_strides(extents, random);
  auto const indices = random.chance(50) ? destination : random_strides(extents, random);
  indexed_copy plan;
  plan.indirect = random.chance(50) ? side::source : side::destination;
  plan.destination_base = random.between(0, 9);
  plan.source_base = random.between(0, 9);
  plan.indices_base = random.between(0, 9);
  for (std::size_t d = 0; d < rank; ++d) {
    bool const of_tuples = d < tuple_rank;
    plan.add({extents[d], destination[d], source[d], of_tuples ? indices[d] : 0}, of_tuples);
  }
  return plan;
}

bool contiguous(ndx::plan::loop const& outer, ndx::plan::loop const& inner) {
  return outer.destination == inner.destination * inner.extent && outer.source == inner.source * inner.extent &&
         outer.indices == inner.indices * inner.extent;
}

template <std::size_t Rank>
struct tensor_layout {
  std::array<index_t, Rank> extents;
  std::array<index_t, Rank> strides = ndx::plan::packed_strides(extents);
  constexpr layout view() const { return {Rank, extents.data(), strides.data()}; }
};

constexpr indexed_copy normalized(indexed_copy plan) {
  ndx::plan::normalize(plan);
  return plan;
}

constexpr indexed_copy copy_of_packed() {
  tensor_layout<3> const tensor{{2, 3, 4}};
  indexed_copy plan;
  ndx::plan::make_copy(plan, tensor.view(), tensor.view());
  return normalized(plan);
}

constexpr indexed_copy copy_to_padded_rows() {
  tensor_layout<3> const from{{2, 3, 4}};
  tensor_layout<3> const to{{2, 3, 4}, {24, 8, 1}};
  indexed_copy plan;
  ndx::plan::make_copy(plan, from.view(), to.view());
  return normalized(plan);
}

constexpr indexed_copy rows_by_a_matrix_of_indices() {
  tensor_layout<3> const input{{9, 3, 4}};
  tensor_layout<3> const indices{{5, 6, 1}};
  tensor_layout<4> const output{{5, 6, 3, 4}};
  indexed_copy plan;
  ndx::plan::make_tuple_copy(plan, input.view(), indices.view(), output.view(), 0, 1, side::source);
  return normalized(plan);
}

static_assert(copy_of_packed().rank == 0 && copy_of_packed().run == 24);
static_assert(copy_to_padded_rows().rank == 1 && copy_to_padded_rows().run == 4);
static_assert(copy_to_padded_rows().loops[0].extent == 6);
static_assert(rows_by_a_matrix_of_indices().rank == 1 && rows_by_a_matrix_of_indices().tuple_rank == 1);
static_assert(rows_by_a_matrix_of_indices().run == 12 && rows_by_a_matrix_of_indices().tuples == 30);

}  // namespace

TEST_CASE("normalize keeps the meaning of a plan, and the order of its tuples") {
  test::for_each_seed(4000, [](random_source& random, std::string const& seed) {
    INFO(seed);
    indexed_copy const before = random_plan(random);
    indexed_copy const after = normalized(before);
    bool const same = meaning(before) == meaning(after);
    CHECK(same);
    CHECK(after.tuples * after.tail == before.tuples * before.tail);
    CHECK(after.tuples <= before.tuples);
    CHECK(after.rank <= before.rank);
  });
}

TEST_CASE("normalize drops loops of one step") {
  test::for_each_seed(1000, [](random_source& random, std::string const& seed) {
    INFO(seed);
    indexed_copy const after = normalized(random_plan(random));
    if (after.moves_nothing()) return;
    for (std::size_t d = 0; d < after.rank; ++d) CHECK(after.loops[d].extent > 1);
  });
}

TEST_CASE("normalize joins contiguous loops") {
  test::for_each_seed(1000, [](random_source& random, std::string const& seed) {
    INFO(seed);
    indexed_copy const after = normalized(random_plan(random));
    if (after.moves_nothing()) return;
    for (std::size_t d = 1; d < after.rank; ++d)
      if (d != after.tuple_rank) CHECK_FALSE(contiguous(after.loops[d - 1], after.loops[d]));
  });
}

TEST_CASE("normalize takes the innermost block out as the run") {
  test::for_each_seed(1000, [](random_source& random, std::string const& seed) {
    INFO(seed);
    indexed_copy const after = normalized(random_plan(random));
    if (after.moves_nothing()) return;
    for (std::size_t d = after.tuple_rank; d < after.rank; ++d) CHECK(after.loops[d].destination >= 0);
    if (after.rank == after.tuple_rank) return;
    ndx::plan::loop const& inner = after.loops[after.rank - 1];
    if (after.run == 1) CHECK_FALSE((inner.destination == 1 && inner.source == 1));
    else CHECK_FALSE((inner.destination == after.run && inner.source == after.run));
  });
}

TEST_CASE("normalize makes a repeated tuple one, but not where a scatter writes one place again and again") {
  indexed_copy plan;
  plan.indirect = side::source;
  plan.add({5, 12, 0, 1}, true);
  plan.add({3, 4, 0, 0}, true);  // the same tuple three times
  plan.add({4, 1, 1, 0}, false);
  CHECK(normalized(plan).tuples == 5);
  CHECK(normalized(plan).tail == 12);
  plan.indirect = side::destination;
  CHECK(normalized(plan).tuples == 5);  // to three places
  plan.loops[1].destination = 0;
  plan.loops[1].source = 4;
  CHECK(normalized(plan).tuples == 15);  // to one: the last of the three has to win
  CHECK(normalized(plan).tail == 4);
}

TEST_CASE("A reversed copy on both sides is a plain copy") {
  tensor_layout<2> const tensor{{3, 4}, {-4, -1}};
  indexed_copy plan;
  ndx::plan::make_copy(plan, tensor.view(), tensor.view());
  ndx::plan::normalize(plan);
  CHECK(plan.rank == 0);
  CHECK(plan.run == 12);
  CHECK(plan.destination_base == -11);
  CHECK(plan.source_base == -11);
}

TEST_CASE("The parts of a plan are together the plan") {
  test::for_each_seed(1500, [](random_source& random, std::string const& seed) {
    INFO(seed);
    indexed_copy const plan = normalized(random_plan(random));
    if (plan.moves_nothing()) return;
    using move = std::array<index_t, 3>;
    auto const moves = [](indexed_copy const& of, std::vector<move>& into) {
      for (step const& tuple : meaning(of))
        for (auto const& one : tuple.moves) into.push_back({tuple.indices, one[0], one[1]});
    };
    std::vector<move> whole;
    moves(plan, whole);
    std::sort(whole.begin(), whole.end());
    for (std::size_t d = 0; d <= plan.rank; ++d) {
      index_t const extent = d == plan.rank ? plan.run : plan.loops[d].extent;
      std::vector<move> together;
      index_t count = 0;
      for (index_t begin = 0; begin < extent;) {
        index_t const end = std::min(extent, begin + random.between(1, 3));
        indexed_copy const part = ndx::plan::part(plan, d, begin, end);
        moves(part, together);
        count += part.tuples * part.tail;
        begin = end;
      }
      std::sort(together.begin(), together.end());
      bool const same = together == whole;
      CHECK(same);
      CHECK(count == plan.tuples * plan.tail);
    }
  });
}
