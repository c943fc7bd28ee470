// SPDX-License-Identifier: MIT
// The kernels of one instruction set; included by kernels.hpp with NDX_VECTOR_BYTES defined.
//
// Bytes are copied by __builtin_memcpy, because std::memcpy is a function of the C library's own header where
// _FORTIFY_SOURCE is defined, as some compilers do by themselves: with 3 it checks at run time each copy into what a
// kernel puts together on the stack, and neither merges nor unrolls them.

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

#include <ndx/cpu/kernels/gather.inl>
#include <ndx/cpu/kernels/gather_rows.inl>

/// A template all the way down, so that a program which includes the header compiles no kernel that it does not use.
template <class Unit1, class Unit2, class Unit4, class Unit8, class Unit16>
static constexpr kernel_set kernels{
    copy_rows,
    copy_stripe,
    {copy_elements<Unit1>, copy_elements<Unit2>, copy_elements<Unit4>, copy_elements<Unit8>, copy_elements<Unit16>,
     copy_elements<triple<Unit1>>, copy_elements<triple<Unit2>>, copy_elements<triple<Unit4>>},
    {transpose_elements<Unit1>, transpose_elements<Unit2>, transpose_elements<Unit4>, transpose_elements<Unit8>},
    read_rows,
    {read_elements<Unit1>, read_elements<Unit2>, read_elements<Unit4>, read_elements<Unit8>, read_elements<Unit16>,
     read_elements<triple<Unit1>>, read_elements<triple<Unit2>>, read_elements<triple<Unit4>>},
    read_row_groups,
    {read_groups<Unit1>, read_groups<Unit2>, read_groups<Unit4>, read_groups<Unit8>, read_groups<Unit16>,
     read_groups<triple<Unit1>>, read_groups<triple<Unit2>>, read_groups<triple<Unit4>>},
    write_rows,
    {write_elements<Unit1>, write_elements<Unit2>, write_elements<Unit4>, write_elements<Unit8>,
     write_elements<Unit16>},
    keep_owned};

/// The same for the kernels that also depend on the type of indices.
template <class Index, class Unit1, class Unit2, class Unit4, class Unit8, class Unit16>
static constexpr gather_kernels<Index> packed_gathers{
    gather_rows<Index>,
    {gather_elements<Unit1, Index>, gather_elements<Unit2, Index>, gather_elements<Unit4, Index>,
     gather_elements<Unit8, Index>, gather_elements<Unit16, Index>, gather_elements<triple<Unit1>, Index>,
     gather_elements<triple<Unit2>, Index>, gather_elements<triple<Unit4>, Index>}};

template <class Index, class Unit1, class Unit2, class Unit4, class Unit8, class Unit16>
static constexpr listed_kernels<Index> listed{
    {move_listed_elements<false, Unit1, Index>, move_listed_elements<false, Unit2, Index>,
     move_listed_elements<false, Unit4, Index>, move_listed_elements<false, Unit8, Index>,
     move_listed_elements<false, Unit16, Index>, move_listed_rows<false, Index>},
    {move_listed_elements<true, Unit1, Index>, move_listed_elements<true, Unit2, Index>,
     move_listed_elements<true, Unit4, Index>, move_listed_elements<true, Unit8, Index>,
     move_listed_elements<true, Unit16, Index>, move_listed_rows<true, Index>}};

#undef NDX_HAS_WINDOWS
