// SPDX-License-Identifier: MIT
// rejected by concept: executor
#include <ndx/ndx.hpp>

struct pool {
  void run(int threads, ndx::index_t parts, ndx::executor_part part) const;
};

ndx::par_simd_policy policy(pool& threads) { return ndx::par_simd.on(threads); }
