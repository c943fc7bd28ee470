// SPDX-License-Identifier: MIT
// rejected by concept: tensor_like
#include <ndx/interop/eigen_core.hpp>
#include <ndx/ndx.hpp>

void run(Eigen::MatrixXf const& a, Eigen::MatrixXf const& b, Eigen::MatrixXi const& indices) {
  Eigen::MatrixXf output(2, 3);
  ndx::gather_nd(ndx::seq, a + b, indices, output);
}
