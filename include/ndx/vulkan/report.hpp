// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_REPORT_HPP
#define NDX_VULKAN_REPORT_HPP

#include <ndx/plan/operation.hpp>
#include <ndx/plan/resolve.hpp>
#include <ndx/vulkan/parameters.hpp>

#include <array>

namespace ndx::vulkan {

/// Throws the `index_error` for an index whose bits are `value`; knows the type of the indices.
using fail_function = void(plan::operation const&, index_t const* place, std::size_t coordinate, std::uint64_t value);

template <class Index>
[[noreturn]] void fail_index(plan::operation const& op, index_t const* place, std::size_t coordinate,
                             std::uint64_t value) {
  plan::detail::fail_index(op, place, coordinate, static_cast<Index>(value));
}

/// What is left to do when an operation has run and met a bad index: to say so. Holds copies of all that it refers to,
/// as the call is over by then.
class pending_check {
public:
  pending_check(plan::operation const& op, fail_function* how) : operation_(op), fail_(how) {
    plan::layout const& indices = op.indices;
    for (std::size_t d = 0; d < indices.rank; ++d) extents_[d] = indices.extents[d];
  }

  /// Throws the `index_error` that is in the report of a part whose tuples count from `first_tuple`.
  void fail(report_block const& block, index_t first_tuple) const {
    // The first bad tuple is among the records unless it was corrected downwards more often than there is room for,
    // which takes a device that runs some sixty invocations strictly backwards. Then the earliest one recorded is told.
    std::uint32_t const count = block.count < reported_records ? block.count : reported_records;
    report_record found{no_word, 0, {}};
    for (std::uint32_t i = 0; i < count; ++i)
      if (block.records[i].tuple < found.tuple) found = block.records[i];

    plan::operation op = operation_;
    op.indices.extents = extents_.data();
    op.indices.strides = nullptr;
    std::size_t const tuple_rank = op.last_is_coordinate ? op.indices.rank - 1 : op.indices.rank;
    index_t all = 1;
    for (std::size_t d = 0; d < tuple_rank; ++d) all *= extents_[d];
    // One tuple of the plan stands for several of the caller's where these repeat along the last dimensions, and it is
    // in the first round where the plan goes through them several times.
    index_t number = (first_tuple + found.tuple) * (all / (op.move.tuples / op.move.rounds));
    std::array<index_t, plan::max_rank> place{};
    if (op.last_is_coordinate) place[tuple_rank] = static_cast<index_t>(found.coordinate);
    for (std::size_t d = tuple_rank; d-- > 0;) {
      place[d] = number % extents_[d];
      number /= extents_[d];
    }
    fail_(op, place.data(), found.coordinate, found.value.low | static_cast<std::uint64_t>(found.value.high) << 32U);
  }

private:
  plan::operation operation_;
  fail_function* fail_;
  std::array<index_t, plan::max_rank> extents_{};
};

}  // namespace ndx::vulkan

#endif
