// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_COUNT_ALLOCATIONS_HPP
#define NDX_TESTS_SUPPORT_COUNT_ALLOCATIONS_HPP

#include <ndx/cpu/scratch.hpp>

#include <cstddef>

namespace test {

/// How many allocations there have been, on all threads, in a program that is linked with count_allocations.cpp.
std::size_t allocation_count();

/// Does a call take scratch memory? It runs twice, as the first one may start threads.
template <class Run>
bool takes_scratch(Run const& run) {
  run();
  ndx::release_scratch();
  std::size_t const before = allocation_count();
  run();
  return allocation_count() != before;
}

/// In such a program: from now on there is no aligned memory of more than so many bytes.
void limit_allocations(std::size_t bytes);

}  // namespace test

#endif
