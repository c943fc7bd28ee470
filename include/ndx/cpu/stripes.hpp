// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_STRIPES_HPP
#define NDX_CPU_STRIPES_HPP

#include <ndx/cpu/mover.hpp>
#include <ndx/cpu/scratch.hpp>

#include <atomic>
#include <cstring>
#include <utility>

namespace ndx::cpu {

/// A scatter of single elements along one axis, taken apart by destinations: each piece is brought into a cache,
/// written there, and left for good. Where the scatter copies its input the copy is part of that, so that the output is
/// not gone through twice.
///
/// - The last axis: a piece is a row of the output.
/// - Another one: a piece is a stripe, some columns of every row along the axis. It is packed into scratch, as rows a
///   large power of two apart would fight for few places of the caches.
///
/// Pieces share no element, so they may be done in any order and by any thread; within one, updates keep theirs.
template <class Index>
class stripes {
public:
  /// To be asked after the check: the indices must be good. `copying` is null in place.
  stripes(work<Index> const& moving, work<Index> const* copying, int threads) noexcept : work_(moving) {
    plan::indexed_copy const& plan = *moving.plan;
    if (moving.write_stripe == nullptr || moving.write_lines == nullptr || plan.moves_nothing()) return;
    if (plan.coordinate_count != 1 || plan.tail != moving.element_size || plan.tuple_rank == 0) return;
    std::size_t const last = plan.tuple_rank - 1;
    std::size_t axis = 0;
    while (axis < last && plan.loops[axis].destination != 0) ++axis;
    along_ = plan.loops[axis];
    if (along_.destination != 0 || axis_extent() < 1) return;
    if (axis != last) columns_ = plan.loops[last];
    for (std::size_t d = 0; d < last; ++d)
      if (d != axis) outer_[outer_count_++] = plan.loops[d];
    pieces_ = plan.tuples / along_.extent / columns_.extent;
    elements_ = pieces_ * axis_extent() * columns_.extent;
    if (copying != nullptr && covers(*copying->plan)) input_ = copying->source;
    if (axis == last) take_rows(threads);
    else take_columns(threads);
  }

  /// Is this the way to do it?
  [[nodiscard]] bool pays() const noexcept { return parts_ > 0; }

  /// Is the copy of the input part of it?
  [[nodiscard]] bool copies() const noexcept { return pays() && input_ != nullptr; }

  /// The scratch of all threads is the caller's: threads that have just been started, or had nothing to do until now,
  /// then allocate nothing. Where there is no memory it only takes longer.
  template <class Runner>
  void move(Runner const& runner) const noexcept {
    index_t const places = lesser(runner.threads, parts_);
    std::byte* const all = scratch::of_this_thread().updates.take(static_cast<std::size_t>(places * scratch_bytes()));
    std::atomic<index_t> next{0};
    runner.run(places, [&](index_t place) {
      std::byte* const packed = all != nullptr ? all + place * scratch_bytes() : nullptr;
      auto const take = [&] { return next.fetch_add(1, std::memory_order_relaxed); };
      if (is_row_) write_rows(take, packed);
      else write_stripes(take, packed);
      if (stream_) finish_streamed_stores();
    });
  }

private:
  struct offsets {
    index_t destination;
    index_t source;
    index_t indices;
  };

  /// The scratch that a thread needs for its parts.
  [[nodiscard]] index_t scratch_bytes() const noexcept {
    return !is_row_ ? whole_lines(axis_extent() * stripe_pitch_) : stream_ ? 2 * staged_row_bytes() : 0;
  }

  [[nodiscard]] kernel_index<Index> const* indices_from(index_t first) const noexcept {
    return reinterpret_cast<kernel_index<Index> const*>(work_.indices + first);
  }

