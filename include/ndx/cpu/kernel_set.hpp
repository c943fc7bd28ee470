// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_KERNEL_SET_HPP
#define NDX_CPU_KERNEL_SET_HPP

#include <ndx/cpu/requests.hpp>

#include <cstddef>
#include <cstdint>

/// The tables of kernels.
namespace ndx::cpu {

/// The kernels of one instruction set. Those for elements stand in the order of `unit_index` and `element_index`.
struct kernel_set {
  using copy = void(std::byte*, std::byte const*, grid const&, hints) noexcept;
  using read = void(std::byte*, index_t, std::byte const*, resolved_tuples const&, index_t, hints) noexcept;
  using read_in_groups = void(std::byte*, std::byte const*, tuple_groups const&, hints) noexcept;
  using write = void(std::byte*, std::byte const*, index_t, resolved_tuples const&, index_t, hints) noexcept;

  copy* copy_rows;
  copy* copy_stripe;
  copy* copy_elements[8];
  copy* transpose_elements[4];
  read* read_rows;
  read* read_elements[8];
  read_in_groups* read_row_groups;
  read_in_groups* read_groups[8];
  write* write_rows;
  write* write_elements[5];
  void (*keep_owned)(index_t*, index_t, index_t, std::uint64_t) noexcept;
};

/// Those that find out where packed tuples lead while they move what is there; elements in the order of
/// `element_index`.
template <class Index>
struct gather_kernels {
  using gather = bool(std::byte*, std::byte const*, tuple_request<Index> const&, index_t, bool, hints) noexcept;

  gather* rows;
  gather* elements[8];
};

/// Those that move listed rows: by their bytes, in the order of `unit_index`, and of any number of bytes. False, and
/// nothing moved, where an index is bad or counted from the end.
template <class Index>
struct listed_kernels {
  using move = bool(listed_rows<Index> const&) noexcept;
  static constexpr int any_bytes = 5;

  move* gather[6];
  move* scatter[6];
};

}  // namespace ndx::cpu

#endif
