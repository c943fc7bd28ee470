// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_BUCKETS_HPP
#define NDX_CPU_BUCKETS_HPP

#include <ndx/error.hpp>

#include <cstddef>
#include <cstdint>

namespace ndx::cpu {

/// The parts into which the indirect side is cut: powers of two of bytes.
struct buckets {
  index_t low = 0;         ///< the first byte that tuples can reach, from the base of that side
  index_t extent = 0;      ///< how many bytes they can reach
  bool is_packed = false;  ///< every one of these is one of an element
  int shift = 0;           ///< a bucket is 2^shift of them
  index_t count = 0;

  [[nodiscard]] constexpr index_t begin(index_t which) const noexcept { return which << shift; }
  [[nodiscard]] constexpr index_t bytes(index_t which) const noexcept {
    index_t const rest = extent - begin(which);
    return rest < index_t{1} << shift ? rest : index_t{1} << shift;
  }
};

/// An update on its way is a record: where it goes in its bucket, 32 bits, and then its bytes.
constexpr index_t record_bytes(index_t element_size) noexcept {
  return static_cast<index_t>(sizeof(std::uint32_t)) + element_size;
}

/// A tuple of a gather has a slot: where its element is in the bucket, 32 bits, and later on the element in that place.
constexpr index_t slot_bytes(index_t element_size) noexcept {
  return element_size < index_t{sizeof(std::uint32_t)} ? index_t{sizeof(std::uint32_t)} : element_size;
}

/// Indices to be prefetched while something else is done: so many bytes for each tuple of that.
struct indices_ahead {
  std::byte const* from;
  index_t step;
};

/// Updates that become records.
struct update_line {
  std::byte const* from;
  index_t step;
  index_t count;
  indices_ahead later;
};

/// A gather's tuples of one chunk, some of which are looked at: in the order of the buckets each has a slot, in their
/// own order the number of that slot.
struct slot_line {
  std::byte* slots;
  std::uint16_t* numbers;
  int slot_shift;  ///< a slot is 2^slot_shift bytes
  indices_ahead later;
};

/// The slots of a chunk that have their elements, the numbers of some of its tuples' slots, and what is prefetched
/// meanwhile: the same of another chunk.
struct filled_slots {
  std::byte const* slots;
  std::uint16_t const* numbers;
  std::byte const* later_slots;
  std::uint16_t const* later_numbers;
};

/// Records, or slots, in chunks, each chunk sorted by bucket.
struct sorted_chunks {
  std::byte* records;
  index_t chunk_bytes;    ///< from one chunk to the next
  std::uint32_t* starts;  ///< for each chunk, where each bucket starts in it, counted in records; then where all end
  index_t buckets;
  index_t count;

  /// Of a bucket in a chunk; of the bucket behind: where they end.
  [[nodiscard]] std::byte* records_from(index_t chunk, index_t bucket, index_t size) const noexcept {
    return records + chunk * chunk_bytes + index_t{starts[chunk * (buckets + 1) + bucket]} * size;
  }
};

/// How a bucket comes into the caches.
struct fetching {
  index_t read = 0;                  ///< so many bytes are read before the first update
  bool ahead = false;                ///< the places of the next updates are prefetched
  std::byte const* later = nullptr;  ///< what is needed for the bucket that comes after this one,
  index_t later_bytes = 0;           ///< of which so many are prefetched meanwhile
};

}  // namespace ndx::cpu

#endif
