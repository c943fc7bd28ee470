// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_BASELINES_PLAIN_HPP
#define NDX_BENCH_BASELINES_PLAIN_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

/// The loops that one writes without a library: packed arrays, indices checked, negative ones counted from the end,
/// rows moved by memcpy. Each index is looked at once; a bad one throws when it is met.
namespace ndx_bench::plain {

using index = std::int64_t;

template <class Index>
index checked(Index value, index extent) {
  auto position = static_cast<index>(value);
  if (position < 0) position += extent;
  if (position < 0 || position >= extent) throw std::out_of_range("index out of range");
  return position;
}

template <class T, class Index>
void gather_rows(T const* input, index rows, index width, Index const* indices, index count, T* output) {
  auto const bytes = static_cast<std::size_t>(width) * sizeof(T);
  for (index i = 0; i < count; ++i) std::memcpy(output + i * width, input + checked(indices[i], rows) * width, bytes);
}

template <class T, class Index>
void gather(T const* input, index size, Index const* indices, index count, T* output) {
  for (index i = 0; i < count; ++i) output[i] = input[checked(indices[i], size)];
}

template <class T, class Index>
void gather_elements(T const* input, index rows, index columns, Index const* indices, index count, T* output) {
  for (index i = 0; i < count; ++i) {
    index const row = checked(indices[2 * i], rows);
    index const column = checked(indices[2 * i + 1], columns);
    output[i] = input[row * columns + column];
  }
}

template <class T, class Index>
void gather_pixels(T const* input, index rows, index columns, index channels, Index const* indices, index count,
                   T* output) {
  for (index i = 0; i < count; ++i) {
    index const row = checked(indices[2 * i], rows);
    index const column = checked(indices[2 * i + 1], columns);
    for (index c = 0; c < channels; ++c) output[i * channels + c] = input[(row * columns + column) * channels + c];
  }
}

/// From element `start`, in steps of `strides` elements of the input.
template <class T>
void slice(T const* input, index start, std::array<index, 4> strides, T* output, std::array<index, 4> extents) {
  for (index a = 0; a < extents[0]; ++a)
    for (index b = 0; b < extents[1]; ++b)
      for (index c = 0; c < extents[2]; ++c) {
        T const* from = input + start + a * strides[0] + b * strides[1] + c * strides[2];
        if (strides[3] == 1) {
          std::memcpy(output, from, static_cast<std::size_t>(extents[3]) * sizeof(T));
        } else {
          for (index d = 0; d < extents[3]; ++d) output[d] = from[d * strides[3]];
        }
        output += extents[3];
      }
}

/// The way back: from a packed input to element `start`, in steps of `strides` elements of the output.
template <class T>
void slice_grad(T const* input, std::array<index, 4> extents, T* output, index start, std::array<index, 4> strides) {
  for (index a = 0; a < extents[0]; ++a)
    for (index b = 0; b < extents[1]; ++b)
      for (index c = 0; c < extents[2]; ++c) {
        T* to = output + start + a * strides[0] + b * strides[1] + c * strides[2];
        if (strides[3] == 1) {
          std::memcpy(to, input, static_cast<std::size_t>(extents[3]) * sizeof(T));
        } else {
          for (index d = 0; d < extents[3]; ++d) to[d * strides[3]] = input[d];
        }
        input += extents[3];
      }
}

/// gather_elements of a matrix, indices of extents `count`.
template <class T, class Index>
void gather_along_axis(T const* input, std::array<index, 2> extents, int axis, Index const* indices,
                       std::array<index, 2> count, T* output) {
  for (index i = 0; i < count[0]; ++i)
    for (index j = 0; j < count[1]; ++j) {
      index const p = i * count[1] + j;
      index const row = axis == 0 ? checked(indices[p], extents[0]) : i;
      index const column = axis == 1 ? checked(indices[p], extents[1]) : j;
      output[p] = input[row * extents[1] + column];
    }
}

/// `output` holds the input already.
template <class T, class Index>
void scatter_rows(T* output, index rows, index width, Index const* indices, index count, T const* updates) {
  auto const bytes = static_cast<std::size_t>(width) * sizeof(T);
  for (index i = 0; i < count; ++i) std::memcpy(output + checked(indices[i], rows) * width, updates + i * width, bytes);
}

/// `output` holds the input already; `combine(element, update)` stores.
template <class T, class Index, class Combine>
void scatter_elements_of_matrix(T* output, index rows, index columns, Index const* indices, index count,
                                T const* updates, Combine combine) {
  for (index i = 0; i < count; ++i) {
    index const row = checked(indices[2 * i], rows);
    index const column = checked(indices[2 * i + 1], columns);
    combine(output[row * columns + column], updates[i]);
  }
}

/// scatter_elements on a matrix that `output` holds already, indices of extents `count`.
template <class T, class Index, class Combine>
void scatter_along_axis(T* output, std::array<index, 2> extents, int axis, Index const* indices,
                        std::array<index, 2> count, T const* updates, Combine combine) {
  for (index i = 0; i < count[0]; ++i)
    for (index j = 0; j < count[1]; ++j) {
      index const p = i * count[1] + j;
      index const row = axis == 0 ? checked(indices[p], extents[0]) : i;
      index const column = axis == 1 ? checked(indices[p], extents[1]) : j;
      combine(output[row * extents[1] + column], updates[p]);
    }
}

inline constexpr auto replace = [](auto& element, auto update) { element = update; };
inline constexpr auto add = [](auto& element, auto update) { element += update; };

}  // namespace ndx_bench::plain

#endif
