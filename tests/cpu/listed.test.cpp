// SPDX-License-Identifier: MIT
// Rows that packed indices list: the kernels that move them, each at every length of rows, and the calls that are taken
// for such.
#include "../support/catch.hpp"
#include "../support/message_of.hpp"
#include "../support/policies.hpp"
#include "../support/random.hpp"
#include "../support/registers.hpp"

#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace test;
using ndx::index_t;

namespace {

using bytes = std::vector<std::byte>;

constexpr std::array<index_t, 27> row_bytes{1,  2,  4,  8,   16,  3,   5,   6,   7,   12,  15,  20,   31, 32,
                                            33, 63, 64, 100, 128, 192, 250, 256, 384, 400, 512, 1000, 700};

/// Some rows on either side of the indices, in buffers without a byte more than they reach, and what is to come of it.
template <class Index>
struct listed_case {
  index_t size;
  bool scatters;
  bool pairs;
  bool bad;
  index_t count;
  index_t step;
  std::array<index_t, 2> extents{};
  std::array<index_t, 2> strides{};
  index_t base = 0;  ///< where index 0 leads
  std::vector<Index> indices;
  bytes from;
  bytes to;

  explicit listed_case(random_source& random)
      : size(random.one_of(row_bytes)),
        scatters(random.chance(50)),
        pairs(random.chance(40)),
        bad(random.chance(25)),
        count(random.between(1, random.chance(50) ? 20 : 200)),
        step(size + (random.chance(30) ? random.between(1, 70) : 0)) {
    index_t reached = size;
    for (std::size_t c = pairs ? 2 : 1; c-- > 0;) {
      extents[c] = random.between(1, 30);
      strides[c] = reached + (random.chance(30) ? random.between(1, 70) : 0);
      reached += (extents[c] - 1) * strides[c];
    }
    if (random.chance(30)) {
      base = (extents[0] - 1) * strides[0];
      strides[0] = -strides[0];
    }
    std::size_t const per_row = pairs ? 2 : 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count) * per_row; ++i)
      indices.push_back(static_cast<Index>(random.between(0, extents[i % per_row] - 1)));
    if (bad) spoil(random, per_row);
    index_t const packed = (count - 1) * step + size;
    from = random.bytes(scatters ? packed : reached);
    to = random.bytes(scatters ? reached : packed);
  }

  /// The bytes that one row after another leaves behind.
  [[nodiscard]] bytes due() const {
    bytes result = to;
    if (bad) return result;
    std::size_t const per_row = pairs ? 2 : 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      index_t place = base;
      for (std::size_t c = 0; c < per_row; ++c) place += static_cast<index_t>(indices[i * per_row + c]) * strides[c];
      index_t const packed = static_cast<index_t>(i) * step;
      std::memcpy(result.data() + (scatters ? place : packed), from.data() + (scatters ? packed : place),
                  static_cast<std::size_t>(size));
    }
    return result;
  }

private:
  /// An index that is none, or that counts from the end.
  void spoil(random_source& random, std::size_t per_row) {
    auto const last = static_cast<index_t>(indices.size()) - 1;
    auto const at = static_cast<std::size_t>(random.one_of(std::array<index_t, 3>{0, last, random.between(0, last)}));
    auto const extent = static_cast<Index>(extents[at % per_row]);
    indices[at] = random.one_of(std::array<Index, 4>{extent, std::numeric_limits<Index>::max(),
                                                     static_cast<Index>(std::numeric_limits<Index>::max() / 2 + 1),
                                                     static_cast<Index>(-1)});
  }
};

template <class Index>
void verify_listed(random_source& random, std::string const& note) {
  listed_case<Index> const one(random);
  bytes const due = one.due();
  ndx::cpu::listed_rows<Index> rows{};
  rows.step = one.step;
  rows.indices = one.indices.data();
  rows.count = one.count;
  rows.bytes = one.size;
  rows.pairs = one.pairs;
  for (std::size_t c = 0; c < 2; ++c) {
    std::size_t const of = one.pairs ? c : 0;
    rows.last[c] = static_cast<Index>(one.extents[of] - 1);
    rows.strides[c] = one.strides[of];
  }
  using set = ndx::instruction_set;
  for (set instructions : {set::baseline, set::avx2, set::avx512}) {
    if (!ndx::supported(instructions)) continue;
    ndx::cpu::listed_kernels<Index> const& kernels = one.scatters
                                                         ? ndx::cpu::listed_kernels_of<true, Index, 1>(instructions)
                                                         : ndx::cpu::listed_kernels_of<false, Index, 1>(instructions);
    int const unit = ndx::cpu::unit_index(one.size);
    auto* const of_elements = unit >= 0 ? kernels.elements[unit] : nullptr;
    for (auto* const kernel : {of_elements, kernels.rows}) {
      // Rows of one or two bytes are units only.
      if (kernel == nullptr || (kernel == kernels.rows && one.size < 3)) continue;
      for (auto const [far, fetches] : {std::array{false, false}, {true, false}, {true, true}}) {
        INFO(ndx::cpu::name_of(instructions) << (one.scatters ? ", scattered, " : ", gathered, ") << one.count
                                             << (one.pairs ? " pairs, " : " singles, ") << one.size << " B"
                                             << (fetches ? ", fetched\n"
                                                 : far   ? ", far\n"
                                                         : "\n")
                                             << note);
        bytes found = one.to;
        rows.far = far;
        rows.fetches = fetches;
        rows.to = found.data() + (one.scatters ? one.base : 0);
        rows.from = one.from.data() + (one.scatters ? 0 : one.base);
        bool const moved = kernel(rows);
        bool const clean = upper_halves_are_clean();
        REQUIRE(clean);
        CHECK(moved == !one.bad);
        bool const same = found == due;
        REQUIRE(same);
      }
    }
  }
}

