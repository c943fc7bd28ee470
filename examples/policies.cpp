// SPDX-License-Identifier: MIT
// One call, many ways to carry it out on the processor, and the same bits from each.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>

// [constexpr]
constexpr std::array<int, 3> chosen() {
  constexpr std::array table{10, 11, 12, 13};
  constexpr std::array<std::int32_t, 3> places{3, 0, -2};
  std::array<int, 3> result{};
  ndx::gather_nd(ndx::seq, ndx::tensor_view(table.data(), {4}), ndx::tensor_view(places.data(), {3, 1}),
                 ndx::tensor_view(result.data(), {3}));
  return result;
}
static_assert(chosen() == std::array{13, 10, 12});
// [/constexpr]

// [counting]
struct counting {
  std::size_t calls = 0;
  std::size_t bytes = 0;

  template <class Operation, class T, class Index>
  void execute(Operation const& op, ndx::plan::arguments<T, Index> const& on) {
    ++calls;
    bytes += static_cast<std::size_t>(op.move.tuples * op.move.tail) * sizeof(T);
    ndx::simd.execute(op, on);
  }
};
// [/counting]

int main() {
  ndx::tensor<float, 2> table({1000, 64});
  std::iota(table.begin(), table.end(), 0.0f);
  ndx::tensor<std::int64_t, 2> ids({5000, 1});
  for (ndx::index_t i = 0; i < 5000; ++i) ids(i, 0) = i * 7 % 1000;

  ndx::tensor<float, 2> due({5000, 64});
  ndx::gather_nd(ndx::seq, table, ids, due);
  bool right = true;
  ndx::tensor<float, 2> out({5000, 64});
  auto const check = [&] {
    right = right && std::equal(out.begin(), out.end(), due.begin(), due.end());
    std::fill(out.begin(), out.end(), -1.0f);
  };

  // [policies]
  ndx::gather_nd(ndx::simd, table, ids, out);  // this thread, the best instruction set there is
  check();
  ndx::gather_nd(ndx::par_simd, table, ids, out);  // every core
  check();
  ndx::gather_nd(ndx::par_simd.threads(3), table, ids, out);
  check();
  // [/policies]

  // [instructions]
  for (auto set : {ndx::instruction_set::baseline, ndx::instruction_set::avx2, ndx::instruction_set::avx512}) {
    if (!ndx::supported(set)) continue;  // using it would throw unsupported_error
    ndx::gather_nd(ndx::simd.with(set), table, ids, out);
    check();
  }
  // [/instructions]

  // [stores]
  // Read again at once: let it stay in the caches, however large it is.
  ndx::gather_nd(ndx::simd.stores(ndx::stores::temporal), table, ids, out);
  // [/stores]
  check();

  // [counted]
  counting policy;
  ndx::gather_nd(policy, table, ids, out);  // policies are taken by reference
  // [/counted]
  check();
  std::printf("%zu call, %zu bytes\n", policy.calls, policy.bytes);
  right = right && policy.calls == 1 && policy.bytes == 5000 * 64 * sizeof(float);

  std::printf("%s\n", right ? "the same bits from every policy" : "wrong");
  return right ? 0 : 1;
}
