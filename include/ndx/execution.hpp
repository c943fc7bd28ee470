// SPDX-License-Identifier: MIT
#ifndef NDX_EXECUTION_HPP
#define NDX_EXECUTION_HPP

#include <ndx/plan/operation.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace ndx {

/// Where and how an operator runs: a type with `execute(operation, arguments)`, which carries out a plan that has been
/// checked against everything but the values of the indices, and throws `index_error` for those.
///
/// `execute` is called with a `plan::operation` and a `plan::arguments<T, Index>` for the `T` and `Index` of the call.
/// The operation's own type says what the operator can be, so that nothing for others is compiled. A policy of one's
/// own may wrap another one, to count, log or choose:
///
///     struct logged {
///       template <class Operation, class T, class Index>
///       void execute(Operation const& op, ndx::plan::arguments<T, Index> const& on) const {
///         std::puts(op.name);
///         ndx::simd.execute(op, on);
///       }
///     };
template <class Policy>
concept execution_policy = requires(std::remove_reference_t<Policy>& policy, plan::operation const& operation,
                                    plan::arguments<float, std::int32_t> const& on32,
                                    plan::arguments<std::uint8_t, std::uint64_t> const& on64) {
  policy.execute(operation, on32);
  policy.execute(operation, on64);
};

}  // namespace ndx

#endif
