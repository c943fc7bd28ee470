// SPDX-License-Identifier: MIT
#include "support/any_policy.hpp"
#include "support/catch.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#if defined(__unix__)
#include <sys/mman.h>

namespace {

using ndx::index_t;
using ndx::tensor;
using ndx::tensor_view;

constexpr index_t gibi = index_t{1} << 30;
constexpr index_t mapped_bytes = 24 * gibi;

// 24 GiB of addresses. Only pages that a test writes take memory; all others read as zero.
class sparse_memory {
public:
  sparse_memory() {
    void* const start = ::mmap(nullptr, static_cast<std::size_t>(mapped_bytes), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
      error_ = errno;
      return;
    }
    start_ = start;
    // One touched byte must not become a whole huge page.
    static_cast<void>(::madvise(start, static_cast<std::size_t>(mapped_bytes), MADV_NOHUGEPAGE));
  }
  sparse_memory(sparse_memory const&) = delete;
  sparse_memory& operator=(sparse_memory const&) = delete;
  ~sparse_memory() {
    if (start_ != nullptr) ::munmap(start_, static_cast<std::size_t>(mapped_bytes));
  }

  // False where the system has no room for the addresses: the one reason not to run.
  bool usable() const {
    if (start_ != nullptr) return true;
    if (error_ == ENOMEM || error_ == EAGAIN) {
      WARN("skipped: this system refuses to map 24 GiB of addresses: " << std::strerror(error_));
    } else {
      FAIL("mmap of 24 GiB failed: " << std::strerror(error_));
    }
    return false;
  }

  // All of it as Ts.
  template <class T>
  T* as() const {
    return static_cast<T*>(start_);
  }
  template <class T>
  static constexpr index_t count = mapped_bytes / static_cast<index_t>(sizeof(T));

private:
  void* start_ = nullptr;
  int error_ = 0;
};

// A value that tells offsets apart, never zero, and never equal for offsets that differ by a power of two alone.
template <class T>
T mark(index_t offset) {
  std::uint64_t bits = static_cast<std::uint64_t>(offset) * 0x9e3779b97f4a7c15u;
  bits ^= bits >> 29;
  return static_cast<T>(bits % 120 + 1);
}

template <class T>
void plant(T* memory, index_t offset) {
  memory[offset] = mark<T>(offset);
}

// The places that arithmetic in 31 or 32 bits, in elements or in bytes, would take for `offset`.
template <class T>
std::vector<index_t> wrapped(index_t offset) {
  auto const size = static_cast<index_t>(sizeof(T));
  std::vector<index_t> places;
  for (index_t modulus : {2 * gibi, 4 * gibi}) {
    places.push_back(offset % modulus);
    places.push_back(offset * size % modulus / size);
  }
  return places;
}

// For a scatter: `offset` holds its mark, and no place it could have been mistaken for does.
template <class T>
void check_only_there(T const* memory, index_t offset, std::vector<index_t> const& written) {
  INFO("offset " << offset);
  CHECK(memory[offset] == mark<T>(offset));
  for (index_t place : wrapped<T>(offset)) {
    bool meant = false;
    for (index_t w : written) meant = meant || w == place;
    INFO("wrapped to " << place);
    if (!meant) CHECK(memory[place] == T{});
  }
}

// The index by its number, or where I cannot hold that, counted from the end.
template <class I>
I index_of(index_t index, index_t extent) {
  if (std::in_range<I>(index)) return static_cast<I>(index);
  REQUIRE(std::signed_integral<I>);
  REQUIRE(std::in_range<I>(index - extent));
  return static_cast<I>(index - extent);
}

// Whether I has a value for this index: int32 has a gap in the middle of long axes, uint32 ends at 2^32.
template <class I>
bool reaches(index_t index, index_t extent) {
  return std::in_range<I>(index) || (std::signed_integral<I> && std::in_range<I>(index - extent));
}

constexpr std::array<index_t, 8> places_along(index_t extent) {
  return {0, 1, 2 * gibi - 1, 2 * gibi, 2 * gibi + 5, 4 * gibi - 1, extent - 2, extent - 1};
}

template <class I>
std::vector<index_t> reachable_places(index_t extent) {
  std::vector<index_t> result;
  for (index_t place : places_along(extent))
    if (place < extent && reaches<I>(place, extent)) result.push_back(place);
  return result;
}

template <class I>
tensor<I, 2> one_coordinate_tuples(std::vector<index_t> const& places, index_t extent) {
  tensor<I, 2> indices({static_cast<index_t>(places.size()), 1});
  for (std::size_t i = 0; i < places.size(); ++i) indices.begin()[i] = index_of<I>(places[i], extent);
  return indices;
}

}  // namespace

