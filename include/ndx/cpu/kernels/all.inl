// SPDX-License-Identifier: MIT
// The kernels of one instruction set; included by kernels.hpp with NDX_VECTOR_BYTES defined.
//
// Bytes are copied by __builtin_memcpy, because std::memcpy is a function of the C library's own header where
// _FORTIFY_SOURCE is defined, as some compilers do by themselves: with 3 it checks at run time each copy into what a
// kernel puts together on the stack, and neither merges nor unrolls them.
//
// Loops over registers are NDX_UNROLLED. With -O2 GCC 12 unrolls none by itself, and keeps an array of registers in
// memory, where a vector that was written in parts is waited for: rows of 128 bytes took 1.5 to 3 times as long as with
// -O3, transposed matrices of floats 3.3 times, planes made pixels 1.7 to 3.2 times (AMD EPYC, Zen 3).

// Is there a permutation of 16 bytes?
#if NDX_HAS_X86_KERNELS && NDX_VECTOR_BYTES >= 32
#define NDX_HAS_WINDOWS 1
#else
#define NDX_HAS_WINDOWS 0
#endif

#include <ndx/cpu/kernels/vector.inl>

// The rest is written in terms of it.
#include <ndx/cpu/kernels/packed.inl>
#include <ndx/cpu/kernels/shuffle.inl>

#include <ndx/cpu/kernels/indices.inl>
#include <ndx/cpu/kernels/permute.inl>

#include <ndx/cpu/kernels/groups.inl>
#include <ndx/cpu/kernels/windows.inl>

#include <ndx/cpu/kernels/spread.inl>

#include <ndx/cpu/kernels/short_tuples.inl>

// And these in terms of those.
#include <ndx/cpu/kernels/check.inl>
#include <ndx/cpu/kernels/copy.inl>
#include <ndx/cpu/kernels/listed.inl>
#include <ndx/cpu/kernels/partition.inl>
#include <ndx/cpu/kernels/read.inl>
#include <ndx/cpu/kernels/resolve.inl>
#include <ndx/cpu/kernels/stripes.inl>
#include <ndx/cpu/kernels/transpose.inl>
#include <ndx/cpu/kernels/write.inl>
#if NDX_VECTOR_BYTES == 16
#include <ndx/cpu/kernels/write_buckets.inl>
#include <ndx/cpu/kernels/write_singly.inl>
#endif

#include <ndx/cpu/kernels/gather.inl>
#include <ndx/cpu/kernels/gather_buckets.inl>
#include <ndx/cpu/kernels/gather_lines.inl>
#include <ndx/cpu/kernels/gather_rows.inl>

// Templates all the way down, so that a program which includes the header compiles no kernel that it does not use.
// Those that depend on no type are templates too where they call templates: else what they call would be instantiated
// wherever the header is read, which took a twelfth of its reading.
template <std::size_t Grain>
static constexpr copy_kernels copies{
    copy_rows, exchange_stripes,
    kernels_for<copy_kernels::copy, Grain>(all_elements(), []<class Unit>() { return copy_elements<Unit>; }),
    kernels_for<copy_kernels::copy, Grain>(small_units(), []<class Unit>() { return transpose_elements<Unit>; })};

template <std::size_t Grain>
static constexpr read_kernels reads{
    read_rows, kernels_for<read_kernels::read, Grain>(all_elements(), []<class Unit>() { return read_elements<Unit>; }),
    read_row_groups,
    kernels_for<read_kernels::read_in_groups, Grain>(all_elements(), []<class Unit>() { return read_groups<Unit>; })};

template <std::size_t Grain>
static constexpr write_kernels writes{
    write_rows,
    kernels_for<write_kernels::write, Grain>(all_units(), []<class Unit>() { return write_elements<Unit>; }),
    keep_owned, read_rows};

template <class Index, std::size_t Grain>
static constexpr gather_kernels<Index> packed_gathers{
    gather_rows<Index>,
    kernels_for<typename gather_kernels<Index>::gather, Grain>(
        all_elements(), []<class Unit>() { return gather_elements<Unit, Index>; }),
    kernels_for<typename gather_kernels<Index>::gather_lines, Grain>(
        all_elements(), []<class Unit>() { return gather_lines<Unit, Index>; })};

template <std::size_t Grain>
static constexpr gather_bucket_kernels gather_buckets{
    find_places,
    {count_places<std::uint64_t>, list_places<std::uint64_t>},
    {count_places<std::uint32_t>, list_places<std::uint32_t>},
    kernels_for<gather_bucket_kernels::read_bucket, Grain>(all_units(), []<class Unit>() { return read_bucket<Unit>; }),
    kernels_for<gather_bucket_kernels::deal, Grain>(all_units(), []<class Unit>() { return deal_slots<Unit>; })};

template <bool Scatters, class Index, std::size_t Grain>
static constexpr listed_kernels<Index> listed{
    move_listed_rows<Scatters, Index>,
    kernels_for<typename listed_kernels<Index>::move, Grain>(
        all_units(), []<class Unit>() { return move_listed_elements<Scatters, Unit, Index>; })};

#undef NDX_HAS_WINDOWS