  [[nodiscard]] static index_t whole_lines(index_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
  [[nodiscard]] index_t staged_row_bytes() const noexcept { return whole_lines(axis_extent() * size()); }

  [[nodiscard]] index_t axis_extent() const noexcept { return work_.plan->coordinates[0].extent; }
  [[nodiscard]] index_t axis_stride() const noexcept { return work_.plan->coordinates[0].stride; }
  [[nodiscard]] index_t size() const noexcept { return work_.element_size; }

  /// Do the pieces make up the whole output, and does the input lie in memory as the output does?
  [[nodiscard]] bool covers(plan::indexed_copy const& copy) const noexcept {
    for (std::size_t d = 0; d < copy.rank; ++d)
      if (copy.loops[d].destination != copy.loops[d].source) return false;
    return copy.destination_base == copy.source_base && copy.tail == elements_ * size();
  }

  void take_rows(int threads) noexcept {
    index_t const bytes = axis_extent() * size();
    if (input_ == nullptr || axis_stride() != size() || bytes < tuning::least_copied_row_bytes ||
        bytes > tuning::fetched_row_bytes)
      return;
    index_t const streamed = is_intel() ? streamed_call_bytes(threads) : 2 * tuning::streamed_copy_bytes;
    stream_ = streams(work_.stores, 2 * elements_ * size(), unless_fetched(streamed, threads));
    // By several threads rows took 0.6 to 1.1 of the time from there on.
    index_t const least = threads > 1  ? tuning::prefetched_bytes
                          : is_intel() ? tuning::copied_rows_bytes_intel
                                       : tuning::copied_rows_bytes;
    if (!stream_ && elements_ * size() < least) return;
    is_row_ = true;
    rows_in_part_ = tuning::bytes_in_part / bytes;
    parts_ = (pieces_ + rows_in_part_ - 1) / rows_in_part_;
  }

  void take_columns(int threads) noexcept {
    index_t const rows = axis_extent();
    if (columns_.destination != size() || columns_.source != size() || columns_.indices != 1 ||
        rows < tuning::least_striped_rows || columns_.extent * size() < tuning::least_stripe_row_bytes ||
        work_.plan->tuples < elements_ / tuning::striped_share)
      return;
    index_t bytes = lesser(tuning::stripe_bytes / rows, 4 * tuning::stripe_row_bytes);
    if (bytes < tuning::stripe_row_bytes) bytes = lesser(tuning::stripe_row_bytes, tuning::most_stripe_bytes / rows);
    bytes = bytes / 64 * 64;
    if (bytes < tuning::least_stripe_row_bytes || !pays_by_columns()) return;
    auto const in_piece = [&] { return (columns_.extent * size() + bytes + 63) / bytes; };
    while (bytes >= 2 * tuning::least_stripe_row_bytes && pieces_ * in_piece() < index_t{2} * threads)
      bytes = bytes / 128 * 64;
    stripe_pitch_ = bytes;
    stream_ = streams(work_.stores, 2 * elements_ * size(), streamed_call_bytes(threads));
    parts_ = pieces_ * in_piece();
  }

  /// Does packing, which reads and writes all of the destination, take less time than going all over it? A caller who
  /// wants it past the caches gets that in no other way.
  [[nodiscard]] bool pays_by_columns() const noexcept {
    std::uint64_t const matrix = plan::magnitude(axis_stride()) * static_cast<std::uint64_t>(axis_extent());
    if (work_.stores == ndx::stores::streaming) return matrix >= static_cast<std::uint64_t>(tuning::prefetched_bytes);
    if (matrix < static_cast<std::uint64_t>(tuning::striped_bytes)) return false;
    bool const copies = input_ != nullptr;
    bool const far = matrix >= static_cast<std::uint64_t>(tuning::striped_far_bytes);
    index_t const lines = far      ? tuning::striped_far_lines
                          : copies ? tuning::striped_lines_copied
                                   : tuning::striped_lines;
    return touches(is_intel() && !(copies && far) ? lines * tuning::striped_lines_factor_intel : lines);
  }

  /// Do the updates touch so many halves of a line for each line of the destination? Their number alone does not tell:
  /// where neighbours lead to the same rows they touch few. So those of one line's worth of columns are counted.
  [[nodiscard]] bool touches(index_t least) const noexcept {
    std::uint64_t seen[tuning::most_stripe_bytes / tuning::least_stripe_row_bytes / 64 + 1] = {};
    index_t const first = columns_.extent / 2;
    index_t const columns = lesser(columns_.extent - first, 64 / size());
    index_t touched = 0;
    for (index_t row = 0; row < along_.extent; ++row) {
      Index const* const indices = work_.indices + work_.plan->indices_base + row * along_.indices + first;
      auto const place_of = [&](index_t column) {
        auto const index = static_cast<std::int64_t>(indices[column]);
        return index < 0 ? index + axis_extent() : index;
      };
      for (index_t column = 0; column < columns; ++column) {
        index_t const place = place_of(column);
        std::uint64_t const bit = std::uint64_t{1} << (place % 64);
        touched += (seen[place / 64] & bit) == 0 ? 1 : 0;
        seen[place / 64] |= bit;
      }
      for (index_t column = 0; column < columns; ++column) seen[place_of(column) / 64] = 0;
      touched += tuning::striped_row_lines;
      if (2 * touched >= least * axis_extent()) return true;
    }
    return false;
  }

  [[nodiscard]] offsets locate(index_t piece) const noexcept {
    offsets result{work_.plan->destination_base, work_.plan->source_base, work_.plan->indices_base};
    for (std::size_t d = outer_count_; d-- > 0;) {
      plan::loop const& loop = outer_[d];
      index_t const step = d > 0 ? piece % loop.extent : piece;
      if (d > 0) piece /= loop.extent;
      result.destination += step * loop.destination;
      result.source += step * loop.source;
      result.indices += step * loop.indices;
    }
    return result;
  }

  /// Rows that are streamed are made in two places of the scratch by turns: while a row gets its updates the one before
  /// leaves. Streamed by itself it would be written by a thread that reads nothing meanwhile.
  template <class Take>
  void write_rows(Take const& take, std::byte* packed) const noexcept {
    bool const staged = stream_ && packed != nullptr;
    staged_lines behind{};
    bool second = false;
    for (index_t part = take(); part < parts_; part = take()) {
      for (index_t row = part * rows_in_part_; row < lesser(pieces_, (part + 1) * rows_in_part_); ++row) {
        offsets const at = locate(row);
        std::byte* const place = work_.destination + at.destination;
        std::byte* const to = staged ? packed + (second ? staged_row_bytes() : 0) : place;
        write_row(at, to, behind);
        if (staged) behind = leave_whole_lines(place, to);
        second = !second;
      }
    }
    if (behind.count > 0) copy_bytes(*work_.copies, behind.to, behind.from, behind.count * 64, {.stream = true});
  }

  void write_row(offsets const& at, std::byte* to, staged_lines const& behind) const noexcept {
    index_t const bytes = axis_extent() * size();
    bool const fetched = !stream_ && fetches_output(2 * elements_ * size(), tuning::fetched_copy_bytes);
    copy_bytes(*work_.copies, to, input_ + at.destination, bytes, {.fetch_output = fetched});
    auto const next = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(input_ + at.destination + bytes) -
                                           reinterpret_cast<std::uintptr_t>(to));
    work_.write_lines(
        to, work_.source + at.source, along_.source,
        {indices_from(at.indices), along_.indices, 0, work_.plan->coordinates.data(), 1, 0, 0, along_.extent},
        {no_loop, next, next + bytes, behind}, {.prefetch = true, .far = elements_ * size() >= tuning::paced_bytes});
  }