TEMPLATE_TEST_CASE("gather_nd reads elements beyond 2^32", "[offsets]", std::int32_t, std::int64_t, std::uint32_t,
                   std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  using element = float;
  constexpr index_t extent = sparse_memory::count<element>;
  static_assert(extent > 4 * gibi);
  auto* const data = memory.as<element>();
  auto const places = reachable_places<TestType>(extent);
  for (index_t place : places) plant(data, place);
  auto const indices = one_coordinate_tuples<TestType>(places, extent);
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    tensor<element, 1> output({static_cast<index_t>(places.size())});
    ndx::gather_nd(policy, tensor_view{data, {extent}}, indices, output);
    for (std::size_t i = 0; i < places.size(); ++i) {
      INFO("offset " << places[i]);
      CHECK(output.begin()[i] == mark<element>(places[i]));
    }
  }
}

TEMPLATE_TEST_CASE("gather_nd reads rows beyond 2^31", "[offsets]", std::int32_t, std::int64_t, std::uint32_t,
                   std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  constexpr index_t width = 7;  // no power of two: a wrapped offset lands in the middle of a row
  constexpr index_t rows = mapped_bytes / width;
  static_assert(rows > 2 * gibi);
  auto* const data = memory.as<std::uint8_t>();
  auto const places = reachable_places<TestType>(rows);
  for (index_t place : places)
    for (index_t column = 0; column < width; ++column) plant(data, place * width + column);
  auto const indices = one_coordinate_tuples<TestType>(places, rows);
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    tensor<std::uint8_t, 2> output({static_cast<index_t>(places.size()), width});
    ndx::gather_nd(policy, tensor_view{data, {rows, width}}, indices, output);
    for (std::size_t i = 0; i < places.size(); ++i)
      for (index_t column = 0; column < width; ++column) {
        INFO("row " << places[i] << ", column " << column);
        CHECK(output(static_cast<index_t>(i), column) == mark<std::uint8_t>(places[i] * width + column));
      }
  }
}

TEMPLATE_TEST_CASE("gather_nd reads elements and rows beyond 2^31 by long lines of indices", "[offsets]", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  auto* const data = memory.as<std::uint8_t>();
  for (index_t const width : {1, 7}) {
    index_t const rows = mapped_bytes / width;
    auto const places = reachable_places<TestType>(rows);
    for (index_t const place : places)
      for (index_t column = 0; column < width; ++column) plant(data, place * width + column);
    constexpr index_t lines = 3;
    auto const in_line = 30 * static_cast<index_t>(places.size());
    auto const place_of = [&](index_t i) { return places[static_cast<std::size_t>(i) % places.size()]; };
    tensor<TestType, 3> indices({lines, in_line, 1});
    for (index_t i = 0; i < lines * in_line; ++i) indices.begin()[i] = index_of<TestType>(place_of(i), rows);
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name() << ", rows of " << width);
      tensor<std::uint8_t, 3> output({lines, in_line, width});
      ndx::gather_nd(policy, tensor_view<std::uint8_t const, 2>(data, {rows, width}), indices, output);
      bool same = true;
      for (index_t i = 0; i < lines * in_line * width; ++i)
        same = same && output.begin()[i] == mark<std::uint8_t>(place_of(i / width) * width + i % width);
      CHECK(same);
    }
  }
}

