// SPDX-License-Identifier: MIT
// The kernels that most programs use, as explicit instantiations; included by kernels.hpp to declare them and by
// compiled_kernels.cpp to define them, with NDX_KERNEL_INSTANCE as `extern template` or `template`.
//
// In three parts, which share few kernels: with NDX_KERNEL_PART defined as the number of one of them only that one is
// there, so that they can be compiled at the same time.
#ifdef NDX_KERNEL_PART
#define NDX_HAS_KERNEL_PART(number) (NDX_KERNEL_PART == (number))
#else
#define NDX_HAS_KERNEL_PART(number) 1
#endif

#define NDX_INSTANCES_OF_INDEX_AND_GRAIN(Index, Grain) \
  NDX_KERNEL_INSTANCE gather_kernels<Index> const& gather_kernels_of<Index, Grain>(instruction_set) noexcept;

#define NDX_INSTANCES_OF_LISTED(Index, Grain)                                                                        \
  NDX_KERNEL_INSTANCE listed_kernels<Index> const& listed_kernels_of<false, Index, Grain>(instruction_set) noexcept; \
  NDX_KERNEL_INSTANCE listed_kernels<Index> const& listed_kernels_of<true, Index, Grain>(instruction_set) noexcept;

#define NDX_INSTANCES_OF_GRAIN(Grain)                                                                         \
  NDX_KERNEL_INSTANCE copy_kernels const& copy_kernels_of<Grain>(instruction_set) noexcept;                   \
  NDX_KERNEL_INSTANCE read_kernels const& read_kernels_of<Grain>(instruction_set) noexcept;                   \
  NDX_KERNEL_INSTANCE write_kernels const& write_kernels_of<Grain>(instruction_set) noexcept;                 \
  NDX_KERNEL_INSTANCE gather_bucket_kernels const& gather_bucket_kernels_of<Grain>(instruction_set) noexcept; \
  NDX_INSTANCES_OF_LISTED(std::uint32_t, Grain)                                                               \
  NDX_INSTANCES_OF_LISTED(std::uint64_t, Grain)

#define NDX_INSTANCES_OF_INDEX(Index)                                                             \
  NDX_KERNEL_INSTANCE resolve_function<Index>* resolver<Index>(instruction_set, bounds) noexcept; \
  NDX_KERNEL_INSTANCE verify_function<Index>* verifier<Index>(instruction_set) noexcept;

#define NDX_INSTANCES_OF_SIGNED_INDEX(Index)  \
  NDX_INSTANCES_OF_INDEX(Index)               \
  NDX_INSTANCES_OF_INDEX_AND_GRAIN(Index, 1)  \
  NDX_INSTANCES_OF_INDEX_AND_GRAIN(Index, 2)  \
  NDX_INSTANCES_OF_INDEX_AND_GRAIN(Index, 4)  \
  NDX_INSTANCES_OF_INDEX_AND_GRAIN(Index, 8)  \
  NDX_INSTANCES_OF_INDEX_AND_GRAIN(Index, 16) \
  NDX_KERNEL_INSTANCE short_resolve_function<Index>* short_resolver<Index>(instruction_set, bool) noexcept;

#define NDX_INSTANCES_OF_PAIR(T, Index)                                                     \
  NDX_KERNEL_INSTANCE line_function<Index>* line_writer<T, Index>(ndx::reduction) noexcept; \
  NDX_KERNEL_INSTANCE stripe_function<Index>* stripe_writer<T, Index>(ndx::reduction) noexcept;

#define NDX_INSTANCES_OF_ELEMENT(T)                                                                  \
  NDX_KERNEL_INSTANCE write_kernels::write* reducer<T>(instruction_set, ndx::reduction) noexcept;    \
  NDX_KERNEL_INSTANCE bucket_kernels bucket_kernels_of<T>(instruction_set, ndx::reduction) noexcept; \
  NDX_INSTANCES_OF_PAIR(T, std::uint16_t)                                                            \
  NDX_INSTANCES_OF_PAIR(T, std::int32_t)                                                             \
  NDX_INSTANCES_OF_PAIR(T, std::int64_t)

#if NDX_HAS_KERNEL_PART(1)
NDX_INSTANCES_OF_GRAIN(1)
NDX_INSTANCES_OF_GRAIN(2)
NDX_INSTANCES_OF_GRAIN(4)
NDX_INSTANCES_OF_GRAIN(8)
NDX_INSTANCES_OF_GRAIN(16)
#endif

#if NDX_HAS_KERNEL_PART(2)
NDX_INSTANCES_OF_SIGNED_INDEX(std::int32_t)
NDX_INSTANCES_OF_SIGNED_INDEX(std::int64_t)
NDX_INSTANCES_OF_INDEX(std::uint32_t)
NDX_INSTANCES_OF_INDEX(std::uint64_t)

NDX_KERNEL_INSTANCE narrow_function<std::int64_t>* narrower<std::int64_t>(instruction_set) noexcept;
NDX_KERNEL_INSTANCE narrow_function<std::uint64_t>* narrower<std::uint64_t>(instruction_set) noexcept;
#endif

#if NDX_HAS_KERNEL_PART(3)
NDX_INSTANCES_OF_ELEMENT(std::int8_t)
NDX_INSTANCES_OF_ELEMENT(std::int16_t)
NDX_INSTANCES_OF_ELEMENT(std::int32_t)
NDX_INSTANCES_OF_ELEMENT(std::int64_t)
NDX_INSTANCES_OF_ELEMENT(std::uint8_t)
NDX_INSTANCES_OF_ELEMENT(std::uint16_t)
NDX_INSTANCES_OF_ELEMENT(std::uint32_t)
NDX_INSTANCES_OF_ELEMENT(std::uint64_t)
NDX_INSTANCES_OF_ELEMENT(float)
NDX_INSTANCES_OF_ELEMENT(double)
#endif

#undef NDX_HAS_KERNEL_PART
#undef NDX_INSTANCES_OF_ELEMENT
#undef NDX_INSTANCES_OF_PAIR
#undef NDX_INSTANCES_OF_SIGNED_INDEX
#undef NDX_INSTANCES_OF_INDEX
#undef NDX_INSTANCES_OF_GRAIN
#undef NDX_INSTANCES_OF_LISTED
#undef NDX_INSTANCES_OF_INDEX_AND_GRAIN
#undef NDX_KERNEL_INSTANCE
