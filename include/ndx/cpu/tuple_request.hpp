// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_TUPLE_REQUEST_HPP
#define NDX_CPU_TUPLE_REQUEST_HPP

#include <ndx/options.hpp>
#include <ndx/plan/indexed_copy.hpp>
#include <ndx/plan/resolve.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

/// Tuples that kernels resolve, or move what they lead to.
namespace ndx::cpu {

/// The type of indices that kernels are compiled for. Those without a sign are read as if they had one, wherever no
/// good one has its bit set: a kernel for each type would be twice the text, and take twice as long to compile. The 16
/// bits that `narrowed_indices` keeps use all of them.
template <class Index>
using kernel_index = std::conditional_t<sizeof(Index) == 2, Index, std::make_signed_t<Index>>;

/// Tuples along one loop, to be resolved; strides of the indirect side in bytes.
template <class Index>
struct tuple_request {
  Index const* tuples;
  index_t tuple_step;
  index_t coordinate_step;
  plan::coordinate const* coordinates;
  std::size_t coordinate_count;
  index_t start;  ///< of the first tuple, before its indices move it
  index_t step;   ///< from one tuple to the next
  index_t count;
  /// All bits where a negative index counts from the end of its axis; none where its type has no sign: then it is
  /// beyond the end.
  index_t from_end = std::is_signed_v<Index> ? -1 : 0;
};

/// The same for kernels.
template <class Index>
tuple_request<kernel_index<Index>> for_kernels(tuple_request<Index> const& request) noexcept {
  return {reinterpret_cast<kernel_index<Index> const*>(request.tuples),
          request.tuple_step,
          request.coordinate_step,
          request.coordinates,
          request.coordinate_count,
          request.start,
          request.step,
          request.count,
          request.from_end};
}

/// Are indices that have the bit of a sign set, though their type has none, beyond every axis?
template <class Index>
bool suits_kernels(plan::indexed_copy const& plan) noexcept {
  constexpr auto most = static_cast<index_t>(std::numeric_limits<kernel_index<Index>>::max());
  bool result = true;
  if constexpr (!std::is_same_v<Index, kernel_index<Index>>)
    for (std::size_t c = 0; c < plan.coordinate_count; ++c) result = result && plan.coordinates[c].extent - 1 <= most;
  return result;
}

/// What resolving makes of tuples of which an index is out of range.
enum class bad_tuples {
  none,   ///< there are none
  found,  ///< whether there are any; if so, no offset is right
  marked  ///< their offsets are `no_offset`
};

/// How lines of tuples follow one another.
struct line_sequence {
  index_t count;   ///< of the lines
  index_t tuples;  ///< from the indices of one to those of the next
  index_t start;   ///< the same on the indirect side
};

inline constexpr line_sequence one_line{1, 0, 0};

/// Line i of a sequence.
template <class Index>
tuple_request<Index> nth_line(tuple_request<Index> const& first, line_sequence const& lines, index_t i) noexcept {
  tuple_request<Index> line = first;
  line.tuples += i * lines.tuples;
  line.start += i * lines.start;
  return line;
}

/// How the tuples of a request lie in memory: single indices or pairs without a gap, or anything else.
enum class packing { singles, pairs, none };

template <class Index>
packing packing_of(tuple_request<Index> const& request) noexcept {
  if (request.coordinate_count == 1 && request.tuple_step == 1) return packing::singles;
  bool const pairs = request.coordinate_count == 2 && request.coordinate_step == 1 && request.tuple_step == 2;
  return pairs ? packing::pairs : packing::none;
}

/// Do all sums of indices in range times strides fit 32 bits? And do the indices fit 31 and a sign? Then the lower
/// halves of those of 64 bits are whole as well, and one without a sign may be read as if it had one.
template <class Index>
bool is_short(tuple_request<Index> const& request) noexcept {
  constexpr std::uint64_t most_extent = 0x80000000U;
  std::uint64_t most = 0;
  for (std::size_t c = 0; c < request.coordinate_count; ++c) {
    auto const last = static_cast<std::uint64_t>(request.coordinates[c].extent - 1);
    auto const stride = static_cast<std::uint64_t>(request.coordinates[c].stride);
    if (last >= most_extent || stride > 0xffffffffU) return false;
    most += last * stride;
    if (most > 0xffffffffU) return false;
  }
  return true;
}

/// The tuples from `at` on, in any mode. Is any of them bad?
template <class Index>
bool resolve_scalar(tuple_request<Index> const& request, index_t at, bounds mode, index_t* offsets) noexcept {
  bool bad = false;
  for (; at < request.count; ++at) {
    index_t offset = request.start + at * request.step;
    for (std::size_t c = 0; c < request.coordinate_count; ++c) {
      Index const read = request.tuples[at * request.tuple_step + static_cast<index_t>(c) * request.coordinate_step];
      bool const beyond = std::is_signed_v<Index> && request.from_end == 0 && std::cmp_less(read, 0);
      index_t const index = beyond ? -1 : plan::resolve_index(read, request.coordinates[c].extent, mode);
      if (index < 0 && mode != bounds::trust) {
        offset = plan::no_offset;
        bad = true;
        break;
      }
      offset += index * request.coordinates[c].stride;
    }
    offsets[at] = offset;
  }
  return bad;
}

}  // namespace ndx::cpu

#endif
