// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_INTEROP_ARRAYS_OPERATORS_HPP
#define NDX_TESTS_INTEROP_ARRAYS_OPERATORS_HPP

// Every operator on tensors of another library's, under every policy, compared with plain loops. A kind of tensor is a
// class template: `tensor()` is what the operators are given, const where the object is, and `at` an element, reached
// in that library's own way.

#include "../../support/any_policy.hpp"
#include "../../support/catch.hpp"

#include <ndx/ndx.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace test {

template <class T, int Rows, int Columns>
struct matrix_kind {
  using value_type = T;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
};

/// A policy under test without what it does to be quick for small calls, which would be compiled for every kind of
/// tensor and has tests of its own.
struct plain_policy {
  any_policy const& policy;

  template <class T, class Index>
  void execute(ndx::plan::operation const& operation, ndx::plan::arguments<T, Index> const& arguments) const {
    policy.execute(operation, arguments);
  }
};

/// first, first + 1, .. in row-major order.
template <class Matrix>
void count_up(Matrix& matrix, int first) {
  for (int i = 0; i < Matrix::rows; ++i)
    for (int j = 0; j < Matrix::columns; ++j) matrix.at(i, j) = static_cast<typename Matrix::value_type>(first++);
}

/// The elements in row-major order.
template <class Matrix>
std::vector<float> elements_of(Matrix const& matrix) {
  std::vector<float> result;
  for (int i = 0; i < Matrix::rows; ++i)
    for (int j = 0; j < Matrix::columns; ++j) result.push_back(matrix.at(i, j));
  return result;
}

// The input is 5 x 3, counted up from 1.
inline constexpr std::int32_t row_of[4]{3, 0, 3, 4};                          // of each update
inline constexpr std::int32_t pair_of[4][2]{{2, 1}, {4, 2}, {0, 0}, {2, 1}};  // row and column of each
inline constexpr std::int64_t column_of[5]{2, 0, 1, 2, 0};                    // of each row

struct matrix_results {
  std::vector<float> rows;        // gather_nd of whole rows
  std::vector<float> pairs;       // gather_nd of elements
  std::vector<float> one_a_row;   // gather_nd1
  std::vector<float> window;      // slice1: rows 4 and 2, columns 0 and 2
  std::vector<float> added_rows;  // scatter_nd: 100, 101, ..
  std::vector<float> replaced;    // scatter_nd in place: 50, 51, ..
  std::vector<float> maxima;      // scatter_elements: 10, 11, ..
};

/// Fails the test unless these are what plain loops give.
void check_matrices(std::string const& policy, matrix_results const& results);

