// SPDX-License-Identifier: MIT
// Scatters along one axis that are large enough to be taken apart by destinations: stripes of the columns along an axis
// that is not the last, rows along the last one.
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

using namespace test;
using oracle::bounds;
using oracle::duplicates;
using oracle::reduction;

namespace {

/// Where stripes apply, and what is next to it.
std::vector<arrangement> const& striped_arrangements() {
  using enum layout;
  static std::vector<arrangement> const list{
      {packed, packed, packed, packed},          {packed, packed, packed, packed, true},
      {misaligned, packed, packed, misaligned},  {misaligned, misaligned, misaligned, misaligned, true},
      {padded, padded, padded, padded},          {padded, padded, padded, padded, true},
      {packed, packed, packed, padded},          {reversed, packed, packed, reversed},
      {reversed, packed, packed, reversed, true}};
  return list;
}

/// The call is that of the operator's own tests, so it is compiled once for all policies here.
template <class T, class I, std::size_t Rank = 2>
void verify(problem const& p, std::string const& note, std::vector<arrangement> const& arrangements) {
  verify_scatter_elements<T, I, Rank, Rank, Rank, false>(p, note, arrangements);
}

template <class T, class I>
problem striped(oracle::shape const& input, oracle::shape const& indices, oracle::integer axis, random_source& random) {
  problem p = problem_of<T, I>(operation::scatter_elements);
  p.axis = axis;
  p.input = random_bits(input, sizeof(T), random);
  oracle::shape tuples = indices;
  tuples.push_back(1);
  p.indices = good_tuples(tuples, input, static_cast<std::size_t>(axis), p.kind, random);
  p.indices.extents = indices;
  p.updates = random_bits(indices, sizeof(T), random);
  p.duplicates = duplicates::last;
  return p;
}

template <class T, class I>
void verify_replaced(oracle::shape const& input, oracle::shape const& indices, oracle::integer axis) {
  random_source random(first_seed());
  verify<T, I>(striped<T, I>(input, indices, axis, random), {}, striped_arrangements());
}

/// Every reduction in turn, a few of the arrangements each.
template <class T, class I>
void verify_reduced(oracle::shape const& input, oracle::shape const& indices, oracle::integer axis) {
  random_source random(first_seed());
  auto p = striped<T, I>(input, indices, axis, random);
  auto const& all = striped_arrangements();
  std::vector<arrangement> const some{all[0], all[1], all[2]};
  for (reduction op : {reduction::add, reduction::mul, reduction::min, reduction::max}) {
    p.reduction = op;
    verify<T, I>(p, {}, some);
  }
}

}  // namespace

TEST_CASE("Stripes move elements of every size by every type of index") {
  // Few pairs of types: each takes seconds to compile.
  verify_replaced<std::uint8_t, std::int64_t>({1031, 1100}, {300, 1100}, 0);
  verify_replaced<std::uint16_t, std::uint32_t>({601, 1000}, {601, 1000}, 0);
  verify_replaced<float, std::int32_t>({517, 601}, {200, 601}, 0);
  verify_replaced<double, std::uint64_t>({300, 503}, {700, 503}, 0);
  verify_replaced<std::complex<double>, std::int64_t>({260, 263}, {90, 263}, 0);
}

TEST_CASE("Stripes have any width and any length of the axis") {
  verify_replaced<float, std::int64_t>({64, 5003}, {30, 5003}, 0);            // the shortest axis
  verify_replaced<std::uint8_t, std::int64_t>({9001, 131}, {2500, 131}, 0);   // a single stripe
  verify_replaced<std::uint16_t, std::uint32_t>({16384, 70}, {4000, 70}, 0);  // the longest axis
  verify_replaced<float, std::int64_t>({2048, 256}, {700, 256}, 0);           // pitches that are powers of two
  verify_replaced<double, std::uint64_t>({150, 1001}, {1, 1001}, 0);          // one update a column: no stripes
}

TEST_CASE("Stripes leave alone what no index addresses, and copy it") {
  verify_replaced<float, std::int64_t>({600, 500}, {400, 499}, 0);
  verify_replaced<float, std::int64_t>({600, 500}, {300, 40}, 0);
  verify_replaced<float, std::int64_t>({500, 600}, {499, 300}, 1);
}

TEST_CASE("Stripes of an axis in the middle, and of one before several others") {
  random_source random(first_seed());
  auto const verify_axis = [&](oracle::shape const& input, oracle::shape const& indices, oracle::integer axis) {
    auto p = striped<float, std::int32_t>(input, indices, axis, random);
    verify<float, std::int32_t, 3>(p, {}, striped_arrangements());
    p.reduction = reduction::add;
    verify<float, std::int32_t, 3>(p, {}, few_arrangements());
  };
  verify_axis({3, 401, 700}, {3, 100, 700}, 1);
  verify_axis({3, 401, 700}, {2, 100, 650}, 1);
  verify_axis({700, 4, 130}, {300, 4, 130}, 0);
  verify_axis({700, 4, 130}, {300, 3, 129}, 0);
}

TEST_CASE("Stripes reduce numbers of every format, in the order of the updates") {
  verify_reduced<std::uint8_t, std::int64_t>({1031, 1100}, {300, 1100}, 0);
  verify_reduced<std::int16_t, std::uint32_t>({601, 1000}, {400, 1000}, 0);
  verify_reduced<std::int32_t, std::int32_t>({517, 601}, {300, 601}, 0);
  verify_reduced<std::int64_t, std::int32_t>({300, 503}, {400, 503}, 0);
  verify_reduced<ndx::float16, std::int64_t>({601, 1000}, {400, 1000}, 0);
  verify_reduced<ndx::bfloat16, std::int64_t>({601, 1000}, {400, 1000}, 0);
  verify_reduced<float, std::int64_t>({517, 601}, {700, 601}, 0);
  verify_reduced<double, std::uint64_t>({300, 503}, {400, 503}, 0);
}