TEMPLATE_TEST_CASE("gather_nd reads tuples of small indices whose offsets are large", "[offsets]", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  using element = std::uint8_t;
  constexpr index_t height = 98'301;
  constexpr index_t width = 65'537;
  constexpr index_t depth = 2;
  static_assert(height * width * depth > 8 * gibi && height * width * depth <= sparse_memory::count<element>);
  auto* const data = memory.as<element>();
  std::array<std::array<index_t, 3>, 6> const points{{{0, 0, 0},
                                                      {height - 1, width - 1, depth - 1},
                                                      {height - 1, 0, 1},
                                                      {32'767, 65'536, 0},
                                                      {16'384, 7, 1},
                                                      {65'000, 65'000, 0}}};
  tensor<TestType, 2> indices({6, 3});
  auto const offset_of = [](std::array<index_t, 3> const& p) { return (p[0] * width + p[1]) * depth + p[2]; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    plant(data, offset_of(points[i]));
    for (std::size_t c = 0; c < 3; ++c)
      indices(static_cast<index_t>(i), static_cast<index_t>(c)) = static_cast<TestType>(points[i][c]);
  }
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    tensor<element, 1> output({6});
    ndx::gather_nd(policy, tensor_view{data, {height, width, depth}}, indices, output);
    for (std::size_t i = 0; i < points.size(); ++i) {
      INFO("tuple " << i);
      CHECK(output.begin()[i] == mark<element>(offset_of(points[i])));
    }
  }
}

TEMPLATE_TEST_CASE("gather_nd1 reads batches that begin beyond 2^32", "[offsets]", std::int32_t, std::int64_t,
                   std::uint32_t, std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  using element = std::uint8_t;
  constexpr index_t extent = 4 * gibi - 11;
  static_assert(3 * extent <= sparse_memory::count<element>);
  auto* const data = memory.as<element>();
  tensor<TestType, 3> indices({3, 4, 1});
  std::array<index_t, 4> const places{0, 2 * gibi - 1, extent - 2, extent - 1};
  for (index_t batch = 0; batch < 3; ++batch)
    for (std::size_t i = 0; i < places.size(); ++i) {
      plant(data, batch * extent + places[i]);
      indices(batch, static_cast<index_t>(i), 0) = index_of<TestType>(places[i], extent);
    }
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    tensor<element, 2> output({3, 4});
    ndx::gather_nd1(policy, tensor_view{data, {3, extent}}, indices, output, {.batch_dims = 1});
    for (index_t batch = 0; batch < 3; ++batch)
      for (std::size_t i = 0; i < places.size(); ++i) {
        INFO("batch " << batch << ", index " << places[i]);
        CHECK(output(batch, static_cast<index_t>(i)) == mark<element>(batch * extent + places[i]));
      }
  }
}

TEST_CASE("gather_nd reads and writes through strides beyond 2^32", "[offsets]") {
  sparse_memory const memory;
  if (!memory.usable()) return;
  auto* const data = memory.as<std::uint8_t>();
  constexpr index_t stride = 4 * gibi + 7;
  // Three rows each, far apart; the input's from the last to the first, the output's behind them.
  tensor_view<std::uint8_t, 2> const input(data + 2 * stride, {3, 5}, {-stride, 3});
  tensor_view<std::uint8_t, 2> const output(data + 3 * stride, {3, 5}, {stride, 2});
  for (index_t row = 0; row < 3; ++row)
    for (index_t column = 0; column < 5; ++column) plant(data, (2 - row) * stride + 3 * column);
  tensor<std::int32_t, 2> const indices({3, 1}, {2, -3, 1});
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    for (index_t row = 0; row < 3; ++row) std::memset(data + (3 + row) * stride, 0, 9);
    ndx::gather_nd(policy, input, indices, output);
    std::array<index_t, 3> const source{2, 0, 1};
    for (index_t row = 0; row < 3; ++row)
      for (index_t column = 0; column < 5; ++column) {
        INFO("row " << row << ", column " << column);
        index_t const offset = (2 - source[static_cast<std::size_t>(row)]) * stride + 3 * column;
        CHECK(output(row, column) == mark<std::uint8_t>(offset));
        if (column != 4) CHECK(data[(3 + row) * stride + 2 * column + 1] == 0);
      }
  }
}

