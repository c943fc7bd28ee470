// SPDX-License-Identifier: MIT
#ifndef NDX_INTEROP_EIGEN_HPP
#define NDX_INTEROP_EIGEN_HPP

/// Tensors, matrices and arrays of Eigen as arguments of the operators. Each of the two headers may be included alone:
/// the first one needs no more than <Eigen/Core>.

#include <ndx/interop/eigen_core.hpp>
#include <ndx/interop/eigen_tensor.hpp>

#endif
