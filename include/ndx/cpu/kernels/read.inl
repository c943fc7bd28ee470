// SPDX-License-Identifier: MIT
// The source is indirect: gathers. Included once for each instruction set, by kernels.hpp.

/// Row i from `from + offsets[i]`. The rows of `ahead` come next, and are prefetched where `how` says so.
static inline void read_rows(std::byte* to, index_t to_stride, std::byte const* from, offset_block const& block,
                             offset_block const& ahead, index_t bytes, hints how) noexcept {
  index_t const lines = (bytes + 127) / 64;
  // Regular stores already compete for the lines in flight where rows are long: there prefetches only hurt.
  how.prefetch = how.prefetch && (how.stream || bytes <= 64);
  index_t const distance = how.prefetch ? (lines < tuning::prefetched_lines ? tuning::prefetched_lines / lines : 1) : 0;
  index_t const known = how.prefetch ? block.count + ahead.count : 0;
  bool const streamed = how.stream && bytes >= tuning::streamed_row_bytes;
  for (index_t i = 0; i < block.count; ++i) {
    if (index_t const next = i + distance; next < known) {
      index_t const offset = next < block.count ? block.offsets[next] : ahead.offsets[next - block.count];
      for (index_t at = 0; at < bytes; at += 64) prefetch(from, offset + at);
    }
    if (streamed) stream_row(to + i * to_stride, from + block.offsets[i], bytes);
    else copy_row(to + i * to_stride, from + block.offsets[i], bytes);
  }
}

/// Element i from `from + offsets[i]`, prefetching a block ahead.
template <class Unit>
static inline void read_elements(std::byte* to, index_t to_stride, std::byte const* from, offset_block const& block,
                                 offset_block const& ahead, index_t /*bytes*/, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  constexpr index_t in_line = 64 / size;
  index_t i = 0;
  auto const one = [&](std::byte* place) { std::memcpy(place, from + block.offsets[i], sizeof(Unit)); };
  index_t const prefetched = how.prefetch ? (ahead.count < block.count ? ahead.count : block.count) : 0;
  if (to_stride == size && how.stream && reinterpret_cast<std::uintptr_t>(to) % sizeof(Unit) == 0) {
    for (; i < block.count && (reinterpret_cast<std::uintptr_t>(to + i * size) & 63U) != 0; ++i) one(to + i * size);
    for (; i + in_line <= block.count; i += in_line) {
      for (index_t lane = 0; lane < in_line && i + lane < prefetched; ++lane) prefetch(from, ahead.offsets[i + lane]);
      alignas(64) std::byte line[64];
      for (index_t lane = 0; lane < in_line; ++lane)
        std::memcpy(line + lane * size, from + block.offsets[i + lane], sizeof(Unit));
      for (index_t piece = 0; piece < 64; piece += vector_bytes) stream(to + i * size + piece, load(line + piece));
    }
  } else {
    for (; i + in_line <= block.count; i += in_line) {
      for (index_t lane = 0; lane < in_line && i + lane < prefetched; ++lane) prefetch(from, ahead.offsets[i + lane]);
      // A stride that is a constant spares an addition for every element.
      if (to_stride == size) {
        for (index_t lane = 0; lane < in_line; ++lane)
          std::memcpy(to + (i + lane) * size, from + block.offsets[i + lane], sizeof(Unit));
      } else {
        for (index_t lane = 0; lane < in_line; ++lane)
          std::memcpy(to + (i + lane) * to_stride, from + block.offsets[i + lane], sizeof(Unit));
      }
    }
  }
  for (; i < block.count; ++i) one(to + i * to_stride);
}
