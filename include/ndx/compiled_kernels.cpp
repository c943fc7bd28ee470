// SPDX-License-Identifier: MIT
// The kernels of the CPU, compiled once for a whole program: one of its files, where all others are compiled with
// NDX_COMPILED_KERNELS defined. Or three that include it, with NDX_KERNEL_PART defined as 1, 2 and 3, which can be
// compiled at the same time. In CMake that is the target ndx::compiled.

#undef NDX_COMPILED_KERNELS
#include <ndx/cpu/kernels.hpp>

namespace ndx::cpu {

#define NDX_KERNEL_INSTANCE template
#include <ndx/cpu/kernels/instances.inl>

}  // namespace ndx::cpu
