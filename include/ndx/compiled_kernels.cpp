// SPDX-License-Identifier: MIT
// The kernels of the CPU, compiled once for a whole program: one of its files, where all others are compiled with
// NDX_COMPILED_KERNELS defined. In CMake that is the target ndx::compiled.

#undef NDX_COMPILED_KERNELS
#include <ndx/cpu/kernels.hpp>

namespace ndx::cpu {

#define NDX_KERNEL_INSTANCE template
#include <ndx/cpu/kernels/instances.inl>

}  // namespace ndx::cpu
