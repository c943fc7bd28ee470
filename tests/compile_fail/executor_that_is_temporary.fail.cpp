// SPDX-License-Identifier: MIT
// rejected with: use of deleted function|call to deleted member function
#include <ndx/ndx.hpp>

struct pool {
  int concurrency() const;
  void run(int threads, ndx::index_t parts, ndx::executor_part part) const;
};

ndx::par_simd_policy policy() { return ndx::par_simd.on(pool{}); }
