// SPDX-License-Identifier: MIT
#include <ndx/interop/eigen_core.hpp>
#include <ndx/ndx.hpp>

void run(Eigen::MatrixXf const& table, Eigen::MatrixXi const& indices, float* rows) {
  Eigen::Map<Eigen::MatrixXf> output(rows, 2, 3);
  ndx::gather_nd(ndx::seq, table, indices, output);
}
