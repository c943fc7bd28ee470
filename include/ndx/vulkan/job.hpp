// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_JOB_HPP
#define NDX_VULKAN_JOB_HPP

#include <ndx/options.hpp>
#include <ndx/plan/operation.hpp>
#include <ndx/plan/slots.hpp>
#include <ndx/vulkan/call_tensors.hpp>
#include <ndx/vulkan/elements.hpp>
#include <ndx/vulkan/few_copy.hpp>
#include <ndx/vulkan/kernels.hpp>
#include <ndx/vulkan/lower.hpp>

/// What one pass over a plan needs.
namespace ndx::vulkan {

/// Everything that one pass over a plan needs; the plan in units.
struct job {
  plan::indexed_copy plan;
  index_t unit;
  operand destination;
  operand source;
  bounds mode;
  pipeline_key key;
  std::uint32_t at_once;
  index_t element;         ///< less than a unit where those are to be turned around, or begin anywhere in the source
  std::size_t transposed;  ///< the loop that reads one unit after the other; the plan's rank: none, or another kernel
  index_t tile_side;       ///< of a transposition, in units
  index_t source_unit;     ///< what the plan counts in the source
  bool in_order = false;
  bool looks = false;        ///< at indices, for what is done after it
  bool few = false;          ///< each workgroup looks at all tuples first
  bool last_of_few = false;  ///< ... and finds the last of duplicates
  few_copy copied{};         ///< ... and makes a share of this, before it writes what leads there
  bool pads_rows = false;    ///< has a power of two of invocations for a row, so that two subgroups never share one
  byte_range claims{};
  VkDeviceAddress claims_address = 0;  ///< of the start of their buffer
  index_t claims_first = 0;
  bool claimed_by_tuples = false;    ///< the claims are bits, one for each tuple, and not words for slots
  index_t words_before_numbers = 0;  ///< those of the bits; behind them are the tuples' numbers. 0: their order is that
  index_t units_of_bucket = 0;       ///< a power of two; 0: the claims are other ones
  plan::slots slots{};               ///< to count in: of the whole plan, also where the job is a part of it

  /// Does it also read what it writes?
  [[nodiscard]] bool reads_ends() const noexcept {
    return key.which == kernel::rows_4_ends || key.which == kernel::rows_8_ends || key.which == kernel::rows_16_ends;
  }
  /// The invocations of a row: its units, or the next power of two. Only these kernels move so, not those of the other
  /// jobs that are made of this one.
  [[nodiscard]] index_t padded_tail() const noexcept {
    bool const pads = pads_rows && (key.which == kernel::move_4 || key.which == kernel::move_8);
    index_t padded = 1;
    while (pads && padded < plan.tail) padded *= 2;
    return pads ? padded : plan.tail;
  }
  [[nodiscard]] byte_range destinations() const noexcept {
    return copied.is_of_nothing() ? reach(plan, through::destination, destination, unit, unit) : copied.to;
  }
  [[nodiscard]] byte_range sources() const noexcept { return reach(plan, through::source, source, source_unit, unit); }
};

/// How a reduction is to be carried out.
struct reduction_request {
  element_kind element;
  index_t element_size;
  plan::operation const& operation;

  /// Rounding makes the order matter; integers and extremes are the same in any.
  [[nodiscard]] bool needs_order() const noexcept {
    bool const rounds = operation.reduction == reduction::mul || adds();
    return operation.duplicates == duplicates::last && rounds && is_floating(element);
  }

  /// Subtracting is adding the opposite, and a mean is divided later.
  [[nodiscard]] bool adds() const noexcept {
    return operation.reduction == reduction::add || operation.reduction == reduction::sub ||
           operation.reduction == reduction::mean;
  }
};

}  // namespace ndx::vulkan

#endif