TEST_CASE("slice1 reads windows that begin beyond 2^32", "[offsets]") {
  sparse_memory const memory;
  if (!memory.usable()) return;
  using element = float;
  constexpr index_t height = sparse_memory::count<element> / 6;
  constexpr index_t width = 6;
  auto* const data = memory.as<element>();
  tensor_view<element const, 2> const input(data, {height, width});
  SECTION("forwards and backwards at the far end") {
    for (index_t row = height - 9; row < height; ++row)
      for (index_t column = 0; column < width; ++column) plant(data, row * width + column);
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name());
      for (index_t row_stride : {index_t{1}, index_t{3}, index_t{-1}, index_t{-4}})
        for (index_t column_stride : {index_t{1}, index_t{-1}, index_t{-2}}) {
          INFO("strides " << row_stride << ", " << column_stride);
          index_t const rows = 1 + 8 / (row_stride < 0 ? -row_stride : row_stride);
          index_t const columns = 1 + 4 / (column_stride < 0 ? -column_stride : column_stride);
          tensor<element, 2> output({rows, columns});
          ndx::slice1(policy, input, output,
                      {.offsets = {height - 9, 1}, .sizes = {9, 5}, .strides = {row_stride, column_stride}});
          for (index_t row = 0; row < rows; ++row)
            for (index_t column = 0; column < columns; ++column) {
              index_t const y = (row_stride < 0 ? height - 1 : height - 9) + row * row_stride;
              index_t const x = (column_stride < 0 ? width - 1 : 1) + column * column_stride;
              CHECK(output(row, column) == mark<element>(y * width + x));
            }
        }
    }
  }
  SECTION("strides that step over most of the tensor") {
    constexpr index_t stride = gibi / 2 + 17;
    static_assert((height - 1) / stride == 1 && (height - 1) * width > 4 * gibi);
    for (index_t row : {index_t{0}, stride, height - 1, height - 1 - stride})
      for (index_t column = 0; column < width; ++column) plant(data, row * width + column);
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name());
      tensor<element, 2> output({2, width});
      ndx::slice1(policy, input, output, {.offsets = {0, 0}, .sizes = {height, width}, .strides = {-stride, 1}});
      for (index_t column = 0; column < width; ++column) {
        CHECK(output(0, column) == mark<element>((height - 1) * width + column));
        CHECK(output(1, column) == mark<element>((height - 1 - stride) * width + column));
      }
      ndx::slice1(policy, input, output, {.offsets = {0, 0}, .sizes = {height, width}, .strides = {stride, 1}});
      for (index_t column = 0; column < width; ++column) {
        CHECK(output(0, column) == mark<element>(column));
        CHECK(output(1, column) == mark<element>(stride * width + column));
      }
    }
  }
  SECTION("an output whose rows lie beyond 2^32") {
    constexpr index_t stride = 5 * gibi + 3;
    for (index_t column = 0; column < width; ++column) {
      plant(data, column);
      plant(data, width + column);
    }
    tensor_view<element const, 2> const start(data, {2, width});
    tensor_view<element, 2> const output(data + 100, {2, 3}, {stride, 2});
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name());
      for (index_t row = 0; row < 2; ++row)
        for (index_t column = 0; column < 3; ++column) output(row, column) = 0;
      ndx::slice1(policy, start, output, {.offsets = {0, 0}, .sizes = {2, 6}, .strides = {-1, 2}});
      for (index_t row = 0; row < 2; ++row)
        for (index_t column = 0; column < 3; ++column)
          CHECK(output(row, column) == mark<element>((1 - row) * width + 2 * column));
    }
  }
}

