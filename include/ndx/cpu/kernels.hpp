// SPDX-License-Identifier: MIT
#ifndef NDX_CPU_KERNELS_HPP
#define NDX_CPU_KERNELS_HPP

#include <ndx/cpu/kernel_tables.hpp>
#include <ndx/plan/combine.hpp>

#include <array>
#include <bit>
#include <utility>

// Before a loop over registers, or a short one of a number of steps that matters: with -O2 GCC 12 unrolls none by
// itself, Clang all that it should.
#if defined(__GNUC__) && !defined(__clang__)
#define NDX_PRAGMA(text) _Pragma(#text)
#define NDX_UNROLLED(steps) NDX_PRAGMA(GCC unroll steps)
#else
#define NDX_UNROLLED(steps)
#endif

/// What moves bytes on a CPU: one text, compiled once for each instruction set.
namespace ndx::cpu {

// The functions of each namespace are static and carry their target attribute, so that no two translation units ever
// share one by accident, whatever flags they are compiled with.
#define NDX_VECTOR_BYTES 16
namespace isa::baseline {
#include <ndx/cpu/kernels/all.inl>
}
#undef NDX_VECTOR_BYTES

#if NDX_HAS_X86_KERNELS

#define NDX_VECTOR_BYTES 32
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace isa::avx2 {
#include <ndx/cpu/kernels/all.inl>
}
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef NDX_VECTOR_BYTES

#define NDX_VECTOR_BYTES 64
// All processors with AVX-512 have PREFETCHW; without it a prefetch of what will be written is one of what is read.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prfchw"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,prfchw")
#endif
namespace isa::avx512 {
#include <ndx/cpu/kernels/all.inl>
}
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef NDX_VECTOR_BYTES

// The name may be a template with commas between its arguments.
#define NDX_CHOOSE_KERNEL(set, ...)                            \
  ((set) == instruction_set::avx512 ? isa::avx512::__VA_ARGS__ \
   : (set) == instruction_set::avx2 ? isa::avx2::__VA_ARGS__   \
                                    : isa::baseline::__VA_ARGS__)
#else
// The name alone: behind a comma GCC does not know which function of a template is meant.
#define NDX_CHOOSE_KERNEL(set, ...) isa::baseline::__VA_ARGS__
#endif

// The choosers; `Grain` is `grain_of` the elements.

template <std::size_t Grain>
copy_kernels const& copy_kernels_of([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, copies<Grain>);
}

template <std::size_t Grain>
read_kernels const& read_kernels_of([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, reads<Grain>);
}

template <std::size_t Grain>
write_kernels const& write_kernels_of([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, writes<Grain>);
}

template <class Index>
using resolve_function = bool(tuple_request<Index> const&, line_sequence const&, index_t*) noexcept;

/// The kernel that resolves tuples, for the modes that do not fold indices.
template <class Index>
resolve_function<Index>* resolver([[maybe_unused]] instruction_set set, bounds mode) noexcept {
  if (mode == bounds::trust) return NDX_CHOOSE_KERNEL(set, resolve<bad_tuples::none, Index>);
  if (mode == bounds::check) return NDX_CHOOSE_KERNEL(set, resolve<bad_tuples::found, Index>);
  return NDX_CHOOSE_KERNEL(set, resolve<bad_tuples::marked, Index>);
}

template <class Index>
using short_resolve_function = bool(tuple_request<Index> const&, std::uint32_t*) noexcept;

/// The same for packed tuples that are short and lead to places by their indices alone.
template <class Index>
short_resolve_function<Index>* short_resolver([[maybe_unused]] instruction_set set, bool checked) noexcept {
  if (checked) return NDX_CHOOSE_KERNEL(set, resolve_short<true, Index>);
  return NDX_CHOOSE_KERNEL(set, resolve_short<false, Index>);
}

template <class Index, std::size_t Grain>
gather_kernels<Index> const& gather_kernels_of([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, packed_gathers<Index, Grain>);
}

template <std::size_t Grain>
gather_bucket_kernels const& gather_bucket_kernels_of([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, gather_buckets<Grain>);
}

template <bool Scatters, class Index, std::size_t Grain>
listed_kernels<Index> const& listed_kernels_of([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, listed<Scatters, Index, Grain>);
}

template <class Index>
using verify_function = bool(Index const*, index_t, index_t) noexcept;

/// The kernel that finds out whether packed indices are all good.
template <class Index>
verify_function<Index>* verifier([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, verify<Index>);
}

template <class Index>
using narrow_function = bool(std::uint16_t*, Index const*, index_t, index_t, bool) noexcept;

/// The kernel that finds that out and keeps the good ones as 16 bits.
template <class Index>
narrow_function<Index>* narrower([[maybe_unused]] instruction_set set) noexcept {
  return NDX_CHOOSE_KERNEL(set, narrow<Index>);
}

/// Calls `replace.operator()<Unit>()` or `reduce.operator()<Op, Element>()`, whichever an update of a `T` does; neither
/// for elements that are no unit, and for reductions that the type does not have.
template <class T, class Replace, class Reduce>
void with_update(ndx::reduction chosen, Replace const& replace, Reduce const& reduce) {
  if (chosen == ndx::reduction::none) {
    using unit = unit_of<sizeof(T)>;
    if constexpr (!std::is_void_v<unit>) replace.template operator()<unit>();
  } else if constexpr (plan::reducible<T>) {
    plan::with_reduction(chosen, [&]<ndx::reduction Op>() {
      if constexpr (Op != ndx::reduction::none) reduce.template operator()<Op, plan::without_sign<Op, T>>();
    });
  }
}

/// The kernel of a reduction, null for `none`.
template <class T>
write_kernels::write* reducer([[maybe_unused]] instruction_set set, ndx::reduction chosen) noexcept {
  write_kernels::write* result = nullptr;
  with_update<T>(
      chosen, []<class Unit>() {},
      [&]<ndx::reduction Op, class Element>() { result = NDX_CHOOSE_KERNEL(set, reduce_rows<Op, Element>); });
  return result;
}

template <class Index>
using line_function = void(std::byte*, std::byte const*, index_t, tuple_request<Index> const&, lines_around const&,
                           hints) noexcept;

/// The kernel that scatters single elements by single indices that are known to be good. Null for elements that are no
/// unit, and for reductions that the type does not have; so are the next two.
template <class T, class Index>
line_function<Index>* line_writer(ndx::reduction chosen) noexcept {
  line_function<Index>* result = nullptr;
  with_update<T>(
      chosen, [&]<class Unit>() { result = isa::baseline::write_lines<Unit, Index>; },
      [&]<ndx::reduction Op, class Element>() { result = isa::baseline::reduce_lines<Op, Element, Index>; });
  return result;
}

template <class Index>
using stripe_function = void(stripe_request<Index> const&) noexcept;

/// The kernel that scatters into a stripe, by indices that are known to be good.
template <class T, class Index>
stripe_function<Index>* stripe_writer(ndx::reduction chosen) noexcept {
  stripe_function<Index>* result = nullptr;
  with_update<T>(
      chosen, [&]<class Unit>() { result = isa::baseline::write_stripe<Unit, Index>; },
      [&]<ndx::reduction Op, class Element>() { result = isa::baseline::reduce_stripe<Op, Element, Index>; });
  return result;
}

/// The kernels that sort updates by bucket, where a place is such a number.
template <class Place>
struct sort_kernels {
  void (*count)(Place const*, index_t, int, std::uint32_t*, std::uint32_t*) noexcept;
  void (*place)(std::byte*, std::uint32_t*, Place const*, int, update_line const&) noexcept;
};

/// The kernels that scatter single elements by buckets.
struct bucket_kernels {
  void (*find)(resolved_tuples const&, buckets const&, std::uint64_t*) noexcept;
  sort_kernels<std::uint64_t> sort;
  sort_kernels<std::uint32_t> sort_short;
  void (*apply)(std::byte*, sorted_chunks const&, index_t, fetching) noexcept;
};

template <class T>
bucket_kernels bucket_kernels_of([[maybe_unused]] instruction_set set, ndx::reduction chosen) noexcept {
  using namespace isa::baseline;
  bucket_kernels result{};
  using unit = unit_of<sizeof(T)>;
  if constexpr (!std::is_void_v<unit>) {
    using wide = std::uint64_t;
    using narrow = std::uint32_t;
    result = {NDX_CHOOSE_KERNEL(set, find_places),
              {count_places<wide>, place_records<unit, wide>},
              {count_places<narrow>, place_records<unit, narrow>},
              nullptr};
    with_update<T>(
        chosen, [&]<class Unit>() { result.apply = apply_bucket<Unit>; },
        [&]<ndx::reduction Op, class Element>() { result.apply = reduce_bucket<Op, Element>; });
  }
  return result;
}

#undef NDX_CHOOSE_KERNEL
#undef NDX_UNROLLED
#undef NDX_PRAGMA

#ifdef NDX_COMPILED_KERNELS
#define NDX_KERNEL_INSTANCE extern template
#include <ndx/cpu/kernels/instances.inl>
#endif

}  // namespace ndx::cpu

#endif
