// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PARAMETERS_HPP
#define NDX_VULKAN_PARAMETERS_HPP

#include <ndx/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ndx::vulkan {

/// Instead of a place in the status buffer: nothing is there to obey, or to report to.
inline constexpr std::uint32_t no_word = 0xffffffffU;

/// A 64-bit number as the kernels see it, which need not know any such type: low word first.
struct word_pair {
  std::uint32_t low = 0;
  std::uint32_t high = 0;

  constexpr word_pair() noexcept = default;
  constexpr word_pair(std::uint64_t value) noexcept
      : low(static_cast<std::uint32_t>(value)), high(static_cast<std::uint32_t>(value >> 32U)) {}
  constexpr word_pair(index_t value) noexcept : word_pair(static_cast<std::uint64_t>(value)) {}
};

/// How the kernels divide by a number n of 1 to 2^31: `(high word of x * multiplier + x) >> shift`, for x below 2^31.
struct divisor {
  std::uint32_t multiplier = 0;
  std::uint32_t shift = 0;

  constexpr divisor() noexcept = default;
  constexpr explicit divisor(std::uint32_t n) noexcept : shift(static_cast<std::uint32_t>(std::bit_width(n - 1))) {
    multiplier = static_cast<std::uint32_t>((((std::uint64_t{1} << shift) - n) << 32U) / n + 1);
  }
};

struct loop_parameters {
  std::uint32_t extent = 1;
  std::uint32_t multiplier = 0;  ///< of `divisor(extent)`
  word_pair slot;  ///< from one iteration to the next, in the numbers of places that a scatter's tuples can lead to
  word_pair destination;
  word_pair source;
  word_pair indices;
  std::uint32_t shift = 0;
  std::uint32_t unused = 0;
};

struct coordinate_parameters {
  word_pair extent;
  word_pair stride;
  word_pair slot;
  word_pair unused;
};

/// The uniform block of every kernel: `parameters` in shaders/common.glsl, which explains each member. Strides and
/// bases of tensors count units, those of indices count indices.
struct parameters {
  std::uint32_t points = 0;
  std::uint32_t tuples = 1;
  std::uint32_t tail_units = 1;
  std::uint32_t tuple_rank = 0;
  std::uint32_t rank = 0;
  std::uint32_t coordinate_count = 0;
  std::uint32_t index_kind = 0;
  std::uint32_t bounds = 0;
  std::uint32_t verdict = no_word;
  std::uint32_t report = no_word;
  std::uint32_t unit_bytes = 0;
  std::uint32_t claimed = 0;
  std::uint32_t fill[4] = {};
  word_pair destination_base;
  word_pair source_base;
  word_pair indices_base;
  word_pair coordinate_step;
  word_pair destination_address;
  word_pair source_address;
  word_pair indices_address;
  word_pair claims_address;
  word_pair destination_first;
  word_pair source_first;
  std::uint32_t destination_count = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t source_count = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t claims_count = 0;
  std::uint32_t owners = 1;
  word_pair claims_first;
  divisor tail_divisor;
  loop_parameters loops[9];
  coordinate_parameters coordinates[8];
};

// What std140 makes of the block.
static_assert(offsetof(parameters, verdict) == 32 && offsetof(parameters, fill) == 48);
static_assert(offsetof(parameters, destination_base) == 64 && offsetof(parameters, destination_address) == 96);
static_assert(offsetof(parameters, destination_first) == 128 && offsetof(parameters, destination_count) == 144);
static_assert(offsetof(parameters, claims_first) == 160 && offsetof(parameters, loops) == 176);
static_assert(sizeof(loop_parameters) == 48 && sizeof(coordinate_parameters) == 32);
static_assert(offsetof(parameters, coordinates) == 608 && sizeof(parameters) == 864);

/// Writes what kernels read of the parameters, and no more: the memory may be the device's, behind a bus. Whole cache
/// lines, as a processor gathers by lines what it writes there, and sends a part of one in small pieces.
inline void write_parameters(std::byte* to, parameters const& values) noexcept {
  auto const write_lines = [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t line = 64;
    begin = begin / line * line;
    end = (end + line - 1) / line * line;
    if (end > sizeof(parameters)) end = sizeof(parameters);
    std::memcpy(to + begin, reinterpret_cast<std::byte const*>(&values) + begin, end - begin);
  };
  write_lines(0, offsetof(parameters, loops) + values.rank * sizeof(loop_parameters));
  std::size_t const coordinates = values.coordinate_count < 2 ? 2 : values.coordinate_count;  // as in transpose.comp
  constexpr std::size_t first = offsetof(parameters, coordinates);
  write_lines(first, first + coordinates * sizeof(coordinate_parameters));
}

/// Where a kernel reports bad indices, in the status buffer: `report_block` in shaders/common.glsl.
struct report_record {
  std::uint32_t tuple;
  std::uint32_t coordinate;
  word_pair value;
};
inline constexpr std::uint32_t reported_records = 63;

struct report_block {
  std::uint32_t first = no_word;  ///< the first bad tuple of the part
  std::uint32_t count = 0;        ///< how often that was corrected downwards: as many records, should they fit
  std::uint32_t verdict = 0;      ///< not 0: the operation has met a bad index (in the first block of an operation)
  std::uint32_t unused = 0;
  report_record records[reported_records];
};
static_assert(sizeof(report_block) == 1024);

}  // namespace ndx::vulkan

#endif