TEMPLATE_TEST_CASE("scatter_nd in place writes elements beyond 2^32, and no others", "[offsets]", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  using element = float;
  constexpr index_t extent = sparse_memory::count<element>;
  auto* const data = memory.as<element>();
  auto const places = reachable_places<TestType>(extent);
  auto const indices = one_coordinate_tuples<TestType>(places, extent);
  tensor<element, 1> updates({static_cast<index_t>(places.size())});
  for (std::size_t i = 0; i < places.size(); ++i) updates.begin()[i] = mark<element>(places[i]);
  tensor_view<element, 1> const output(data, {extent});
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    for (ndx::scatter_nd_options const& options :
         {ndx::scatter_nd_options{}, ndx::scatter_nd_options{.duplicates = ndx::duplicates::last},
          ndx::scatter_nd_options{.reduction = ndx::reduction::add}}) {
      for (index_t place : places) data[place] = 0;
      ndx::scatter_nd(policy, output, indices, updates, output, options);
      for (index_t place : places) check_only_there(data, place, places);
    }
  }
}

TEMPLATE_TEST_CASE("scatter_nd in place writes rows beyond 2^31, and no others", "[offsets]", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  constexpr index_t width = 7;
  constexpr index_t rows = mapped_bytes / width;
  auto* const data = memory.as<std::uint8_t>();
  auto const places = reachable_places<TestType>(rows);
  auto const indices = one_coordinate_tuples<TestType>(places, rows);
  tensor<std::uint8_t, 2> updates({static_cast<index_t>(places.size()), width});
  std::vector<index_t> written;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (index_t column = 0; column < width; ++column) {
      written.push_back(places[i] * width + column);
      updates(static_cast<index_t>(i), column) = mark<std::uint8_t>(written.back());
    }
  tensor_view<std::uint8_t, 2> const output(data, {rows, width});
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    for (index_t offset : written) data[offset] = 0;
    ndx::scatter_nd(policy, output, indices, updates, output);
    for (index_t offset : written) check_only_there(data, offset, written);
  }
}

TEMPLATE_TEST_CASE("scatter_elements in place writes beyond 2^32 along either axis", "[offsets]", std::int32_t,
                   std::int64_t, std::uint32_t, std::uint64_t) {
  sparse_memory const memory;
  if (!memory.usable()) return;
  using element = float;
  auto* const data = memory.as<element>();
  SECTION("along the long axis, the last") {
    constexpr index_t extent = sparse_memory::count<element> / 2 - 3;
    static_assert(extent > 2 * gibi && 2 * extent > 4 * gibi);
    std::array<index_t, 4> const places{0, 2 * gibi - 1, extent - 1, extent - 7};
    tensor<TestType, 2> indices({2, 4});
    tensor<element, 2> updates({2, 4});
    std::vector<index_t> written;
    for (index_t row = 0; row < 2; ++row)
      for (std::size_t i = 0; i < places.size(); ++i) {
        written.push_back(row * extent + places[i]);
        indices(row, static_cast<index_t>(i)) = index_of<TestType>(places[i], extent);
        updates(row, static_cast<index_t>(i)) = mark<element>(written.back());
      }
    tensor_view<element, 2> const output(data, {2, extent});
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name());
      for (index_t offset : written) data[offset] = 0;
      ndx::scatter_elements(policy, output, indices, updates, output, {.axis = 1});
      for (index_t offset : written) check_only_there(data, offset, written);
    }
  }
  SECTION("along the long axis, the first, with reduction") {
    constexpr index_t width = 3;
    constexpr index_t extent = sparse_memory::count<element> / width;
    std::array<index_t, 4> const places{0, extent - 1, 5, gibi + 1};
    tensor<TestType, 2> indices({4, width});
    tensor<element, 2> updates({4, width});
    std::vector<index_t> written;
    for (index_t column = 0; column < width; ++column)
      for (std::size_t i = 0; i < places.size(); ++i) {
        // Another order in each column.
        index_t const place = places[(i + static_cast<std::size_t>(column)) % places.size()];
        written.push_back(place * width + column);
        indices(static_cast<index_t>(i), column) = index_of<TestType>(place, extent);
        updates(static_cast<index_t>(i), column) = mark<element>(written.back());
      }
    tensor_view<element, 2> const output(data, {extent, width});
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name());
      for (index_t offset : written) data[offset] = 0;
      ndx::scatter_elements(policy, output, indices, updates, output, {.axis = 0, .reduction = ndx::reduction::max});
      for (index_t offset : written) check_only_there(data, offset, written);
    }
  }
  SECTION("along a short axis whose stride is long") {
    constexpr index_t stride = 2 * gibi - 5;
    tensor<TestType, 2> const indices({2, 3},
                                      {TestType{2}, TestType{0}, TestType{1}, TestType{0}, TestType{2}, TestType{2}});
    tensor<element, 2> updates({2, 3});
    std::vector<index_t> written;
    for (index_t row = 0; row < 2; ++row)
      for (index_t column = 0; column < 3; ++column) {
        written.push_back(static_cast<index_t>(indices(row, column)) * stride + column);
        updates(row, column) = mark<element>(written.back());
      }
    tensor_view<element, 2> const output(data, {3, stride});
    for (test::any_policy const& policy : test::every_policy()) {
      INFO(policy.name());
      for (index_t offset : written) data[offset] = 0;
      ndx::scatter_elements(policy, output, indices, updates, output, {.axis = -2});
      for (index_t offset : written) check_only_there(data, offset, written);
    }
  }
}

