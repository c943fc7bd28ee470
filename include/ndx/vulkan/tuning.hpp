// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_TUNING_HPP
#define NDX_VULKAN_TUNING_HPP

#include <ndx/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

/// Thresholds, with what they were chosen by.
namespace ndx::vulkan::tuning {

/// Points of one dispatch: the kernels count them in 31 bits, and round up.
inline constexpr index_t points_in_part = index_t{1} << 30;

/// Claims are 4 bytes for each place that tuples can lead to. More places take several rounds, so that a scatter takes
/// at most 64 MiB beside its tensors, or a quarter of its destination where that is more, but never more than a GiB.
/// Every round goes through all tuples: on an H200 64 Mi tuples into 1 Gi places took 54.7 ms in rounds of 16 Mi, 19.6
/// of 64 Mi, 12.0 of 256 Mi and 12.1 of all.
inline constexpr std::uint64_t usual_scratch_bytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t most_scratch_bytes = std::uint64_t{1} << 30;
/// Where there is no memory for so many claims, as many are made at once as there is memory for, but no fewer.
inline constexpr index_t fewest_at_once = index_t{16} << 10;

/// Where rows are whole words, and claims on all of them would be more than the 64 MiB, claims are made in the rows, by
/// so many tuples at a time, which have a bit each beside them. On an H200 that took 10.6 ms instead of 12.0 where rows
/// are 4 bytes, but 2.5 instead of 2.3 with 256 MiB of claims on rows of 64 bytes, and 0.69 instead of 0.65 with 16 MiB
/// on rows of 1 KiB. Fewer tuples would find the lines that they sign still in the cache when they write them, but that
/// gains less than is lost between the passes: in parts of 1 Mi the 10.6 ms were 11.8.
inline constexpr index_t tuples_that_sign = index_t{1} << 26;
/// Also where there are more places than so many for each tuple, as the claims on all of them have to be cleared. On an
/// H200 1 Ki rows of 256 bytes into 4 GiB took 23 us instead of 42, 16 Ki 26 instead of 43, a row in 64 of them 86
/// instead of 94, one in 16 276 instead of 250; of rows of 1 KiB one in 256 32 instead of 38, one in 64 72 instead
/// of 69.
inline constexpr index_t places_of_a_signature = 64;

/// Memory is written by sectors of so many bytes, as in shaders/move.comp. Scattered rows that begin or end within one
/// have it read before they are written, from this length on. On an H200, a GiB of rows into 4 GiB: of 36 bytes 1.05 of
/// the time, 44 0.96, 52 0.89, 60 0.83, 100 0.77, 260 0.74, 1028 0.60, 2052 0.56; by units of 8 bytes 40 1.04, 56 0.90,
/// 104 0.81, 264 0.84, 1032 0.80.
inline constexpr std::uint64_t sector_bytes = 32;
inline constexpr index_t least_fetched_row_bytes = 44;
/// By units of 16 bytes every other end is one of a sector: 48 bytes 0.90, 80 0.85, 144 0.87, 272 0.92, 528 0.96, 1040
/// 0.99; into 256 MiB 0.90, 0.87, 0.92, 0.95, 0.98 and 1.0, into 64 MiB 0.97, 0.99 and then 1.0 to 1.03, into 16 MiB
/// 1.0 to 1.05. Those units are in the caches, as those of 4 and of 8 are not, as fast without.
inline constexpr index_t most_fetched_row_bytes = 512;
/// Shorter rows by units of 4 and of 8 bytes get as many invocations as the next power of two has units. Otherwise some
/// are written by two subgroups, at different times, each a part of a sector. On an H200, in CUDA, rows of 12 bytes
/// took 0.97 of the time, of 20 0.92, 24 0.94, 28 0.89, 36 0.90, 40 0.95; into 16 MiB 1.0 to 1.06, of 36 1.14 (H100).
///
/// Both only for destinations from this size on, which the caches do not hold.
inline constexpr std::uint64_t fetched_destination_bytes = std::uint64_t{128} << 20;

/// A scatter of as many tuples as a workgroup takes at once, in place, has each workgroup look at all of them first, if
/// so many bytes at most are moved: one dispatch instead of two to four that wait for each other. On an H100 4 to 128
/// rows of 32 bytes to 16 KiB took 1.4 to 5.8 us each in a batch instead of 6.8 to 9.6, where the last of duplicates
/// counts instead of 23 to 29, added 1.5 to 7.4 instead of 6.8 to 9.3; 32 of 256 KiB, 8 MiB, 8.2 instead of 10.5, 9.2
/// instead of 28, but added 18.7 instead of 16.2.
inline constexpr std::uint64_t few_bytes = std::uint64_t{4} << 20;

/// ... and with a copy of its input of so many bytes at most, of which each workgroup copies a share, if going through
/// all that is moved takes it so many steps at most. On an H200 1 to 128 rows of 32 bytes with a copy of 256 bytes to a
/// MiB took 10.4 to 11.1 us by the device's clock instead of 13.9 to 15.5, a start and an end included, where the last
/// of duplicates counts 10.7 to 13.7 instead of 22 to 25; four rows of 4 KiB, in four steps, with a copy of 2 MiB 13.3
/// instead of 14.8, of 8 MiB 17.2 instead of 16.6; 128 rows of 256 bytes, in eight, with a copy of 16 KiB 16.0 instead
/// of 14.2. In a batch, where no such scatter waits for another, four rows of 32 bytes took 2.8 us instead of 13.6.
inline constexpr std::uint64_t few_copied_bytes = std::uint64_t{2} << 20;
inline constexpr index_t few_copied_steps = 4;
/// Words that an invocation copies.
inline constexpr std::uint32_t few_copied_words = 16;

/// Where a scatter's destination is far larger than the caches, each update of 4 bytes has a line of memory read and
/// written for itself, and nothing else of what lies near. Updates that are brought into buckets first, each a part of
/// the destination, meet there. On an H200 with a destination of 4 GiB that took 0.67 of the time for an update in 8
/// words, 0.76 in 16, 0.90 in 32 and 1.04 in 64; of a GiB 0.69, 0.81, 0.98 and 1.16; of 256 MiB 0.84, 0.93 and 1.26.
/// Bringing pays only where they are exchanged for what is there: plain stores of a part of a line take as long close
/// together as apart. With 64 buckets it took 1.1 times as long as with 256, with 128 the same. Where the last of
/// duplicates counts, an update in 16 words of 4 GiB took 0.72 of the time that claims in the rows take.
inline constexpr std::uint64_t bucketed_bytes = std::uint64_t{512} << 20;
inline constexpr index_t bucketed_words_of_an_update = 32;
inline constexpr index_t buckets = 256;  // as in shaders/bucket.comp

/// Scratch for what is packed for a device whose buffers can only be seen through windows.
inline constexpr index_t packed_bytes = index_t{16} << 20;

/// Invocations of an ordered reduction: each reads all tuples, so more of them cost more than they gain.
inline constexpr index_t owners = index_t{1} << 14;

/// Units along the sides of a tile of a transposition, as in shaders/transpose.comp: lines of 128 bytes by units of 4.
/// With 64 it took twice as long on an H200.
inline constexpr index_t tile_side = 32;
/// Where all lines begin and end between units of 16 bytes, a tile is moved by those. On an H200 that took 2219 us for
/// 4 GiB of elements of 4 bytes instead of 2565, 1239 instead of 2076 for half as much of 2, 824 instead of 1823 for a
/// quarter of 1; with 64 units of 4 bytes, 16 KiB of shared memory, 2872.
constexpr index_t tile_side_by_16(index_t unit) noexcept { return unit < 4 ? 64 : 32; }

/// Blocks of descriptor sets that are kept for later calls: those of some 4000 dispatches, 2 MiB or so.
inline constexpr std::size_t descriptor_blocks_kept = 64;

/// Reports that the host reads where they are, a microsecond each on an H200; more of them are copied first.
inline constexpr std::size_t reports_read_one_by_one = 8;

/// Blocks of host memory from this size on go to the device and back in pieces, so many of this size at most on their
/// way. On an H200 a GiB went at 46 GB/s to it and 49 back over PCIe 5.0 x16; with pieces of half the size at 35 to 42,
/// of twice the size at 48.
inline constexpr std::uint64_t transferred_in_pieces = std::uint64_t{4} << 20;
inline constexpr std::uint64_t transfer_piece_bytes = std::uint64_t{8} << 20;
inline constexpr std::size_t transfer_pieces = 4;

/// Host tables from this size on are gathered from on the host where the indices are there, too, and what is gathered
/// is less than the table: then the device only gets what was gathered, if anything.
inline constexpr std::uint64_t gathered_on_host = std::uint64_t{1} << 20;

/// How long a call that waits asks whether it is done before it sleeps. To be woken took 20 to 50 us more on an H200,
/// and 100 where 8 MiB went to it: calls of 0.15 to 0.6 ms took 1.08 to 1.15 times as long when they slept after 0.1
/// ms.
inline constexpr std::chrono::microseconds asks_for{2000};

}  // namespace ndx::vulkan::tuning

#endif
