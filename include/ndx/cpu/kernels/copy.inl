// SPDX-License-Identifier: MIT
// Neither side is indirect. Included once for each instruction set, by kernels.hpp.

/// Rows of `bytes` from one pitch to another.
static inline void copy_rows(std::byte* to, index_t to_stride, std::byte const* from, index_t from_stride, index_t rows,
                             index_t bytes, hints how) noexcept {
  if (how.stream && bytes >= tuning::streamed_row_bytes) {
    for (index_t i = 0; i < rows; ++i) {
      // Hardware prefetchers stop at the end of a row; the next one's first lines are known.
      index_t const next = plan::wrapping_multiply(i + 1, from_stride);
      for (index_t line = 0; line < 256 && line < bytes; line += 64) prefetch(from, next + line);
      stream_row(to + i * to_stride, from + i * from_stride, bytes);
    }
  } else {
    for (index_t i = 0; i < rows; ++i) copy_row(to + i * to_stride, from + i * from_stride, bytes);
  }
}

/// The lanes of a vector from last to first.
template <class Unit>
static inline vector reverse(vector value) noexcept {
  using units = typename vector_of<Unit, NDX_VECTOR_BYTES>::type;
  constexpr int count = static_cast<int>(vector_bytes / static_cast<index_t>(sizeof(Unit)));
  auto const typed = reinterpret_cast<units>(value);
#if defined(__clang__)
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return reinterpret_cast<vector>(__builtin_shufflevector(typed, typed, (count - 1 - I)...));
  }
  (std::make_integer_sequence<int, count>{});
#else
  units order{};
  for (int i = 0; i < count; ++i) order[i] = static_cast<Unit>(count - 1 - i);
  return reinterpret_cast<vector>(__builtin_shuffle(typed, order));
#endif
}

/// Elements of one size, `to` contiguous, `from` backwards: a permutation a vector.
template <class Unit>
static inline index_t copy_reversed(std::byte* to, std::byte const* from, index_t count, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  index_t at = 0;
  auto const one = [&] { std::memcpy(to + at * size, from - at * size, sizeof(Unit)); };
  if (how.stream)
    for (; at < count && (reinterpret_cast<std::uintptr_t>(to + at * size) & 63U) != 0; ++at) one();
  for (; (count - at) * size >= 64; at += 64 / size) {
    for (index_t piece = 0; piece < 64; piece += vector_bytes) {
      index_t const last = at * size + piece + vector_bytes - size;
      vector const value = reverse<Unit>(load(from - last));
      if (how.stream) stream(to + at * size + piece, value);
      else store(to + at * size + piece, value);
    }
  }
  return at;
}

/// Elements of one size from one stride to another.
template <class Unit>
static inline void copy_elements(std::byte* to, index_t to_stride, std::byte const* from, index_t from_stride,
                                 index_t count, hints how) noexcept {
  constexpr auto size = static_cast<index_t>(sizeof(Unit));
  index_t done = 0;
  if (to_stride == size && from_stride == size) return copy_rows(to, 0, from, 0, 1, count * size, how);
  if constexpr (sizeof(Unit) <= 8) {
    if (to_stride == size && from_stride == -size) {
      // Misaligned elements cannot be brought to the start of a line.
      how.stream = how.stream && reinterpret_cast<std::uintptr_t>(to) % sizeof(Unit) == 0;
      done = copy_reversed<Unit>(to, from, count, how);
    }
  }
  if (to_stride == size) {  // a constant stride on one side lets the compiler do better
    for (; done < count; ++done) std::memcpy(to + done * size, from + done * from_stride, sizeof(Unit));
  } else {
    for (; done < count; ++done) std::memcpy(to + done * to_stride, from + done * from_stride, sizeof(Unit));
  }
}
