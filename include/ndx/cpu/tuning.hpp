// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_TUNING_HPP
#define NDX_CPU_TUNING_HPP

#include <ndx/error.hpp>

/// Every threshold of the CPU kernels, each with what it was chosen by. What their halves and doubles do is in
/// bench/results/tuning; bench/tuning.cpp measures that on any machine.
///
/// Constants, but for a program that defines this as `inline`, to vary them while it runs. Not those that sizes of
/// arrays are made of.
#ifndef NDX_CPU_TUNABLE
#define NDX_CPU_TUNABLE inline constexpr
#endif

namespace ndx::cpu::tuning {

/// Tuples whose offsets are computed at once, and then moved by one call: enough for the call to cost nothing. While
/// offsets are computed, nothing is asked of the memory: rows of 64 to 256 bytes from anywhere took 0.97 to
/// 0.99 of the time that they took with steps of 64, and 0.89 to 0.97 of that with 32 (Intel Xeon).
inline constexpr index_t tuples_in_step = 128;

/// A line of so few tuples and bytes that is gone through so often is found once: the channels of pixels are. Below,
/// more than half of the time went into what is done for each line anew.
inline constexpr index_t tuples_in_group = 64;
NDX_CPU_TUNABLE index_t group_bytes = index_t{1} << 10;
NDX_CPU_TUNABLE index_t least_groups = 4;

/// ... but gathered again for each time where all is in the caches and the line has so many tuples: of 16 that took 0.7
/// to 0.8 of the time, of 32 0.5 to 0.8, of 8 0.8 to 1.25 (AMD EPYC, Zen 5).
NDX_CPU_TUNABLE index_t least_repeated_line = 16;

/// From so many bytes on, read and written by a call, its output is written past the caches: below, they hold all of
/// it, and a caller that reads the output at once finds it there; above, reading each line before it is overwritten
/// costs more than that. AMD's processors divide their last cache among groups of cores. On a share of 32 MiB, one
/// thread streamed outputs in half the time where a call took 16 MiB, and never lost much by it from 12 on. Several
/// threads share the one link on which a group writes to memory, 28 (Zen 4) or 42 GB/s (Zen 5), which one thread fills:
/// with them, streaming took 1.3 to 2.4 times as long up to 20 MiB, and less time from 24 on.
NDX_CPU_TUNABLE index_t streamed_call_bytes = index_t{32} << 20;
NDX_CPU_TUNABLE index_t streamed_call_bytes_amd = index_t{12} << 20;
NDX_CPU_TUNABLE index_t streamed_call_bytes_amd_threads = index_t{24} << 20;

/// ... on a Zen 3 from fewer on: two threads took 0.44 to 0.71 of the time for slices of 16 MiB and 0.57 to 1.0 for
/// rows of 64 bytes to 1 KiB, but up to 1.5 times as long out of tables of 4 MiB; for slices of 12 MiB 1.1 to 1.6
/// times. More threads were not tried.
NDX_CPU_TUNABLE index_t streamed_call_bytes_zen_3_threads = index_t{16} << 20;

/// ... unless the processor is to fetch lines instead (`fetches_outputs`), and no more threads than this take part.
/// They ask the memory for half as much again as if they streamed, which many would wait for. One or two threads of a
/// Cascade Lake take less time that way; more were not measured.
NDX_CPU_TUNABLE int most_threads_that_fetch = 4;

/// On such processors the lines of an output are fetched from so many bytes on, read and written by a gather, or by
/// anything else. Rows of 64 to 256 bytes took 0.2 to 0.6 of the time for 8 MiB, 0.4 to 0.7 for 3, by two threads 0.2
/// to 0.9 and 0.5 to 1.05; copies and slices of 15 MiB 0.5 to 1.04, of 8 0.84 to 1.08, but of 3 on two threads 1.2
/// to 1.4 times as long (Cascade Lake).
NDX_CPU_TUNABLE index_t fetched_gather_bytes = index_t{4} << 20;
NDX_CPU_TUNABLE index_t fetched_copy_bytes = index_t{16} << 20;

/// ... so far ahead: with half and twice as much all took as long, within 3 % (Cascade Lake).
NDX_CPU_TUNABLE index_t output_bytes_ahead = index_t{1} << 10;

/// A scatter in place writes past the caches what it moves from so many bytes on, to anywhere in so many: whoever reads
/// those finds little of it in the caches either way. Rows of 64 bytes to 2 KiB took 0.5 to 1.0 of the time, by one
/// thread and by two; into 1 MiB up to 1.6 times as long (Intel Xeon, 2 MiB of L2 a core). On an AMD EPYC (Zen 4) they
/// took 0.4 to 1.0 of the time into 64 and 256 MiB, but of 128 bytes in pages of 4 KiB up to 1.3 of it; two threads 0.5
/// to 0.95. Into 16 MiB, which its caches hold, up to 1.4. On AMD's other processors, where it was not measured, the
/// thresholds above count for scatters as well.
NDX_CPU_TUNABLE index_t streamed_scatter_bytes = index_t{2} << 20;
NDX_CPU_TUNABLE index_t streamed_scatter_reach = index_t{16} << 20;
NDX_CPU_TUNABLE index_t streamed_scatter_reach_zen_4 = index_t{64} << 20;

/// The copy of a scatter's input is written past the caches from this size on only: the scatter comes right after it.
/// Rows that are written before they leave go past them like any output on Intel's processors, where those of 16 to 47
/// MiB took 0.67 to 0.98 of the time (Emerald Rapids); on a Zen 5 they took 1.0 to 1.5 times as long.
NDX_CPU_TUNABLE index_t streamed_copy_bytes = index_t{64} << 20;

/// A scatter with a copy writes each row once, from the input or from the updates, where there is an update for every
/// so many rows or more, and rows have so many bytes or more: a quarter of them where there is an update for every
/// second row, or several threads, and an eighth where there are both. 256 MB of rows of 4 KiB took 0.97 of the time of
/// a copy and then a scatter where a fifth got an update, 0.87 where half did, and 0.66 where there were as many
/// updates as rows; of 1 KiB 1.2, 0.91 and 0.77; by two threads, of 4 KiB 0.81, 0.60 and 0.49, of 1 KiB 0.89, 0.72 and
/// 0.55, of 512 bytes 0.98, 0.72 and 0.57, of 256 bytes 0.95 to 1.08 (AMD EPYC, Zen 4). On an Intel Xeon of
/// 4 KiB 0.88, 0.69 and 0.48, and by two to eight threads much the same.
NDX_CPU_TUNABLE index_t merged_share = 8;
NDX_CPU_TUNABLE index_t merged_row_bytes = index_t{4} << 10;

/// ... or, where lines of outputs are fetched, so many bytes, and a half of them where there is an update for every
/// second row: one thread and two took 0.93 to 1.0 of the time with rows of 512 bytes of which a fifth or an eighth got
/// an update, 0.88 to 0.96 with those of 1 KiB; with an update for every second row 0.86 where rows have 256 bytes,
/// but 1.1 to 1.3 where they have 128 (Cascade Lake).
NDX_CPU_TUNABLE index_t merged_fetched_row_bytes = 512;

/// What is filled before the part of a window that lies in it is written: half of the smallest L1.
inline constexpr index_t filled_block_bytes = index_t{16} << 10;

/// Rows shorter than a cache line are not worth a streaming store of their own.
NDX_CPU_TUNABLE index_t streamed_row_bytes = 64;

/// ... nor are those of a scatter up to this length that begin or end within a line, of which hardly any is left then:
/// rows of 100 bytes took 17.9 ms streamed and 9.6 as usual; of 128 bytes, 16 into a line, 11.1 and 12.0; of 192, 5.8
/// and 9.2 (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t streamed_rest_bytes = 128;

/// Rows that are streamed by one of several threads are sought out before any of them is written up to this length.
/// Longer ones keep the link to the memory full either way: 50 MiB of rows of 256 bytes took 1.08 times as long, of 64
/// bytes 0.86 of the time (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t sought_row_bytes = 128;

/// An indirect side that fits the L2 cache is not prefetched: there the prefetches cost more than the misses.
NDX_CPU_TUNABLE index_t prefetched_bytes = index_t{1} << 20;

/// Nor is one of short rows where a processor runs ahead to enough of them by itself. A Zen 5 does to rows of up to a
/// cache line up to so many bytes, unless updates are reduced: without prefetches gathers of shorter rows out of 1.5 to
/// 6 MiB took 0.6 to 0.87 of the time by one thread and 0.7 to 1.06 by two, out of 8 MiB 0.7 to 1.0 and 0.9 to 1.3, and
/// out of 16 to 32 mostly 1.2 to 1.9; scatters into 1.5 to 6 MiB 0.5 to 0.95 and 0.65 to 1.1; rows of 64 bytes out of 2
/// to 6 MiB 0.79 to 0.98 and 0.79 to 0.97, scattered 0.94 to 1.09 and 0.70 to 0.94. Reductions of rows of 32 bytes took
/// 1.0 to 1.9 times as long.
NDX_CPU_TUNABLE index_t prefetched_short_rows_bytes_zen_5 = index_t{6} << 20;

/// A Zen 3 does to rows of up to 16 bytes up to so many bytes: out of 1.5 to 3 MiB gathers took 0.6 to 1.0 of the time
/// and scatters 0.37 to 0.9, by one thread and by two; out of 6 MiB 0.75 to 3.3 and 0.5 to 1.2, and of 32 bytes up to
/// 2.2 times as long out of 3.
NDX_CPU_TUNABLE index_t prefetched_short_rows_bytes_zen_3 = index_t{4} << 20;

/// An Emerald Rapids does for gathers of elements into its caches, out of anything: out of 2 to 64 MiB they took 0.33
/// to 0.97 of the time without, rows of 32 bytes 0.8 to 1.16. For those that are streamed it does up to so many bytes:
/// out of 2 to 24 MiB 0.57 to 1.07 of it and out of 64 up to 1.4. Scatters took 1.1 to 1.9 times as long without
/// prefetches by one thread, 0.66 to 1.1 by two.
NDX_CPU_TUNABLE index_t prefetched_elements_bytes_intel = index_t{24} << 20;

/// Lines of tuples that lead to elements of one row each are gathered without prefetches where rows are this short and
/// a line has so many tuples for each cache line of its row: of rows of 1 KiB an element for each took 0.60 of the
/// time, of 256 bytes 0.75, of 4 KiB 0.81; an element for every fourth 0.79, 1.1 and 1.25 (AMD EPYC, Zen 5, 64 MiB of
/// rows).
NDX_CPU_TUNABLE index_t gathered_row_bytes = index_t{4} << 10;
NDX_CPU_TUNABLE index_t gathered_row_tuples = 8;

/// ... or any number of tuples, where the rows are no more than this: 4 MiB of rows of 4 KiB took 0.5 to 0.7 of the
/// time (the same).
NDX_CPU_TUNABLE index_t gathered_rows_bytes = index_t{4} << 20;

/// How far ahead of the copy the rows of a gather are prefetched, in cache lines; in whole rows, so at least that.
NDX_CPU_TUNABLE index_t prefetched_lines = 96;

/// ... but at least so many rows up to that length, on processors that follow pages (`follows_pages`): their hardware
/// fetches what comes next in each of 32 pages; in vain, it seems, where a row is asked for and then read while its
/// page is still followed. Rows of 384 to 768 bytes took 0.6 to 0.9 of the time with 40 rows, those of 256 and
/// of 1 KiB 0.9 to 0.95; with 24 rows up to 1.7 times that, with 64 the same. Rows of 4 KiB and more took 1.0 to
/// 1.1 times as long (Intel Xeon, 480 MiB of L3).
NDX_CPU_TUNABLE index_t followed_pages = 40;
NDX_CPU_TUNABLE index_t followed_row_bytes = index_t{2} << 10;

/// A Zen 4 fetches the rows of a gather that go into its caches up to this length, and up to that one from a table that
/// no cache holds, ...
NDX_CPU_TUNABLE index_t fetched_kept_row_bytes = index_t{1} << 10;
NDX_CPU_TUNABLE index_t fetched_far_row_bytes = index_t{2} << 10;

/// ... where there are so many bytes of table and output, of a last cache of 32 MiB: 8 MiB of rows of 80 bytes to 1 KiB
/// took 0.5 to 0.9 of the time out of 16 and 32 MiB, 0.4 to 0.8 out of 256, but of 80 bytes 1.2 times as long out of 4
/// MiB, and of 4 KiB as long or longer out of anything (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t fetched_kept_bytes = index_t{20} << 20;

/// Rows that are gathered and streamed go four lines at a time from this length on. Rows of 4 KiB took 0.96 of the time
/// of single lines, rows of 1 KiB 1.14 of it (AMD EPYC, Zen 5).
NDX_CPU_TUNABLE index_t grouped_row_bytes = index_t{2} << 10;

/// ... and those of a copy, or of a gather where they begin within a line, on a Zen 4: rows of 48 KiB took 0.75 to 0.95
/// of the time, of 15 KiB 0.88 to 1.0, of 8 0.76 to 1.02, of 6 0.92 to 1.02, but of 4 up to 1.1 and of 2 1.2. Scattered
/// rows of any length took 0.97 to 1.2 times as long.
NDX_CPU_TUNABLE index_t grouped_copy_bytes = index_t{6} << 10;

/// Rows longer than this are copied by the C library. Below, a loop over their lines takes less time where the caches
/// hold them: for rows of 1 KiB 0.92, of 2 KiB 0.95, but of 4 KiB 1.01 (Intel Xeon, 480 MiB of L3).
NDX_CPU_TUNABLE index_t copied_row_bytes = index_t{2} << 10;

/// Rows are gathered in one loop where a line of tuples is so many times as long as that is far: each line begins with
/// rows that are fetched and waited for.
NDX_CPU_TUNABLE index_t line_of_rows_ahead = 32;

/// ... or has so many rows where none is fetched: lines of 16 rows took up to 1.25 times as long (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t least_line_of_rows = 64;

/// Prefetches from an indirect side of this size and more, which no cache holds, are held apart by so many dependent
/// multiplications, of three cycles each, by processors that drop some otherwise: from a smaller one lines come sooner
/// than that.
NDX_CPU_TUNABLE index_t paced_bytes = index_t{64} << 20;
NDX_CPU_TUNABLE index_t paced_multiplications = 4;

/// ... for rows up to this length. The lines of longer ones take their time anyway.
NDX_CPU_TUNABLE index_t paced_row_bytes = 128;

/// What a copy of so many bytes reads backwards without gaps, in rows of one cache line or in vectors, is held apart by
/// so many: columns reversed took 0.91 of the time with three and 0.94 with two; rows of 64 bytes 0.90 with two, 0.94
/// with four, 1.3 with six. Where every second row is read that takes longer, so there is none.
NDX_CPU_TUNABLE index_t paced_copy_multiplications = 3;

/// How far ahead a copy prefetches: hardware does most of it, but not across the ends of rows and pages. Bytes that are
/// reversed along lines of 1 KiB took 0.85 of the time on a Zen 5 that they took with half as much, and 1.06 with twice
/// as much; rows, and all of it on an Intel Xeon, took as long each way.
NDX_CPU_TUNABLE index_t copied_bytes_ahead = index_t{4} << 10;

/// ... and a scatter of streamed rows, of the updates. Rows of 256 bytes took 0.93 to 0.95 of the time of 4 KiB, with
/// two threads 0.9; in pages of 4 KiB 1.01 to 1.03, and 0.84 to 0.92 with two threads; with 8 KiB the same, but there
/// 1.03 to 1.05 and 0.79 to 0.9. Rows of other lengths took as long (AMD EPYC, Zen 4), and all of it on an Intel Xeon.
NDX_CPU_TUNABLE index_t scattered_bytes_ahead = index_t{6} << 10;

/// Rows of a copy up to this length are prefetched a row or more ahead, longer ones further on in the same row, ...
NDX_CPU_TUNABLE index_t line_ahead_bytes = index_t{32} << 10;

/// ... by so much: four lines at a time 256 MiB took 0.88 to 0.91 of the time of 4 KiB, and 0.94 to 0.96 of that of 8
/// (AMD EPYC, Zen 4). On an Intel Xeon all of it took as long.
NDX_CPU_TUNABLE index_t long_row_bytes_ahead = index_t{6} << 10;

/// Where elements and short rows are put together to whole lines that are then streamed: an eighth of the smallest L1.
inline constexpr index_t stage_bytes = index_t{4} << 10;

/// Rows up to this length go through the stage unless they are whole lines: the two lines that a longer one shares with
/// its neighbours count for less than its detour.
NDX_CPU_TUNABLE index_t staged_row_bytes = 256;

/// How far ahead of their use indices are prefetched: two blocks of pairs of 64-bit indices.
NDX_CPU_TUNABLE index_t indices_ahead_bytes = index_t{8} << 10;

/// ... and into the first-level cache, where elements are gathered in one loop with their indices: a vector of those
/// that lies in two lines waits for both, and most callers' indices begin within a line. Pairs of 32-bit indices that
/// begin 16 bytes into one took 4.5 ms without this, 3.2 with it, and 3.2 either way where they begin with one. Each
/// line is fetched once: pairs of 64-bit indices into 256 x 256 floats took 1.07 times as long when it was fetched into
/// the second-level cache 8 KiB ahead and into the first 1 KiB, and as long or longer with other distances (AMD EPYC,
/// Zen 5).
NDX_CPU_TUNABLE index_t indices_near_bytes = index_t{4} << 10;

/// Elements that are written between two rounds of prefetches: as many lines as a core can await.
NDX_CPU_TUNABLE index_t places_at_once = 16;

/// How many tuples ahead single elements and the destinations of updates are prefetched.
NDX_CPU_TUNABLE index_t tuples_ahead = 128;

/// A destination row of this size or less, into which a whole line of tuples goes, is fetched whole while the line
/// before is being written.
NDX_CPU_TUNABLE index_t fetched_row_bytes = index_t{64} << 10;

/// ... and the row after the next as well, into the second-level cache, which awaits more lines at once, from so many
/// bytes on: a quarter of 4096 x 4096 floats took 5.4 ms with it instead of 7.9. Shorter rows, and rows of destinations
/// below `paced_bytes`, took up to 1.2 times as long.
NDX_CPU_TUNABLE index_t later_row_bytes = index_t{16} << 10;

/// How far ahead a check that does nothing but read indices prefetches them: a loop over 32 MiB of
/// them took 1.33 ms, 1.18 with half as much and 1.46 with twice as much; 8 MiB up to 1.1 times as long with half as
/// much (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t checked_ahead_bytes = index_t{4} << 10;

/// From so many bytes of indices on it reads at four places in turn. A loop over 32 MiB, by 256 KiB, took 1.6 ms
/// instead of 2.2, 128 MiB 8.7 instead of 10.7, by 64 KiB 1.8 and 9.3 (AMD EPYC, Zen 3), 128 MiB 9.4 instead of 13.3
/// (Intel Xeon, 300 MiB of L3); what the caches hold took as long.
NDX_CPU_TUNABLE index_t checked_in_parts_bytes = index_t{64} << 10;

/// Indices of so many bytes and more are kept as 16 bits by their check, where those suffice. Rows of 16 updates took
/// 0.82 of the time with 2 KiB of indices, a row of 1024 updates 0.92 with 8 KiB (AMD EPYC, Zen 3).
NDX_CPU_TUNABLE index_t narrowed_bytes = index_t{2} << 10;

/// ... and what is kept goes past the caches from so many bytes on, until the pass that writes reads it: no cache holds
/// it for so long, and its lines are not read before they are written. 4 M updates of rows of 16 KiB took 0.89 to 0.96
/// of the time; half as many 0.98 to 1.02 (AMD EPYC, Zen 4), and up to 1.3 times as long (Intel Xeon).
NDX_CPU_TUNABLE index_t streamed_narrowed_bytes = index_t{8} << 20;

/// A scatter whose indices have so many bytes, and so many times those of all that it can write to, keeps that, and is
/// not checked before: 4 M pairs of 64-bit indices into 16 x 16 to 500 x 500 floats took 0.81 to 1.0 of the time of a
/// check and a pass that writes, mostly 0.9 (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t kept_indices_bytes = index_t{64} << 10;
NDX_CPU_TUNABLE index_t kept_share = 8;

/// A stripe of the destination that a scatter along an axis packs into scratch: so many bytes of each row, as long as
/// all of it stays below `stripe_bytes`, which fits a second-level cache together with indices and updates. Rows of 256
/// bytes are four lines: with fewer, fetching and streaming rows from all over the memory takes more than is saved.
NDX_CPU_TUNABLE index_t stripe_row_bytes = 256;
NDX_CPU_TUNABLE index_t stripe_bytes = index_t{512} << 10;

/// Axes so long that such stripes exceed this get narrower ones, down to `least_stripe_row_bytes`, below which stripes
/// are no gain. This bounds the scratch of a thread.
inline constexpr index_t most_stripe_bytes = index_t{2} << 20;
inline constexpr index_t least_stripe_row_bytes = 128;

/// Below this the rows along an axis stay in the first-level cache anyway.
NDX_CPU_TUNABLE index_t least_striped_rows = 64;

/// A matrix of less stays in the caches that plain writes are served by: one of 1 MiB took 1.1 to 2.9 times as long by
/// stripes, one of 2 MiB 0.7 to 1.8 times, by how many updates there are and where they lead (AMD EPYC, Zen 5).
NDX_CPU_TUNABLE index_t striped_bytes = index_t{2} << 20;

/// Where one update for so many elements of the destination and more makes stripes pay at all, ...
NDX_CPU_TUNABLE index_t striped_share = 8;

/// ... they do from so many halves of a touched line on for each line of the destination: in place, and with a copy of
/// the input, which goes through all of it anyway. Lines are counted for each row of updates anew, one that several of
/// its updates lead to once; what else a row costs counts as `striped_row_lines`. Below `striped_far_bytes` a random
/// update for every fourth element of 4 MiB is 10 of these and took 0.76 of the time in place, one for every eighth 5,
/// and 1.1; where 64 neighbours lead to three rows an update for each element is 14 of them and took 0.78, one for
/// every second 7, and 0.99, one for every fourth 3.5, and 1.3.
NDX_CPU_TUNABLE index_t striped_lines = 7;
NDX_CPU_TUNABLE index_t striped_lines_copied = 5;
inline constexpr index_t striped_row_lines = 4;

/// From so many bytes on fewer will do: of 16 MiB an update for every eighth element took 0.88 of the time, with
/// neighbours that lead to eight rows one for every fourth 0.89, to three 0.98.
NDX_CPU_TUNABLE index_t striped_far_bytes = index_t{16} << 20;
NDX_CPU_TUNABLE index_t striped_far_lines = 3;

/// On Intel's processors it takes more, but where there is a copy of that size: an update for every fourth element of 8
/// MiB took 1.25 times as long in place, one for every second 0.98, of 16 MiB 0.91 and 0.78 (Emerald Rapids).
NDX_CPU_TUNABLE index_t striped_lines_factor_intel = 3;

/// Rows shorter than this are not copied one by one before each is written, ...
NDX_CPU_TUNABLE index_t least_copied_row_bytes = 512;

/// ... nor those of smaller outputs by one thread, unless they are streamed: of 256 KiB and 1 MiB they took 1.04 to
/// 1.6 times as long as a copy and then a scatter, on an Intel Xeon (Emerald Rapids) of 4 MiB 1.13 to 1.27, of 16 MiB
/// 0.95 to 1.04; on an AMD EPYC (Zen 5) of 4 MiB 0.96 to 1.1, of 16 and 47 MiB 0.77 to 1.01.
NDX_CPU_TUNABLE index_t copied_rows_bytes = index_t{4} << 20;
NDX_CPU_TUNABLE index_t copied_rows_bytes_intel = index_t{16} << 20;

/// How many rows of indices and updates ahead are fetched while a stripe is written.
NDX_CPU_TUNABLE index_t stripe_rows_ahead = 8;

/// Single elements are scattered by buckets into destinations from this reach on: smaller ones take them in less time
/// directly, out of the L3 cache.
NDX_CPU_TUNABLE index_t bucketed_reach_bytes = index_t{32} << 20;

/// ... from so many updates on: below, memory for them costs more than it saves.
NDX_CPU_TUNABLE index_t bucketed_updates = index_t{1} << 16;

/// ... and from one update a cache line of the reach on: fewer ones leave lines alone that buckets would read.
NDX_CPU_TUNABLE index_t reach_of_update_bytes = 64;

/// ... where most tuples lead as far away from the one before as a page is long.
NDX_CPU_TUNABLE index_t far_bytes = 4096;

/// The part of a destination that is one bucket: a quarter of the smallest L2 cache.
NDX_CPU_TUNABLE index_t bucket_bytes = index_t{256} << 10;

/// Buckets become larger where there would be more of them: the open line of each should be in the caches.
NDX_CPU_TUNABLE index_t most_buckets = 2048;

/// Updates that are sorted by bucket at once: they and their places stay in the L2 cache, and what a bucket gets of
/// them fills some cache lines. At most 2^16, as the slots of a gather have numbers of 16 bits.
NDX_CPU_TUNABLE index_t updates_in_chunk = index_t{1} << 14;

/// The memory that a call takes for updates on their way, at most; more of them go in several rounds.
NDX_CPU_TUNABLE index_t scratch_bytes = index_t{64} << 20;

/// Single elements are gathered by buckets out of sources from this reach on, which saves most of the wait for the
/// memory where that is long. Floats by random pairs, one for 16 or 32 bytes, took 0.54 to 0.68 of the time out of 128
/// and 256 MiB on one thread of an AMD EPYC (Zen 5) and 0.63 to 0.8 on two, out of 64 MiB 0.73 to 0.87 and 0.8 to 1.03,
/// out of 32 MiB 1.3 to 1.9.
NDX_CPU_TUNABLE index_t gathered_reach_bytes_zen_5 = index_t{64} << 20;

/// ... and a Zen 3 elements of up to 4 bytes out of half as much, larger ones not above 8 bytes: floats took 0.56 to
/// 0.82 of the time out of 32 to 256 MiB on one thread and 0.63 to 0.91 on two, elements of 8 bytes out of 64 to 256
/// MiB 0.72 to 0.93 and 0.78 to 1.1, out of 32 up to 1.2, and of 16 bytes 0.9 to 1.4.
NDX_CPU_TUNABLE index_t gathered_reach_bytes_zen_3 = index_t{32} << 20;

/// Elsewhere never: an Intel Xeon (Emerald Rapids) took 1.15 to 2.8 times as long, on one thread and on sixteen. Others
/// were not tried, nor more threads of AMD's than two.
NDX_CPU_TUNABLE index_t gathered_reach_bytes = index_t{1} << 62;
NDX_CPU_TUNABLE int most_threads_by_buckets = 4;

/// ... from one tuple for so many bytes of the reach on, counted in each round: out of 64 MiB one for 32 took 0.8 and
/// 0.91 of the time, one for 64 1.15 and 1.12, ...
NDX_CPU_TUNABLE index_t reach_of_gathered_bytes = 48;

/// ... or for so many, where the reach is so large that most of it is far away: out of 256 MiB one for 64 took 0.75 and
/// 0.8, one for 128 1.06 and 1.05 of the time, ...
NDX_CPU_TUNABLE index_t gathered_far_bytes = index_t{192} << 20;
NDX_CPU_TUNABLE index_t far_reach_of_gathered_bytes = 96;

/// ... and where no more of 512 tuples than so many lead to a line that another one of them has led to, by chance but
/// for what is explained by how many lines there are: floats from anywhere in 5000 lines of 256 MiB took twice as long
/// by buckets, from 10000 0.88 to 1.02 of the time, from 20000 0.6 to 0.7.
NDX_CPU_TUNABLE index_t lines_met_again = 12;

/// Buckets of a gather become larger where there would be more of them: of a chunk each gets some lines of slots. With
/// 1024 of them floats out of 256 MiB took 1.2 times as long.
NDX_CPU_TUNABLE index_t most_gathered_buckets = 512;

/// The memory that such a gather takes, at most: each round goes through all of the source.
NDX_CPU_TUNABLE index_t gathered_scratch_bytes = index_t{96} << 20;

/// Elements that are written with gaps go by permutations of 16 bytes where so many lie in those: bytes at every second
/// place took 0.16 to 0.18 ns each instead of 0.42 to 0.5 one by one, at every fourth 0.30 to 0.37 instead of 0.38 to
/// 0.6, of 2 bytes at every second 0.33 to 0.39 instead of 0.41 to 0.47; at every eighth, or of 4 bytes, as long or
/// longer (lines of 4096 of them, AMD EPYC, Zen 3, and Emerald Rapids).
NDX_CPU_TUNABLE index_t least_spread = 4;

/// Elements per side of a tile of a transposing copy that has no kernel, ...
NDX_CPU_TUNABLE index_t tile = 16;

/// ... and on an Intel processor as many as are so many bytes, up to so many elements: a transposed matrix took 0.4 to
/// 0.7 of the time that it takes with 16 if its elements are of 3, 6 or 12 bytes, of 16 bytes 0.5 to 0.9, of 24 bytes
/// 0.8 to 1.0 (Cascade Lake, Emerald Rapids). With 64 those of 3 bytes took 1.1 times as long on two AMD EPYC.
NDX_CPU_TUNABLE index_t tile_bytes = 768;
NDX_CPU_TUNABLE index_t most_tile = 64;

/// A transposition reads strips of so many lines: floats took 0.75 to 0.97 of the time that strips of 8 take where rows
/// are a power of two bytes long (AMD EPYC, Intel Xeon), and 0.57 to 0.61 where they are not (Cascade Lake).
NDX_CPU_TUNABLE index_t transposed_strip_lines = 32;

/// Calls that move no more elements than this take the plain loops: choosing kernels costs more than it saves.
inline constexpr index_t small_call = 32;

/// ... or no more runs than this, of no more elements in all. Choosing takes 200 ns (AMD EPYC, Zen 3). So 16 rows of
/// 256 bytes took 158 instead of 342 ns, from a table of a GiB 1570 instead of 1890; 32 of them 302 instead of 439, and
/// 3580 instead of 3120, as kernels fetch ahead.
inline constexpr index_t small_call_runs = 16;
inline constexpr index_t small_copy = 4096;

/// Rows that are listed move at once from more than so many on, single elements from `small_call` on: up to four rows
/// the plain loops, compiled into the call, took 11 to 18 ns, and the kernels 19 (AMD EPYC, Zen 5).
NDX_CPU_TUNABLE index_t least_listed = 4;

/// ... up to so many bytes, indices included, which leaves all of it in the caches: 2 MiB of rows of 64 bytes out of 16
/// MiB took 0.7 of the time of what follows. From memory that no cache holds up to so many, as there is more to be
/// gained by fetching ahead.
NDX_CPU_TUNABLE index_t listed_bytes = index_t{4} << 20;
NDX_CPU_TUNABLE index_t listed_far_bytes = index_t{1} << 20;

/// ... but single elements out of a table that is not prefetched, from so many on, where one instruction gathers them:
/// 4096 pairs of 32-bit indices took 4.1 us instead of 6.7, single 64-bit indices into doubles as long, but 1024 of
/// those 1.25 to 1.35 times as long (Intel Xeon, Emerald Rapids).
NDX_CPU_TUNABLE index_t least_gathered = 2048;

/// How far ahead rows there are fetched, in lines: those of a scatter, and those of a gather up to
/// `listed_fetched_row_bytes`, or of any length on a Zen 5. Rows of 64 bytes and more scattered into 256 MiB took 0.4
/// to 0.8 of the time (Intel Xeon; with a quarter of the distance as long) or 0.5 to 0.7 (AMD EPYC, Zen 5; with half of
/// it 1.2 times as long), rows of 64 and 100 bytes gathered from there 0.75 to 0.95 (Intel Xeon), of 100 bytes to a KiB
/// 0.5 (Zen 5). Longer ones took up to 1.3 times as long on the Xeon.
/// Gathers of fewer lines than `least_fetched_lines` are not: the processor asks for most of those by itself. Out of
/// 256 MiB 8 and 16 rows of 64 bytes took as long either way, 32 of them 0.92 of the time, 64 0.88, 128 0.77; where the
/// caches hold them after all, all of these took 1.15 to 1.9 times as long (Intel Xeon). On a Zen 3 256 rows gained.
NDX_CPU_TUNABLE index_t listed_lines_ahead = 128;
NDX_CPU_TUNABLE index_t listed_fetched_row_bytes = 128;
NDX_CPU_TUNABLE index_t least_fetched_lines = 64;

/// ... and on processors that run ahead little rows up to this length, from so many lines on, wherever the second-level
/// cache does not hold what they could be: 256 KiB of rows of 64 and 256 bytes, gathered out of 8 to 256 MiB, took 0.28
/// to 1.05 of the time, scattered there 0.6 to 1.0; 4 KiB that the caches held after all 1.2 times as long, and rows of
/// 4 KiB 1.25 times (Cascade Lake).
NDX_CPU_TUNABLE index_t listed_fetched_early_row_bytes = 512;
NDX_CPU_TUNABLE index_t least_lines_fetched_early = 256;

/// Bytes of work a thread takes at once, and below which a call stays on the caller's thread.
NDX_CPU_TUNABLE index_t bytes_in_part = index_t{256} << 10;
NDX_CPU_TUNABLE index_t parallel_bytes = index_t{1} << 20;

/// The rows of a scatter are cut among its threads from this length on, where there are fewer than eight for each of
/// them. More are shared out whole: cut, 2047 rows of 64 KiB took 1.62 times as long on two threads as on one, 511 of
/// 256 KiB 1.12 times and 31 of 4 MiB 1.0 times; whole 0.81, 0.85 and 0.81 (AMD EPYC, Zen 4).
NDX_CPU_TUNABLE index_t cut_row_bytes = index_t{64} << 10;

}  // namespace ndx::cpu::tuning

#undef NDX_CPU_TUNABLE

#endif
