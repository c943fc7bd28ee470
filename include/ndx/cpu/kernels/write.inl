// SPDX-License-Identifier: MIT
// The destination is indirect: scatters. Tuples are taken in their order, so that the last of several updates of an
// element wins; `no_offset` skips one. Included once for each instruction set, by kernels.hpp.

[[gnu::always_inline]] static inline void prefetch_ahead(std::byte const* to, offset_block const& ahead, index_t i,
                                                         hints how) noexcept {
  if (!how.prefetch || i >= ahead.count) return;
  index_t const offset = ahead.offsets[i];
  prefetch(to, offset == plan::no_offset ? 0 : offset);  // an address that cannot be takes long to turn down
}

static inline void write_rows(std::byte* to, std::byte const* from, index_t from_stride, offset_block const& block,
                              offset_block const& ahead, index_t bytes, hints how) noexcept {
  bool const streamed = how.stream && bytes >= tuning::streamed_row_bytes;
  for (index_t i = 0; i < block.count; ++i) {
    if (block.offsets[i] == plan::no_offset) continue;
    if (streamed) {  // rows overwritten whole need not be read before
      stream_row(to + block.offsets[i], from + i * from_stride, bytes);
    } else {
      prefetch_ahead(to, ahead, i, how);
      copy_row(to + block.offsets[i], from + i * from_stride, bytes);
    }
  }
}

template <class Unit>
static inline void write_elements(std::byte* to, std::byte const* from, index_t from_stride, offset_block const& block,
                                  offset_block const& ahead, index_t /*bytes*/, hints how) noexcept {
  // A thread owns every other tuple or so, in no order: a branch would be mispredicted as often as not.
  std::byte nowhere[sizeof(Unit)];
  for (index_t i = 0; i < block.count; ++i) {
    prefetch_ahead(to, ahead, i, how);
    std::byte* place = block.offsets[i] == plan::no_offset ? nowhere : to + block.offsets[i];
    __asm__("" : "+r"(place));  // else the compiler sees that nobody reads `nowhere`, and branches
    std::memcpy(place, from + i * from_stride, sizeof(Unit));
  }
}

/// The only kernel that knows the element type.
template <ndx::reduction Op, class T>
static inline void reduce_rows(std::byte* to, std::byte const* from, index_t from_stride, offset_block const& block,
                               offset_block const& ahead, index_t bytes, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(T));
  if (bytes == size) {
    T nowhere{};
    for (index_t i = 0; i < block.count; ++i) {
      prefetch_ahead(to, ahead, i, how);
      auto* element = block.offsets[i] == plan::no_offset ? &nowhere : reinterpret_cast<T*>(to + block.offsets[i]);
      __asm__("" : "+r"(element));
      *element = plan::combine<Op>(*element, *reinterpret_cast<T const*>(from + i * from_stride));
    }
    return;
  }
  index_t const count = bytes / size;
  for (index_t i = 0; i < block.count; ++i) {
    prefetch_ahead(to, ahead, i, how);
    if (block.offsets[i] == plan::no_offset) continue;
    auto* const row = reinterpret_cast<T*>(to + block.offsets[i]);
    auto const* const updates = reinterpret_cast<T const*>(from + i * from_stride);
    for (index_t e = 0; e < count; ++e) row[e] = plan::combine<Op>(row[e], updates[e]);
  }
}