TEST_CASE("Stripes that stay in the caches, of a matrix that is large enough for them") {
  random_source random(first_seed());
  auto p = striped<float, std::int64_t>({743, 740}, {743, 740}, 0, random);  // 2.1 MiB, an update for each element
  verify<float, std::int64_t>(p, {}, few_arrangements());
  p.reduction = reduction::add;
  verify<float, std::int64_t>(p, {}, few_arrangements());
}

TEST_CASE("Rows along the last axis move and reduce elements of every size") {
  verify_replaced<std::uint8_t, std::int64_t>({1031, 1100}, {1031, 300}, 1);
  verify_replaced<std::uint16_t, std::uint32_t>({601, 1000}, {601, 1500}, 1);
  verify_replaced<float, std::int32_t>({517, 601}, {517, 200}, 1);
  verify_replaced<double, std::uint64_t>({300, 503}, {300, 700}, 1);
  verify_replaced<std::complex<double>, std::int64_t>({260, 263}, {260, 90}, 1);
  verify_replaced<float, std::int64_t>({17, 16385}, {17, 5000}, 1);  // rows too long to be copied one by one
  verify_reduced<std::uint8_t, std::int64_t>({1031, 1100}, {1031, 300}, 1);
  verify_reduced<float, std::int64_t>({517, 601}, {517, 900}, 1);
}

TEST_CASE("Stripes and rows trust indices where the caller says so, and treat bad ones as the options say") {
  random_source random(first_seed());
  for (oracle::integer axis : {0, 1}) {
    auto p = striped<float, std::int64_t>({517, 601}, {400, 601}, axis, random);
    for (bounds mode : {bounds::trust, bounds::ignore, bounds::clamp, bounds::wrap}) {
      p.mode = mode;
      for (reduction op : {reduction::none, reduction::add}) {
        p.reduction = op;
        verify<float, std::int64_t>(p, {}, few_arrangements());
      }
    }
  }
}

TEST_CASE("Indices of an axis that is just short enough to be kept as 16 bits, and of one that is not") {
  random_source random(first_seed());
  for (std::int64_t extent : {65536, 65537}) {
    auto p = striped<float, std::int64_t>({2, extent}, {2, 300}, 1, random);
    std::vector<std::int64_t> values(600, 7);
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = static_cast<std::int64_t>(i);
    for (std::int64_t index : {extent - 1, -extent, extent - 2, std::int64_t{-1}, extent, -extent - 1}) {
      values[431] = index;
      p.indices.values = {values.begin(), values.end()};
      verify<float, std::int64_t>(p, {}, striped_arrangements());
    }
  }
}

TEST_CASE("Indices that are kept as 16 bits though they lie with gaps, and such as are looked at again") {
  random_source random(first_seed());
  auto p = striped<double, std::uint64_t>({300, 70}, {90, 70}, 0, random);
  for (reduction op : {reduction::none, reduction::add, reduction::max}) {
    p.reduction = op;
    for (bool include_self : {true, false}) {
      p.include_self = include_self;
      verify<double, std::uint64_t>(p, {}, striped_arrangements());
    }
  }
}

TEST_CASE("With a bad index neither stripes nor rows have written anything") {
  random_source random(first_seed());
  for (oracle::integer axis : {0, 1})
    for (std::size_t bad : {std::size_t{0}, std::size_t{60000}, std::size_t{400 * 601 - 1}}) {
      auto p = striped<float, std::int64_t>({517, 601}, {400, 601}, axis, random);
      std::vector<std::int64_t> values(400 * 601, -3);
      for (std::size_t i = bad; i < values.size(); i += 40000) values[i] = -1000 - static_cast<std::int64_t>(i);
      p.indices.values = {values.begin(), values.end()};
      verify<float, std::int64_t>(p, {}, striped_arrangements());
    }
}

TEST_CASE("Updates that go to few rows, and updates that go to one place each") {
  random_source random(first_seed());
  constexpr std::int64_t rows = 521;
  constexpr std::int64_t columns = 640;
  auto p = striped<float, std::int64_t>({rows, columns}, {250, columns}, 0, random);
  for (bool same : {true, false}) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 250; ++i)
      for (std::int64_t j = 0; j < columns; ++j) values.push_back(same ? i * 2 : (i * 7 + j * 31) % rows - rows);
    p.indices.values = {values.begin(), values.end()};
    for (duplicates which : {duplicates::any, duplicates::last}) {
      p.duplicates = which;
      verify<float, std::int64_t>(p, {}, striped_arrangements());
    }
  }
}

#ifndef NDX_TEST_THREAD_SANITIZER
TEST_CASE("Stripes and rows of outputs larger than the caches") {
  random_source random(first_seed());
  using wide = std::complex<double>;
  auto const stripes = striped<wide, std::int64_t>({1100, 1001}, {400, 1001}, 0, random);
  verify<wide, std::int64_t>(stripes, "16.8 MiB", few_arrangements());
  // An update and more for each line of a row: whole rows are fetched before they are written.
  for (std::int64_t updates : {400, 1030}) {
    auto const rows = striped<wide, std::int64_t>({1030, 4096}, {1030, updates}, 1, random);
    verify<wide, std::int64_t>(rows, "64.4 MiB", few_arrangements());
  }
}
#endif
