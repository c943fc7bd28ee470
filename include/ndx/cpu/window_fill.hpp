// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_WINDOW_FILL_HPP
#define NDX_CPU_WINDOW_FILL_HPP

#include <ndx/cpu/nest.hpp>
#include <ndx/cpu/stores.hpp>
#include <ndx/cpu/walker.hpp>
#include <ndx/plan/normalize.hpp>

namespace ndx::cpu {

/// A window that is written into a tensor whose other elements are all the same. By blocks: what is filled is still in
/// the first-level cache when the window's part of it is written, and memory sees each line once.
template <class Index>
class window_fill {
public:
  /// `filling` writes the one element everywhere, `moving` the window; null where a call fills nothing.
  window_fill(work<Index> const* filling, work<Index> const& moving, int threads) noexcept
      : filling_(filling), moving_(&moving) {
    if (filling != nullptr) streams_ = cpu::streams(moving.stores, filling->plan->tail, streamed_call_bytes(threads));
  }

  /// Is the output one run of elements, which alone can be cut anywhere?
  [[nodiscard]] bool pays() const noexcept {
    if (filling_ == nullptr || moving_->plan->indirect != plan::side::none || moving_->plan->moves_nothing())
      return false;
    plan::indexed_copy const& fill = *filling_->plan;
    return fill.rank == 1 && fill.loops[0].source == 0 && fill.loops[0].destination == moving_->element_size &&
           fill.run == moving_->element_size;
  }

  /// All of it, in parts of the window's first loop.
  template <class Runner>
  void write(Runner const& runner) const noexcept {
    plan::indexed_copy const& move = *moving_->plan;
    plan::indexed_copy const& fill = *filling_->plan;
    index_t const begin = fill.destination_base;
    index_t const end = begin + fill.tail;
    plan::loop const first = move.rank > 0 ? move.loops[0] : no_loop;
    bool const divides = runner.threads > 1 && fill.tail >= tuning::parallel_bytes;
    index_t const most = divides ? lesser(first.extent, fill.tail / tuning::bytes_in_part + 1) : 1;
    index_t const step = (first.extent + most - 1) / most;
    index_t const parts = (first.extent + step - 1) / step;
    runner.run(parts, [&](index_t i) {
      index_t const from = i * step;
      index_t const to = lesser(from + step, first.extent);
      auto const start_of = [&](index_t iteration) { return move.destination_base + iteration * first.destination; };
      part mine{*this, i == 0 ? begin : start_of(from)};
      plan::indexed_copy const window = move.rank > 0 ? plan::part(move, 0, from, to) : move;
      mine.cover({window.loops.data(), window.rank, window.run}, window.destination_base, window.source_base);
      mine.fill_to(i == parts - 1 ? end : start_of(to));
      if (streams_) finish_streamed_stores();
    });
  }

private:
  /// What one thread does, from the first byte that is not written yet.
  struct part {
    window_fill const& whole;
    index_t written;

    /// A part of the window that begins at `to`, with all that lies before its end.
    void cover(nest const& window, index_t to, index_t from) noexcept {
      if (window.count == 0) return put_row(no_loop, window.run, to, from);
      plan::loop const outer = window.loops[0];
      index_t const at_once =
          whole.streams_ && window.run >= tuning::staged_row_bytes ? 0 : tuning::filled_block_bytes / outer.destination;
      if (at_once == 0) {
        for (index_t i = 0; i < outer.extent; ++i, to += outer.destination, from += outer.source) {
          if (window.count == 1) put_row(outer, window.run, to, from);
          else cover({window.loops + 1, window.count - 1, window.run}, to, from);
        }
        return;
      }
      plan::loop block[plan::max_rank];
      for (std::size_t d = 0; d < window.count; ++d) block[d] = window.loops[d];
      for (index_t i = 0; i < outer.extent; i += at_once) {
        block[0].extent = lesser(at_once, outer.extent - i);
        put_block({block, window.count, window.run}, to + i * outer.destination, from + i * outer.source);
      }
    }

    void fill_to(index_t end) noexcept {
      if (end > written) fill(whole.filling_->destination + written, end - written, {.stream = whole.streams_});
      written = greater(written, end);
    }

  private:
    void fill(std::byte* to, index_t bytes, hints how) const noexcept {
      work<Index> const& what = *whole.filling_;
      index_t const size = what.element_size;
      copy_line(*what.copies, {bytes / size, size, 0, 0}, size, to, what.source + what.plan->source_base, how);
    }

    /// A row, one of those along a loop; what lies before it is filled.
    void put_row(plan::loop const& along, index_t bytes, index_t to, index_t from) noexcept {
      fill_to(to);
      work<Index> const& what = *whole.moving_;
      grid const one{no_loop, {1, along.destination, along.source, 0}, bytes};
      what.copies->rows(what.destination + to, what.source + from, one, {.stream = whole.streams_});
      written = to + bytes;
    }

    /// Some rows or elements, and what lies before and between them. What is streamed is put together in the
    /// first-level cache.
    void put_block(nest const& window, index_t to, index_t from) noexcept {
      work<Index> const& what = *whole.moving_;
      std::byte const* const source = what.source + from;
      index_t end = to + window.run;
      for (std::size_t d = 0; d < window.count; ++d) end += (window.loops[d].extent - 1) * window.loops[d].destination;
      if (!whole.streams_) {
        fill_to(end);
        return copy_nest(*what.copies, window, what.destination + to, source, {.owns_gaps = true});
      }
      if (to - written > tuning::stage_bytes) fill_to(to);
      alignas(64) std::byte stage[tuning::filled_block_bytes + tuning::stage_bytes + 64];
      // It begins where a line of the output does.
      std::byte* const first = what.destination + written;
      std::byte* const staged = stage + (reinterpret_cast<std::uintptr_t>(first) & 63U);
      fill(staged, end - written, {});
      copy_nest(*what.copies, window, staged + (to - written), source, {.owns_gaps = true});
      copy_bytes(*what.copies, first, staged, end - written, {.stream = true});
      written = end;
    }
  };

  work<Index> const* filling_;
  work<Index> const* moving_;
  bool streams_ = false;
};

}  // namespace ndx::cpu

#endif