/// `Kind<T, Rows, Columns>`: matrices.
template <template <class, int, int> class Kind>
void check_operators_on_matrices() {
  ndx::tensor<std::int32_t, 2> const rows({4, 1}, {3, -5, 3, 4});
  ndx::tensor<std::int64_t, 2> const columns({5, 1}, {2, 0, 1, -1, 0});
  Kind<float, 5, 3> table;
  Kind<std::int32_t, 4, 2> coordinates;
  count_up(table, 1);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k) coordinates.at(i, k) = pair_of[i][k];
  auto const& input = std::as_const(table);
  auto const& pairs = std::as_const(coordinates);

  for (any_policy const& tested : every_policy()) {
    plain_policy const policy{tested};
    Kind<float, 4, 3> gathered_rows;
    ndx::gather_nd(policy, input.tensor(), rows, gathered_rows.tensor());

    Kind<float, 1, 4> gathered_pairs;
    ndx::gather_nd(policy, input.tensor(), pairs.tensor(), gathered_pairs.tensor());

    Kind<float, 1, 5> one_a_row;
    ndx::gather_nd1(policy, input.tensor(), columns, one_a_row.tensor(), {.batch_dims = 1});

    Kind<float, 2, 2> window;
    ndx::slice1(policy, input.tensor(), window.tensor(), {.offsets = {1, 0}, .sizes = {4, 3}, .strides = {-2, 2}});

    Kind<float, 4, 3> row_updates;
    count_up(row_updates, 100);
    Kind<float, 5, 3> added;
    ndx::scatter_nd(policy, input.tensor(), rows, std::as_const(row_updates).tensor(), added.tensor(),
                    {.reduction = ndx::reduction::add});

    Kind<float, 1, 4> pair_updates;
    count_up(pair_updates, 50);
    Kind<float, 5, 3> replaced;
    count_up(replaced, 1);
    ndx::scatter_nd(policy, replaced.tensor(), pairs.tensor(), pair_updates.tensor(), replaced.tensor(),
                    {.duplicates = ndx::duplicates::last});

    Kind<float, 4, 2> element_updates;
    count_up(element_updates, 10);
    Kind<float, 5, 3> maxima;
    ndx::scatter_elements(policy, input.tensor(), pairs.tensor(), element_updates.tensor(), maxima.tensor(),
                          {.axis = 0, .reduction = ndx::reduction::max});

    check_matrices(tested.name(),
                   {elements_of(gathered_rows), elements_of(gathered_pairs), elements_of(one_a_row),
                    elements_of(window), elements_of(added), elements_of(replaced), elements_of(maxima)});
  }
}

// The input is 1, 2, .. 7, the updates are 10, 20, 30, 40.
inline constexpr std::int32_t place_of[4]{5, 0, 2, 5};

struct vector_results {
  std::vector<float> gathered;       // gather_nd
  std::vector<float> gathered1;      // gather_nd1
  std::vector<float> window;         // slice1: 6, 4, 2
  std::vector<float> added_tuples;   // scatter_nd
  std::vector<float> added_in_turn;  // scatter_elements
};

void check_vectors(std::string const& policy, vector_results const& results);

/// `Kind<T, Size>`: vectors.
template <template <class, int> class Kind>
void check_operators_on_vectors() {
  ndx::tensor<std::uint32_t, 2> const tuples({4, 1}, {5, 0, 2, 5});
  Kind<float, 7> values;
  Kind<std::int32_t, 4> places;
  Kind<float, 4> updates;
  for (int i = 0; i < 7; ++i) values.at(i) = static_cast<float>(i + 1);
  for (int i = 0; i < 4; ++i) places.at(i) = place_of[i];
  for (int i = 0; i < 4; ++i) updates.at(i) = static_cast<float>(10 * i + 10);
  auto const& input = std::as_const(values);
  auto const read = [](auto const& vector, int size) {
    std::vector<float> result;
    for (int i = 0; i < size; ++i) result.push_back(vector.at(i));
    return result;
  };

  for (any_policy const& tested : every_policy()) {
    plain_policy const policy{tested};
    Kind<float, 4> gathered;
    ndx::gather_nd(policy, input.tensor(), tuples, gathered.tensor());

    Kind<float, 4> gathered1;
    ndx::gather_nd1(policy, input.tensor(), tuples, gathered1.tensor());

    Kind<float, 3> window;
    ndx::slice1(policy, input.tensor(), window.tensor(), {.offsets = {1}, .sizes = {6}, .strides = {-2}});

    Kind<float, 7> added_tuples;
    ndx::scatter_nd(policy, input.tensor(), tuples, updates.tensor(), added_tuples.tensor(),
                    {.reduction = ndx::reduction::add});

    Kind<float, 7> added_in_turn;
    ndx::scatter_elements(policy, input.tensor(), std::as_const(places).tensor(), updates.tensor(),
                          added_in_turn.tensor(), {.reduction = ndx::reduction::add});

    check_vectors(tested.name(), {read(gathered, 4), read(gathered1, 4), read(window, 3), read(added_tuples, 7),
                                  read(added_in_turn, 7)});
  }
}

}  // namespace test

#endif