  /// Copies the ends of a row that are no whole lines where they belong.
  [[nodiscard]] staged_lines leave_whole_lines(std::byte* place, std::byte const* row) const noexcept {
    index_t const bytes = axis_extent() * size();
    auto const head = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(place) & 63U);
    index_t const count = (bytes - head) / 64;
    index_t const tail = head + count * 64;
    std::memcpy(place, row, static_cast<std::size_t>(head));
    std::memcpy(place + tail, row + tail, static_cast<std::size_t>(bytes - tail));
    return {place + head, row + head, count};
  }

  /// Updates of a stripe, and its way to where these are made, and back; both ways are of no bytes where that is the
  /// tensor itself.
  struct stripe {
    stripe_request<kernel_index<Index>> updates;
    stripe_rows coming;
    stripe_rows leaving;
  };

  template <class Take>
  void write_stripes(Take const& take, std::byte* packed) const noexcept {
    auto const exchange = [&](stripe_rows const& leaving, stripe_rows const& coming) {
      work_.copies->stripes(leaving, coming, axis_extent(), stream_);
    };
    stripe_rows leaving{};
    for (index_t part = take(); part < parts_; part = take()) {
      stripe const one = locate_stripe(part, packed);
      if (one.updates.columns == 0) continue;  // stripes that begin where lines do may be one less
      exchange(leaving, one.coming);
      work_.write_stripe(one.updates);
      leaving = one.leaving;
      // A line that goes into the caches is read before: then all would be reads, from more places at a time.
      if (!stream_) exchange(std::exchange(leaving, {}), {});
    }
    exchange(leaving, {});
  }

  [[nodiscard]] stripe locate_stripe(index_t part, std::byte* packed) const noexcept {
    index_t const in_piece = parts_ / pieces_;
    offsets const at = locate(part / in_piece);
    index_t const pitch = axis_stride();
    index_t const width = stripe_pitch_ / size();
    std::byte* const row = work_.destination + at.destination;
    // Stripes begin where lines do, as far as the rows agree on that.
    auto const shift = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(row) & 63U) / size();
    index_t const first = part % in_piece * width - shift;
    index_t const begin = first < 0 ? 0 : first;
    index_t const columns = lesser(columns_.extent, first + width) - begin;
    if (columns <= 0) return {};
    index_t const bytes = columns * size();
    std::byte* const to = row + begin * size();
    std::byte const* const from = input_ != nullptr ? input_ + at.destination + begin * size() : to;
    std::byte* const made = packed != nullptr ? packed + (begin - first) * size() : to;
    index_t const made_pitch = packed != nullptr ? stripe_pitch_ : pitch;
    return {{indices_from(at.indices + begin), along_.indices, work_.source + at.source + begin * size(), along_.source,
             along_.extent, columns, axis_extent(), made, made_pitch},
            {made, made_pitch, from, pitch, made != from ? bytes : 0},
            {to, pitch, made, made_pitch, made != to ? bytes : 0}};
  }

  work<Index> work_;
  std::byte const* input_ = nullptr;  // where the copy is part of the work
  plan::loop along_{};                // the loop of the axis, whose destination the indices tell
  plan::loop columns_{1, 0, 0, 0};    // the innermost loop, where that is another one
  plan::loop outer_[plan::max_rank] = {};
  std::size_t outer_count_ = 0;
  index_t pieces_ = 0;    // steps of the outer loops
  index_t elements_ = 0;  // of the destination, in all pieces
  index_t parts_ = 0;
  index_t rows_in_part_ = 0;
  index_t stripe_pitch_ = 0;
  bool is_row_ = false;
  bool stream_ = false;
};

}  // namespace ndx::cpu

#endif
