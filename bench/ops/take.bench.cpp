// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;

/// `count` of `table` slices of `width` elements, the same ones of each of the `before` that lie one after the other.
struct taken {
  index_t before, table, width, count;
  std::vector<std::int64_t> indices;
};

template <class T>
void compare_taken(std::string const& name, taken const& what) {
  auto const count = static_cast<std::size_t>(what.count);
  auto const bytes = static_cast<std::size_t>(what.before * what.width) * count * sizeof(T);
  comparison<taken> ways(name, {count * sizeof(std::int64_t), bytes, bytes}, bytes, [what, count] {
    taken made = what;
    if (made.indices.empty()) made.indices = random_indices<std::int64_t>(count, made.table);
    return made;
  });
  ways.memcpy();
  ways.plain([](taken const& t) {
    for (index_t p = 0; p < t.before; ++p) {
      T const* const from = source().as<T const>() + p * t.table * t.width;
      T* const to = destination().as<T>() + p * t.count * t.width;
      if (t.width == 1) plain::gather(from, t.table, t.indices.data(), t.count, to);
      else plain::gather_rows(from, t.table, t.width, t.indices.data(), t.count, to);
    }
  });
  auto const take = [](auto const& policy, taken const& t, ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<T const, 3> const input(source().as<T const>(), {t.before, t.table, t.width});
    ndx::tensor_view<std::int64_t const, 1> const indices(t.indices.data(), {t.count});
    ndx::tensor_view<T, 3> const output(destination().as<T>(), {t.before, t.count, t.width});
    ndx::take(policy, input, indices, output, {.axis = 1, .bounds = mode});
  };
  ways.policies(take);
  ways.trusting([take](auto const& policy, auto const& data) { take(policy, data, ndx::bounds::trust); });
}

[[maybe_unused]] bool const registered = [] {
  compare_taken<float>("rows of 256 B of one table", {1, 1 << 18, 64, 1 << 16, {}});
  compare_taken<float>("rows of 256 B of 64 tables", {64, 4096, 64, 1024, {}});
  compare_taken<float>("columns of 4096 x 4096", {4096, 4096, 1, 1024, {}});
  compare_taken<std::uint8_t>("channels of pixels, 3 of 3 B", {1 << 22, 3, 1, 3, {2, 1, 0}});
  compare_taken<float>("two rows of 16 B of a table of 8", {1, 8, 4, 2, {}});
  return true;
}();

}  // namespace
