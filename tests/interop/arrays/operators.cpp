// SPDX-License-Identifier: MIT
#include "operators.hpp"

#include <algorithm>
#include <cstddef>

namespace test {

namespace {

constexpr float input(int i, int j) { return static_cast<float>(3 * i + j + 1); }
constexpr float number(int first, int position) { return static_cast<float>(first + position); }

/// What `element(i, j, value)` makes of the input.
template <class Element>
std::vector<float> matrix(Element const& element) {
  std::vector<float> result;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) {
      float value = input(i, j);
      element(i, j, value);
      result.push_back(value);
    }
  return result;
}

}  // namespace

void check_matrices(std::string const& policy, matrix_results const& results) {
  INFO(policy);
  std::vector<float> rows;
  for (int row : row_of)
    for (int j = 0; j < 3; ++j) rows.push_back(input(row, j));
  CHECK(results.rows == rows);

  std::vector<float> pairs;
  for (auto const& pair : pair_of) pairs.push_back(input(pair[0], pair[1]));
  CHECK(results.pairs == pairs);

  std::vector<float> one_a_row;
  for (int i = 0; i < 5; ++i) one_a_row.push_back(input(i, static_cast<int>(column_of[i])));
  CHECK(results.one_a_row == one_a_row);

  CHECK(results.window == std::vector<float>{input(4, 0), input(4, 2), input(2, 0), input(2, 2)});

  CHECK(results.added_rows == matrix([](int i, int j, float& value) {
          for (int u = 0; u < 4; ++u)
            if (row_of[u] == i) value += number(100, 3 * u + j);
        }));
  CHECK(results.replaced == matrix([](int i, int j, float& value) {
          for (int u = 0; u < 4; ++u)
            if (pair_of[u][0] == i && pair_of[u][1] == j) value = number(50, u);
        }));
  CHECK(results.maxima == matrix([](int i, int j, float& value) {
          for (int u = 0; u < 4 && j < 2; ++u)
            if (pair_of[u][j] == i) value = std::max(value, number(10, 2 * u + j));
        }));
}

void check_vectors(std::string const& policy, vector_results const& results) {
  INFO(policy);
  std::vector<float> gathered;
  for (int place : place_of) gathered.push_back(static_cast<float>(place + 1));
  CHECK(results.gathered == gathered);
  CHECK(results.gathered1 == gathered);

  CHECK(results.window == std::vector<float>{7, 5, 3});

  std::vector<float> added{1, 2, 3, 4, 5, 6, 7};
  for (int u = 0; u < 4; ++u) added[static_cast<std::size_t>(place_of[u])] += static_cast<float>(10 * u + 10);
  CHECK(results.added_tuples == added);
  CHECK(results.added_in_turn == added);
}

}  // namespace test
