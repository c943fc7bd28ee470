// SPDX-License-Identifier: MIT
#ifndef NDX_NDX_HPP
#define NDX_NDX_HPP

/// Everything for the CPU; standard library only.

#include <ndx/concepts.hpp>
#include <ndx/cpu/parallel.hpp>
#include <ndx/cpu/seq.hpp>
#include <ndx/cpu/simd.hpp>
#include <ndx/error.hpp>
#include <ndx/execution.hpp>
#include <ndx/float16.hpp>
#include <ndx/ops/flip.hpp>
#include <ndx/ops/gather_elements.hpp>
#include <ndx/ops/gather_nd.hpp>
#include <ndx/ops/gather_nd1.hpp>
#include <ndx/ops/scatter_elements.hpp>
#include <ndx/ops/scatter_nd.hpp>
#include <ndx/ops/slice.hpp>
#include <ndx/ops/slice1.hpp>
#include <ndx/ops/slice_grad.hpp>
#include <ndx/ops/take.hpp>
#include <ndx/options.hpp>
#include <ndx/slicing.hpp>
#include <ndx/tensor.hpp>
#include <ndx/tensor_view.hpp>
#include <ndx/version.hpp>

#endif
