// SPDX-License-Identifier: MIT
// Matrices and tensors of Eigen as they are: rows of an embedding, and measurements added up on a grid.
#include <ndx/interop/eigen.hpp>
#include <ndx/ndx.hpp>

#include <cstdio>

namespace {

bool looks_up_words() {
  // [gather]
  Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor> table(4, 3);  // a row for each of 4 words
  table << 0.0f, 0.1f, 0.2f,                                             //
      1.0f, 1.1f, 1.2f,                                                  //
      2.0f, 2.1f, 2.2f,                                                  //
      3.0f, 3.1f, 3.2f;
  Eigen::VectorXi const tokens{{2, 0, 3, 2, -1}};  // -1 counts from the end

  // A vector of Eigen has rank 1, and would be one tuple of 5 coordinates; as a matrix of one column it is 5 tuples.
  Eigen::Map<Eigen::MatrixXi const> const indices(tokens.data(), tokens.size(), 1);
  Eigen::MatrixXf sentence(5, 3);  // column-major: the rows are written where their elements lie
  ndx::gather_nd(ndx::simd, table, indices, sentence);
  // [/gather]

  bool right = true;
  for (Eigen::Index word = 0; word < 5; ++word) {
    int const token = tokens(word);
    std::printf("%4.1f %4.1f %4.1f\n", sentence(word, 0), sentence(word, 1), sentence(word, 2));
    right = right && sentence.row(word) == table.row(token < 0 ? token + 4 : token);
  }
  return right;
}

bool writes_a_block() {
  Eigen::MatrixXf const matrix = Eigen::MatrixXf::Random(6, 8);
  // [block]
  // Every second column, mirrored, becomes the middle of a matrix with a margin; the margin stays as it is.
  Eigen::MatrixXf framed = Eigen::MatrixXf::Constant(8, 6, -1.0f);
  ndx::slice1(ndx::simd, matrix, framed.block(1, 1, 6, 4), {.offsets = {0, 0}, .sizes = {6, 8}, .strides = {1, -2}});
  // [/block]
  bool right = (framed.row(0).array() == -1.0f).all() && (framed.col(5).array() == -1.0f).all();
  for (Eigen::Index column = 0; column < 4; ++column)
    right = right && framed.col(column + 1).segment(1, 6) == matrix.col(7 - 2 * column);
  return right;
}

bool adds_measurements() {
  // [scatter-add]
  Eigen::Tensor<float, 3> grid(4, 5, 2);  // height, width, and two quantities for each cell
  grid.setZero();
  Eigen::Matrix<int, 4, 2> cells;  // where each measurement belongs
  cells << 0, 0,                   //
      3, 4,                        //
      3, 4,                        // both of this cell count
      9, 1;                        // beside the grid
  Eigen::Matrix<float, 4, 2> measured;
  measured << 1.0f, 10.0f,  //
      2.0f, 20.0f,          //
      3.0f, 30.0f,          //
      4.0f, 40.0f;

  ndx::scatter_nd(ndx::simd, grid, cells, measured, grid,
                  {.bounds = ndx::bounds::ignore, .reduction = ndx::reduction::add});
  // [/scatter-add]

  Eigen::Tensor<float, 0> const total = grid.sum();
  std::printf("cell {3, 4}: %.0f and %.0f, all cells: %.0f\n", grid(3, 4, 0), grid(3, 4, 1), total());
  return grid(0, 0, 0) == 1.0f && grid(3, 4, 0) == 5.0f && grid(3, 4, 1) == 50.0f && total() == 66.0f;
}

}  // namespace

int main() { return looks_up_words() && writes_a_block() && adds_measurements() ? 0 : 1; }
