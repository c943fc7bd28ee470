// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_SIMD_HPP
#define NDX_CPU_SIMD_HPP

#include <ndx/cpu/carry_out.hpp>
#include <ndx/cpu/listed.hpp>
#include <ndx/cpu/seq.hpp>
#include <ndx/execution.hpp>

namespace ndx {

namespace cpu {

/// The thread that calls, as a runner.
struct one_thread {
  static constexpr int threads = 1;

  template <class Part>
  void run(index_t parts, Part const& part) const noexcept {
    for (index_t i = 0; i < parts; ++i) part(i);
  }
  template <class Index>
  [[nodiscard]] bool check(work<Index> const& what) const noexcept {
    return mover<Index>(what).check();
  }
  template <class Index>
  [[nodiscard]] bool move(work<Index> const& what) const noexcept {
    return mover<Index>(what).move();
  }
};

}  // namespace cpu

/// One thread, the best instruction set this processor has, chosen at run time.
class simd_policy {
public:
  constexpr simd_policy() = default;

  /// The same with the kernels of one instruction set; `unsupported_error` on use where the processor lacks it.
  [[nodiscard]] constexpr simd_policy with(instruction_set set) const noexcept {
    simd_policy result = *this;
    result.chosen_ = true;
    result.set_ = set;
    return result;
  }

  /// The same with outputs written into the caches, or past them.
  [[nodiscard]] constexpr simd_policy stores(ndx::stores chosen) const noexcept {
    simd_policy result = *this;
    result.stores_ = chosen;
    return result;
  }
  [[nodiscard]] constexpr ndx::stores stores() const noexcept { return stores_; }

  template <class Operation, class T, class Index>
  void execute(Operation const& op, plan::arguments<T, Index> const& on) const {
    if constexpr (Operation::may_scatter)
      if (op.reduction == ndx::reduction::mean)
        return cpu::carry_out_mean(op, on, [&](Operation const& sums) { execute(sums, on); });
    instruction_set const set = instructions();
    if (cpu::is_small(op) && !chosen_) return seq.execute(op, on);
    cpu::carry_out(op, on, set, stores_, cpu::one_thread{});
  }

  /// As `seq` has it: small calls are those of `seq`, unless they ask for kernels.
  [[nodiscard]] constexpr bool takes_as_made(plan::operation const& op) const noexcept {
    return !chosen_ && cpu::is_small(op);
  }
  template <class T, class Index>
  [[gnu::always_inline]] bool move_few(plan::indexed_copy const& plan, bounds mode,
                                       plan::arguments<T, Index> const& on) const {
    if (chosen_) return false;
    static_cast<void>(cpu::default_instruction_set());  // the environment may ask for one that there is not
    return seq_policy::move_few(plan, mode, on);
  }

  /// Is this a call that `move_listed` may be for, and takes less time than any other way then? Of a gather or scatter.
  [[nodiscard]] constexpr bool takes_listed(plan::indexed_copy const& plan, bounds mode) const noexcept {
    if (stores_ != ndx::stores::automatic || (mode != bounds::check && mode != bounds::trust)) return false;
    if (has_batch(plan)) return false;
    // By the number of loops, which the compiler knows. Rows of one element take no less than others do.
    bool const elements = plan.rank == plan.tuple_rank;
    return chosen_ || plan.tuples > (elements ? cpu::tuning::small_call : cpu::tuning::least_listed);
  }

  /// The call that larger ones mostly are, up to so many bytes. False where it is another call, or an index is bad.
  template <plan::side Indirect, class T, class Index>
  [[gnu::always_inline]] bool move_listed(plan::indexed_copy const& plan, plan::arguments<T, Index> const& on,
                                          index_t most_bytes = cpu::tuning::listed_bytes) const {
    return cpu::move_listed<Indirect>(plan, on, instructions(), most_bytes);
  }

  /// The instruction set in use.
  [[nodiscard]] instruction_set instructions() const {
    return chosen_ ? confirmed(set_) : cpu::default_instruction_set();
  }

private:
  /// Are there several lists, each for a part of the indirect side? By the outermost loop, as far as that tells.
  [[nodiscard]] static constexpr bool has_batch(plan::indexed_copy const& plan) noexcept {
    if (plan.tuple_rank == 0) return false;
    plan::loop const& outer = plan.loops[0];
    return outer.extent > 1 && (plan.indirect == plan::side::source ? outer.source : outer.destination) != 0;
  }

  // Not inlined, for the text.
  [[gnu::noinline]] static instruction_set confirmed(instruction_set set) {
    if (!supported(set))
      detail::fail(unsupported_error(detail::text("simd: this processor lacks ", cpu::name_of(set),
                                                  "; due is an instruction set that supported() confirms")));
    return set;
  }

  bool chosen_ = false;
  instruction_set set_ = instruction_set::baseline;
  ndx::stores stores_ = ndx::stores::automatic;
};

inline constexpr simd_policy simd{};

}  // namespace ndx

#endif
