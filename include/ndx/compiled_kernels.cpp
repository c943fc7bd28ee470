// SPDX-License-Identifier: MIT
// The kernels of the CPU, compiled once for a whole program: one of its files, where all others are compiled with
// NDX_COMPILED_KERNELS defined; or three of its files, with NDX_KERNEL_PART defined as 1, 2 and 3 where they include this
// one, which can be compiled at the same time. In CMake that is the target ndx::compiled.

#undef NDX_COMPILED_KERNELS
#include <ndx/cpu/kernels.hpp>

namespace ndx::cpu {

#define NDX_KERNEL_INSTANCE template
#include <ndx/cpu/kernels/instances.inl>

}  // namespace ndx::cpu
