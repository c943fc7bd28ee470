// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_KERNEL_TABLES_HPP
#define NDX_CPU_KERNEL_TABLES_HPP

#include <ndx/cpu/buckets.hpp>
#include <ndx/cpu/requests.hpp>

#include <cstddef>
#include <cstdint>

/// The tables of kernels of one instruction set. Each is for a grain, `grain_of` the tensors' elements: whatever moves
/// has a multiple of so many bytes, and a program on `float` compiles no kernel for single bytes.
namespace ndx::cpu {

/// The largest unit of which elements of so many bytes are made.
constexpr std::size_t grain_of(std::size_t element_size) noexcept {
  return (element_size | 16U) & -(element_size | 16U);
}

/// Kernels of one kind, by `unit_index` or `element_index`.
template <class Kernel, std::size_t Count>
struct kernel_list {
  Kernel* kernels[Count];

  constexpr Kernel* operator[](int which) const noexcept { return kernels[which]; }
};

/// What copies.
struct copy_kernels {
  using copy = void(std::byte*, std::byte const*, grid const&, hints) noexcept;
  using exchange = void(stripe_rows const&, stripe_rows const&, index_t, bool) noexcept;

  copy* rows;
  exchange* stripes;
  kernel_list<copy, 8> elements;
  kernel_list<copy, 4> transposed;
};

/// What gathers by tuples that have been resolved.
struct read_kernels {
  using read = void(std::byte*, index_t, std::byte const*, resolved_tuples const&, index_t, hints) noexcept;
  using read_in_groups = void(std::byte*, std::byte const*, tuple_groups const&, hints) noexcept;

  read* rows;
  kernel_list<read, 8> elements;
  read_in_groups* row_groups;
  kernel_list<read_in_groups, 8> groups;
};

/// What scatters by tuples that have been resolved, and says which of them a thread writes.
struct write_kernels {
  using write = void(std::byte*, std::byte const*, index_t, resolved_tuples const&, index_t, hints) noexcept;

  write* rows;
  kernel_list<write, 5> elements;
  void (*keep_owned)(index_t*, index_t, index_t, std::uint64_t) noexcept;
  read_kernels::read* read_rows;  ///< where a copy is part of the scatter
};

/// What finds out where packed tuples lead while it moves what is there.
template <class Index>
struct gather_kernels {
  using gather = bool(std::byte*, std::byte const*, tuple_request<Index> const&, index_t, bool, hints) noexcept;
  using gather_lines = bool(std::byte*, index_t, std::byte const*, tuple_request<Index> const&, plan::loop const&,
                            bool) noexcept;

  gather* rows;
  kernel_list<gather, 8> elements;
  kernel_list<gather_lines, 8> lines;  ///< all of a loop, of elements that the caches hold
};

/// What sorts the tuples of a gather by bucket, where a place is such a number.
template <class Place>
struct list_kernels {
  void (*count)(Place const*, index_t, int, std::uint32_t*, std::uint32_t*) noexcept;
  void (*list)(slot_line const&, std::uint32_t*, Place const*, index_t, int) noexcept;
};

/// What gathers single elements by buckets.
struct gather_bucket_kernels {
  using read_bucket = void(std::byte const*, sorted_chunks const&, index_t, fetching, bool) noexcept;
  using deal = void(std::byte*, index_t, filled_slots const&, index_t, hints) noexcept;

  void (*find)(resolved_tuples const&, buckets const&, std::uint64_t*) noexcept;
  list_kernels<std::uint64_t> sort;
  list_kernels<std::uint32_t> sort_short;
  kernel_list<read_bucket, 5> elements;  ///< into the slots
  kernel_list<deal, 5> deal_elements;    ///< out of them
};

/// What moves listed rows, in one direction. False, and nothing moved, where an index is bad or counted from the end.
template <class Index>
struct listed_kernels {
  using move = bool(listed_rows<Index> const&) noexcept;

  move* rows;
  kernel_list<move, 5> elements;
};

template <class... Units>
struct unit_list {};
using small_units = unit_list<unit_of<1>, unit_of<2>, unit_of<4>, unit_of<8>>;
using all_units = unit_list<unit_of<1>, unit_of<2>, unit_of<4>, unit_of<8>, unit_of<16>>;
using all_elements = unit_list<unit_of<1>, unit_of<2>, unit_of<4>, unit_of<8>, unit_of<16>, triple<unit_of<1>>,
                               triple<unit_of<2>>, triple<unit_of<4>>>;

template <class Kernel, std::size_t Grain, class Unit, class Choose>
constexpr Kernel* kernel_for(Choose const& choose) noexcept {
  if constexpr (sizeof(Unit) % Grain == 0) return choose.template operator()<Unit>();
  else return nullptr;
}

/// `choose.operator()<Unit>()` for each unit that is made of grains; null for the others, which are not compiled.
template <class Kernel, std::size_t Grain, class... Units, class Choose>
constexpr kernel_list<Kernel, sizeof...(Units)> kernels_for(unit_list<Units...>, Choose const& choose) noexcept {
  return {{kernel_for<Kernel, Grain, Units>(choose)...}};
}

}  // namespace ndx::cpu

#endif
