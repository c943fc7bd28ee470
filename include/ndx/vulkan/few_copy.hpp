// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_FEW_COPY_HPP
#define NDX_VULKAN_FEW_COPY_HPP

#include <ndx/plan/operation.hpp>
#include <ndx/vulkan/operand.hpp>
#include <ndx/vulkan/tuning.hpp>

namespace ndx::vulkan {

/// The copy of its input that a scatter of few tuples makes itself, share by share, as in shaders/few.glsl. It is of
/// nothing where there is none.
struct few_copy {
  operand from{};
  byte_range to{};

  few_copy() noexcept = default;
  few_copy(plan::operation const& op, index_t element_size, operand const& destination, operand const& input) noexcept {
    if (op.copy == nullptr || op.copies_fill) return;
    plan::indexed_copy const run = plan::in_bytes(*op.copy, static_cast<std::size_t>(element_size));
    if (run.rank != 0 || run.run > static_cast<index_t>(tuning::few_copied_bytes)) return;
    from = shifted(input, run.source_base);
    to = reach(run, through::destination, destination, 1, run.run);
  }

  [[nodiscard]] bool is_of_nothing() const noexcept { return to.size() == 0; }
  [[nodiscard]] byte_range source() const noexcept { return {from.buffer, from.place, from.place + to.size()}; }

  /// Kernels read words, and write words, or units of 16 bytes where all of them are whole.
  [[nodiscard]] bool is_by_words() const noexcept { return (to.begin | to.end | from.place) % 4 == 0; }
  [[nodiscard]] bool is_by_16() const noexcept { return (to.begin | to.end) % 16 == 0; }
};

}  // namespace ndx::vulkan

#endif