TEST_CASE("an index beyond a long axis is found before anything is written", "[offsets]") {
  sparse_memory const memory;
  if (!memory.usable()) return;
  constexpr index_t extent = sparse_memory::count<float>;
  auto* const data = memory.as<float>();
  tensor_view<float, 1> const output(data, {extent});
  tensor<std::int64_t, 2> const indices({4, 1}, {5, -1, extent, -extent - 1});
  tensor<float, 1> const updates({4}, {1, 2, 3, 4});
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    try {
      ndx::scatter_nd(policy, output, indices, updates, output);
      FAIL("no index_error was thrown");
    } catch (ndx::index_error const& error) {
      CHECK(error.position() == std::vector<index_t>{2, 0});
      CHECK(error.value() == extent);
      CHECK(error.extent() == extent);
      CHECK(error.axis() == 0);
    }
    CHECK(data[5] == 0.0f);
    CHECK(data[extent - 1] == 0.0f);
  }
}

TEST_CASE("bounds modes on an axis longer than 2^32", "[offsets]") {
  sparse_memory const memory;
  if (!memory.usable()) return;
  constexpr index_t extent = sparse_memory::count<float> - 3;
  auto* const data = memory.as<float>();
  tensor_view<float const, 1> const input(data, {extent});
  for (index_t place : {index_t{0}, index_t{1}, extent - 1, extent - 2}) plant(data, place);
  constexpr index_t largest = std::numeric_limits<index_t>::max();
  constexpr index_t smallest = std::numeric_limits<index_t>::min();
  tensor<std::int64_t, 2> const indices({6, 1}, {extent, 3 * extent + 1, -extent - 1, largest, smallest, -extent - 2});
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(policy.name());
    tensor<float, 1> output({6});
    auto const expect = [&](std::array<float, 6> const& due) {
      for (std::size_t i = 0; i < due.size(); ++i) {
        INFO("tuple " << i);
        CHECK(output.begin()[i] == due[i]);
      }
    };
    float const first = mark<float>(0);
    float const last = mark<float>(extent - 1);
    ndx::gather_nd(policy, input, indices, output, {.bounds = ndx::bounds::clamp});
    expect({last, last, first, last, first, first});
    ndx::gather_nd(policy, input, indices, output, {.bounds = ndx::bounds::ignore, .fill = -1.0f});
    expect({-1, -1, -1, -1, -1, -1});
    auto const modulo = [&](index_t index) { return (index % extent + extent) % extent; };
    ndx::gather_nd(policy, input, indices, output, {.bounds = ndx::bounds::wrap});
    expect({first, mark<float>(1), last, data[modulo(largest)], data[modulo(smallest)], mark<float>(extent - 2)});
  }
}

#endif
