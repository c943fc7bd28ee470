// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

struct pool {
  int concurrency() const;
  void run(int threads, ndx::index_t parts, ndx::executor_part part) const;
};

ndx::par_simd_policy policy(pool& threads) { return ndx::par_simd.on(threads); }
