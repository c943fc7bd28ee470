// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_OPENMP_HPP
#define NDX_INTEROP_OPENMP_HPP

#ifndef _OPENMP
#error "<ndx/interop/openmp.hpp> needs OpenMP: compile with -fopenmp, or link OpenMP::OpenMP_CXX with CMake"
#endif

#include <ndx/cpu/executor.hpp>

#include <omp.h>

namespace ndx {

/// The threads of OpenMP: `ndx::par_simd.on(pool)` with an `ndx::openmp_executor pool`. As many as a parallel region
/// would get that begins where an operator is called: `OMP_NUM_THREADS` and `omp_set_num_threads` decide. Within a
/// parallel region that is the calling thread alone, unless the program allows regions within regions.
class openmp_executor {
public:
  [[nodiscard]] int concurrency() const noexcept {
    return omp_get_active_level() < omp_get_max_active_levels() ? omp_get_max_threads() : 1;
  }

  void run(int threads, index_t parts, executor_part part) const noexcept {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (index_t i = 0; i < parts; ++i) part(i);
  }
};

}  // namespace ndx

#endif
