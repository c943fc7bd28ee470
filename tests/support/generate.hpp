// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_GENERATE_HPP
#define NDX_TESTS_SUPPORT_GENERATE_HPP

// Random problems. They are random where tests by hand are blind: in the combination of extents, layouts, index values,
// modes and element values. Among the bad indices are those that careless arithmetic takes for good ones.

#include "problem.hpp"
#include "random.hpp"

#include <cstddef>

namespace test {

/// Each takes a problem that knows its operator and types, and the ranks of the tensors.
problem random_gather(problem p, random_source& random, std::size_t input, std::size_t indices, std::size_t output);
problem random_slice(problem p, random_source& random, std::size_t input, std::size_t output);
problem random_python_slice(problem p, random_source& random, std::size_t input, std::size_t output);
problem random_flip(problem p, random_source& random, std::size_t input, std::size_t output);
problem random_slice_grad(problem p, random_source& random, std::size_t input, std::size_t output);
problem random_scatter_nd(problem p, random_source& random, std::size_t input, std::size_t indices, std::size_t updates,
                          std::size_t output);
problem random_scatter_elements(problem p, random_source& random, std::size_t rank, std::size_t updates,
                                std::size_t output);
problem random_gather_elements(problem p, random_source& random, std::size_t rank, std::size_t output);
problem random_take(problem p, random_source& random, std::size_t input, std::size_t indices, std::size_t output);

/// Any bits at all, padding included.
oracle::elements random_bits(oracle::shape extents, std::size_t element_size, random_source& random);

/// Good indices for the coordinates of tuples whose first addresses axis `first_axis`.
oracle::numbers good_tuples(oracle::shape extents, oracle::shape const& input, std::size_t first_axis, index_kind kind,
                            random_source& random);

/// A `scatter_nd` of any bits by good tuples with `indices` extents, of which the last of several counts; of a problem
/// that knows its types.
problem scatter_by_good_tuples(problem p, oracle::shape const& input, oracle::shape const& indices,
                               random_source& random);

}  // namespace test

#endif
