// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_SUPPORT_ANY_POLICY_HPP
#define NDX_TESTS_SUPPORT_ANY_POLICY_HPP

#include "policies.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace test {

/// Any policy under test, by one type: where a test has many types of elements and indices, an operator's checks and
/// plan are compiled once for each of those, and not for each policy again.
class any_policy {
public:
  template <class Policy>
  any_policy(std::string name, Policy const& policy)
      : name_(std::move(name)), policy_(policy), moves_few_(policy.takes_as_made(ndx::plan::operation())) {}

  std::string const& name() const { return name_; }

  template <class Operation, class T, class Index>
  void execute(Operation const& operation, ndx::plan::arguments<T, Index> const& arguments) const {
    std::visit([&](auto const& policy) { policy.execute(operation, arguments); }, policy_);
  }

  // What policies may have besides: small calls must meet under this one what they meet under the policy itself.
  bool takes_as_made(ndx::plan::operation const& operation) const {
    return std::visit([&](auto const& policy) { return policy.takes_as_made(operation); }, policy_);
  }
  template <class T, class Index>
  bool move_few(ndx::plan::indexed_copy const& plan, ndx::bounds mode,
                ndx::plan::arguments<T, Index> const& arguments) const {
    return moves_few_ && ndx::seq.move_few(plan, mode, arguments);  // as every policy that does, but compiled once
  }
  bool takes_listed(ndx::plan::indexed_copy const& plan, ndx::bounds mode) const {
    return std::visit(
        [&](auto const& policy) {
          if constexpr (requires { policy.takes_listed(plan, mode); }) return policy.takes_listed(plan, mode);
          else return false;
        },
        policy_);
  }
  template <ndx::plan::side Indirect, class T, class Index>
  bool move_listed(ndx::plan::indexed_copy const& plan, ndx::plan::arguments<T, Index> const& arguments) const {
    return std::visit(
        [&](auto const& policy) {
          if constexpr (requires { policy.template move_listed<Indirect>(plan, arguments); })
            return policy.template move_listed<Indirect>(plan, arguments);
          else return false;
        },
        policy_);
  }

private:
  std::string name_;
  std::variant<std::remove_cvref_t<decltype(ndx::seq)>, std::remove_cvref_t<decltype(ndx::simd)>,
               std::remove_cvref_t<decltype(ndx::par_simd)>>
      policy_;
  bool moves_few_;  // that is, small calls are those of `seq`
};

#ifndef NDX_TEST_VULKAN
/// What `for_each_policy` visits.
inline std::vector<any_policy> const& every_policy() {
  static std::vector<any_policy> const policies = [] {
    std::vector<any_policy> result;
    for_each_policy([&](std::string const& name, auto const& policy) { result.emplace_back(name, policy); });
    return result;
  }();
  return policies;
}
#endif

}  // namespace test

#endif