/// Takes part in a call as `simd` does, and counts the calls that come the long way.
struct counting_policy {
  ndx::simd_policy inner;
  int* long_ways;

  template <class Operation, class T, class Index>
  void execute(Operation const& op, ndx::plan::arguments<T, Index> const& on) const {
    ++*long_ways;
    inner.execute(op, on);
  }
  template <class T, class Index>
  [[gnu::always_inline]] bool move_few(ndx::plan::indexed_copy const& plan, ndx::bounds mode,
                                       ndx::plan::arguments<T, Index> const& on) const {
    return inner.move_few(plan, mode, on);
  }
  bool takes_listed(ndx::plan::indexed_copy const& plan, ndx::bounds mode) const {
    return inner.takes_listed(plan, mode);
  }
  template <ndx::plan::side Indirect, class T, class Index>
  [[gnu::always_inline]] bool move_listed(ndx::plan::indexed_copy const& plan,
                                          ndx::plan::arguments<T, Index> const& on) const {
    return inner.move_listed<Indirect>(plan, on);
  }
};

}  // namespace

TEMPLATE_TEST_CASE("listed rows move as plain loops move them, or not at all, and nothing else is touched", "",
                   std::uint32_t, std::uint64_t) {
  for_each_seed(3000, [](random_source& random, std::string const& note) { verify_listed<TestType>(random, note); });
}

#if defined(__OPTIMIZE__)
TEST_CASE("calls on rows that packed indices list come no long way, and others do") {
  constexpr index_t count = 100;
  constexpr index_t width = 10;
  std::vector<float> table(1000);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  std::vector<float> output(static_cast<std::size_t>(count * width));
  std::vector<std::int32_t> indices;
  for (std::int32_t i = 0; i < 4 * count; ++i) indices.push_back(i * 7 % 10);
  int long_ways = 0;
  counting_policy const policy{ndx::simd, &long_ways};
  auto const comes_long_way = [&](auto const& call) {
    long_ways = 0;
    call();
    return long_ways != 0;
  };
  ndx::tensor_view<float, 2> const rows(table.data(), {100, width});
  ndx::tensor_view<float, 2> const moved(output.data(), {count, width});
  ndx::tensor_view<std::int32_t const, 2> const singles(indices.data(), {count, 1});
  ndx::tensor_view<std::int32_t const, 2> const pairs(indices.data(), {count, 2});
  ndx::tensor_view<std::int32_t const, 1> const list(indices.data(), {count});
  ndx::tensor_view<std::int32_t const, 2> const spread(indices.data(), {count, 1}, {2, 1});
  ndx::tensor_view<float, 1> const elements(output.data(), {count});

  CHECK_FALSE(comes_long_way([&] { ndx::gather_nd(policy, rows, singles, moved); }));
  CHECK_FALSE(comes_long_way([&] { ndx::gather_nd(policy, rows, pairs, elements); }));
  CHECK_FALSE(comes_long_way([&] { ndx::take(policy, rows, list, moved, {.axis = 0}); }));
  CHECK_FALSE(comes_long_way([&] { ndx::scatter_nd(policy, rows, singles, moved, rows); }));
  CHECK_FALSE(comes_long_way([&] { ndx::scatter_nd(policy, rows, pairs, elements, rows); }));
  CHECK_FALSE(comes_long_way([&] { ndx::gather_nd(policy, rows, singles, moved, {.bounds = ndx::bounds::trust}); }));

  CHECK(comes_long_way([&] { ndx::gather_nd(policy, rows, spread, moved); }));
  CHECK(comes_long_way([&] { ndx::gather_nd(policy, rows, singles, moved, {.bounds = ndx::bounds::wrap}); }));
  CHECK(
      comes_long_way([&] { ndx::scatter_nd(policy, rows, singles, moved, rows, {.reduction = ndx::reduction::add}); }));
  indices[50] = -1;
  CHECK(comes_long_way([&] { ndx::gather_nd(policy, rows, singles, moved); }));
  CHECK(output[50 * width] == table[990]);
}
#endif

TEST_CASE("a bad index among many of a list is an error, and a scatter has written nothing") {
  for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t count : {5, 33, 200})
      for (index_t place : {index_t{0}, count / 2, count - 1})
        for (std::int64_t bad : {std::int64_t{10}, std::int64_t{-11}, std::numeric_limits<std::int64_t>::min()}) {
          INFO("policy " << name << ", " << bad << " at " << place << " of " << count);
          std::vector<double> table(50, 1.0);
          std::vector<double> const before = table;
          std::vector<double> updates(static_cast<std::size_t>(count * 5), 2.0);
          std::vector<std::int64_t> numbers(static_cast<std::size_t>(count), 3);
          numbers[static_cast<std::size_t>(place)] = bad;
          ndx::tensor_view<double, 2> const tensor(table.data(), {10, 5});
          ndx::tensor_view<double, 2> const rows(updates.data(), {count, 5});
          ndx::tensor_view<std::int64_t const, 2> const indices(numbers.data(), {count, 1});
          std::vector<index_t> const due{place, 0};
          CHECK(position_of([&] { ndx::scatter_nd(policy, tensor, indices, rows, tensor); }) == due);
          CHECK(table == before);
          CHECK(position_of([&] { ndx::gather_nd(policy, tensor, indices, rows); }) == due);
        }
  });
}
