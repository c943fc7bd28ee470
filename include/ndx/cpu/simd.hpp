// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SIMD_HPP
#define NDX_CPU_SIMD_HPP

#include <ndx/cpu/mover.hpp>
#include <ndx/cpu/scratch.hpp>
#include <ndx/cpu/seq.hpp>
#include <ndx/cpu/stripes.hpp>
#include <ndx/execution.hpp>

namespace ndx {

namespace cpu {

/// Which bytes a plan can reach on its indirect side, from its first to its last: for the decision to prefetch, and to
/// divide destinations among threads. In bytes; before and after the base.
struct reach {
  std::uint64_t before = 0;
  std::uint64_t after = 0;

  void add(index_t extent, index_t stride) noexcept {
    if (extent > 1) (stride < 0 ? before : after) += static_cast<std::uint64_t>(extent - 1) * plan::magnitude(stride);
  }
};

inline reach reach_of_tuples(plan::indexed_copy const& plan) noexcept {
  reach result;
  for (std::size_t c = 0; c < plan.coordinate_count; ++c)
    result.add(plan.coordinates[c].extent, plan.coordinates[c].stride);
  for (std::size_t d = 0; d < plan.tuple_rank; ++d)
    result.add(plan.loops[d].extent,
               plan.indirect == plan::side::source ? plan.loops[d].source : plan.loops[d].destination);
  return result;
}

/// One operation on host memory, T-free: everything that `simd` and `par_simd` decide alike. Plans in bytes.
template <class Index>
struct host_operation {
  plan::operation const* operation;
  plan::indexed_copy move;
  plan::indexed_copy copy;
  work<Index> moving;
  work<Index> copying;

  template <class T>
  host_operation(plan::operation const& op, plan::arguments<T, Index> const& on, instruction_set set) noexcept
      : operation(&op), move(plan::in_bytes(op.move, sizeof(T))) {
    bool const folds = op.bounds == bounds::clamp || op.bounds == bounds::wrap;
    bool const checked = op.bounds == bounds::check || op.bounds == bounds::ignore;
    kernel_set const* const kernels = &kernels_of(set);
    auto* const destination = reinterpret_cast<std::byte*>(on.destination);
    moving = {kernels,
              &move,
              destination,
              reinterpret_cast<std::byte const*>(on.source),
              on.indices,
              op.bounds,
              {},
              folds ? nullptr : resolver<Index>(set, checked),
              verifier<Index>(set),
              reducer<T>(set, op.reduction),
              nullptr,
              nullptr,
              reinterpret_cast<std::byte const*>(on.fill),
              static_cast<index_t>(sizeof(T))};
    index_t const moved = plan::wrapping_multiply(move.tuples, move.tail);
    moving.how.stream = moved >= tuning::streamed_output_bytes;
    if (move.indirect != plan::side::none) {
      reach const far = reach_of_tuples(move);
      moving.how.prefetch = far.before + far.after >= static_cast<std::uint64_t>(tuning::prefetched_bytes);
    }
    if (op.copy != nullptr) {
      copy = plan::in_bytes(*op.copy, sizeof(T));
      copying = moving;
      copying.plan = &copy;
      copying.source = reinterpret_cast<std::byte const*>(on.input);
      copying.how.stream = copy.tail >= tuning::streamed_copy_bytes;
    }
  }
  host_operation(host_operation const&) = delete;
  host_operation& operator=(host_operation const&) = delete;

  /// Must all indices be looked at before the first write?
  [[nodiscard]] bool checks_first() const noexcept {
    return move.indirect == plan::side::destination && operation->bounds != bounds::ignore &&
           operation->bounds != bounds::trust && (operation->bounds == bounds::check || has_empty_axis());
  }

  /// To be called after the check. A scatter's indices are good then, or by the caller's word: there is nothing to
  /// find.
  template <class T>
  void trust_indices(instruction_set set) noexcept {
    if (move.indirect != plan::side::destination) return;
    if (operation->bounds != bounds::check && operation->bounds != bounds::trust) return;
    moving.resolve = resolver<Index>(set, false);
    moving.write_line = line_writer<T, Index>(set, operation->reduction);
    moving.write_stripe = stripe_writer<T, Index>(set, operation->reduction);
  }

  /// To be called after `trust_indices`.
  [[nodiscard]] stripes<Index> in_stripes(int threads) const noexcept {
    return {moving, operation->copy != nullptr ? &copying : nullptr, threads};
  }

private:
  [[nodiscard]] bool has_empty_axis() const noexcept {
    for (std::size_t c = 0; c < move.coordinate_count; ++c)
      if (move.coordinates[c].extent == 0) return true;
    return false;
  }
};

/// Too small for the choice of kernels to pay.
inline bool is_small(plan::operation const& op) noexcept {
  return op.move.tuples <= tuning::small_call && op.move.tail <= tuning::small_call &&
         op.move.tuples * op.move.tail <= tuning::small_call &&
         (op.copy == nullptr || op.copy->tail <= tuning::small_call);
}

}  // namespace cpu

/// One thread, the best instruction set this processor has, chosen at run time.
class simd_policy {
public:
  constexpr simd_policy() = default;

  /// The same with the kernels of one instruction set; `unsupported_error` on use where the processor lacks it.
  [[nodiscard]] constexpr simd_policy with(instruction_set set) const noexcept {
    simd_policy result;
    result.chosen_ = true;
    result.set_ = set;
    return result;
  }

  template <class T, class Index>
  void execute(plan::operation const& op, plan::arguments<T, Index> const& on) const {
    instruction_set const set = instructions();
    if (cpu::is_small(op) && !chosen_) return seq.execute(op, on);
    cpu::host_operation<Index> host(op, on, set);
    if (host.checks_first() && !cpu::mover<Index>(host.moving).check()) plan::fail_first_bad_index(op, on.indices);
    host.template trust_indices<T>(set);
    cpu::stripes<Index> const striped = host.in_stripes(1);
    if (op.copy != nullptr && !striped.copies()) cpu::mover<Index>(host.copying).move();
    if (striped.parts() > 0) {
      std::byte* const packed = cpu::scratch(striped.scratch_bytes());
      for (index_t i = 0; i < striped.parts(); ++i) striped.run(i, packed);
      return;
    }
    if (!cpu::mover<Index>(host.moving).move()) plan::fail_first_bad_index(op, on.indices);
  }

  /// The instruction set in use.
  [[nodiscard]] instruction_set instructions() const {
    if (!chosen_) return cpu::default_instruction_set();
    if (!supported(set_))
      detail::fail(unsupported_error(detail::text("simd: this processor lacks ", cpu::name_of(set_),
                                                  "; due is an instruction set that supported() confirms")));
    return set_;
  }

private:
  bool chosen_ = false;
  instruction_set set_ = instruction_set::baseline;
};

inline constexpr simd_policy simd{};

}  // namespace ndx

#endif
