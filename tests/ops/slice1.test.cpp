// SPDX-License-Identifier: MIT
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <complex>
#include <cstdint>
#include <limits>
#include <string>

using namespace test;

namespace {

template <class T, std::size_t Input, std::size_t Output>
void verify_random(std::uint64_t cases) {
  for_each_seed(cases, [](random_source& random, std::string const& seed) {
    auto const p = random_slice(problem_of<T, std::int32_t>(operation::slice1), random, Input, Output);
    verify_slice1<T, Input, Output>(p, seed);
  });
}

problem windowed(oracle::shape input, oracle::window window, oracle::shape output) {
  problem p = problem_of<float, std::int32_t>(operation::slice1);
  p.input = counting<float>(std::move(input));
  p.window = std::move(window);
  p.output = std::move(output);
  return p;
}

void verify_line(oracle::integer extent, oracle::integer offset, oracle::integer size, oracle::integer stride,
                 oracle::integer output) {
  verify_slice1<float, 1, 1>(windowed({extent}, {{offset}, {size}, {stride}}, {output}));
}

constexpr auto lowest = std::numeric_limits<oracle::integer>::min();
constexpr auto highest = std::numeric_limits<oracle::integer>::max();

}  // namespace

TEST_CASE("slice1 moves random windows of elements of every size") {
  verify_random<std::uint8_t, 2, 2>(100);
  verify_random<std::uint16_t, 2, 2>(100);
  verify_random<pixel, 2, 2>(100);
  verify_random<float, 2, 2>(100);
  verify_random<double, 2, 2>(100);
  verify_random<point, 2, 2>(100);
  verify_random<std::complex<double>, 2, 2>(100);
  verify_random<record, 2, 2>(100);
}

TEST_CASE("slice1 holds for every rank") {
  verify_random<float, 0, 0>(3);
  verify_random<float, 0, 3>(3);
  verify_random<float, 1, 1>(100);
  verify_random<float, 3, 3>(100);
  verify_random<float, 3, 5>(50);
  verify_random<float, 5, 5>(50);
  verify_random<float, 8, 8>(100);
}

TEST_CASE("slice1 with a negative stride begins at the last element of the window") {
  verify_line(10, 2, 5, -1, 5);
  verify_line(10, 2, 5, -2, 3);
  verify_line(10, 0, 10, -3, 4);
}

TEST_CASE("slice1 divides by the magnitude of the stride") {
  verify_line(4, 0, 4, -2, 2);
  verify_line(4, 0, 4, -2, 3);  // one too many
  verify_line(4, 0, 4, 2, 2);
  verify_line(4, 0, 4, 2, 3);
}

TEST_CASE("slice1 takes the first elements of the walk where the output is smaller") {
  verify_line(10, 1, 9, 2, 3);
  verify_line(10, 1, 9, -2, 3);
  verify_line(10, 1, 9, -2, 1);
}

TEST_CASE("slice1 takes strides as large as they come") {
  for (oracle::integer stride : {highest, lowest, -highest, oracle::integer{1} << 32}) {
    verify_line(4, 1, 3, stride, 1);
    verify_line(4, 1, 3, stride, 2);
  }
}

TEST_CASE("slice1 refuses a stride of 0, an empty window, one outside the input, and an output too large or empty") {
  verify_line(5, 1, 3, 1, 3);  // right
  verify_line(5, 1, 3, 0, 1);
  verify_line(5, 1, 0, 1, 0);
  verify_line(5, 1, 0, 1, 1);
  verify_line(5, 1, -1, 1, 1);
  verify_line(5, -1, 3, 1, 3);
  verify_line(5, 3, 3, 1, 3);
  verify_line(5, 5, 1, 1, 1);
  verify_line(5, 1, 3, 1, 4);
  verify_line(5, 1, 3, 1, 0);
  verify_line(0, 0, 1, 1, 1);
  verify_line(0, 0, 0, 1, 0);
}

TEST_CASE("slice1 adds offsets and sizes in 64 bit without a wrap") {
  verify_line(5, highest, 3, 1, 3);
  verify_line(5, 3, highest, 1, 3);
  verify_line(5, highest, highest, 1, 3);
  verify_line(5, lowest, 3, 1, 3);
  verify_line(5, 3, lowest, 1, 3);
  verify_line(5, lowest, lowest, 1, 3);
}

TEST_CASE("slice1 takes an output with leading ones, and no other padding") {
  for (oracle::shape const& output :
       {oracle::shape{1, 1, 2, 2}, {1, 2, 1, 2}, {2, 1, 2, 2}, {1, 0, 2, 2}, {1, 1, 1, 2}, {1, 1, 3, 2}})
    verify_slice1<float, 2, 4>(windowed({3, 4}, {{0, 1}, {3, 3}, {2, 2}}, output));
}

TEST_CASE("slice1 moves large windows as it moves small ones") {
  random_source random(first_seed());
  for (oracle::integer stride : {1, 2, -1}) {
    problem p = problem_of<std::uint16_t, std::int32_t>(operation::slice1);
    p.input = random_bits({1001, 1403}, sizeof(std::uint16_t), random);
    p.window = {{3, 1}, {997, 1400}, {1, stride}};
    p.output = *oracle::largest_window(p.input.extents, p.window);
    verify_slice1<std::uint16_t, 2, 2>(p, "a few MiB", few_arrangements());
  }
}

TEST_CASE("slice1 moves windows larger than any cache") {
  random_source random(first_seed());
  problem p = problem_of<record, std::int32_t>(operation::slice1);
  p.input = {{1300, 1450}, sizeof(record), {}};
  p.input.bytes.resize(static_cast<std::size_t>(1300 * 1450) * sizeof(record));
  for (std::size_t i = 0; i < p.input.bytes.size(); ++i) p.input.bytes[i] = static_cast<std::byte>(i * i >> 7U);
  p.window = {{1, 2}, {1299, 1447}, {1, 1}};
  p.output = p.window.sizes;
  verify_slice1<record, 2, 2>(p, "43 MiB", few_arrangements());
}
