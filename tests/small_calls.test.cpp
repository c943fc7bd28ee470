// SPDX-License-Identifier: MIT
// Calls on a handful of elements take short cuts through checks, plan and policy. Each error there is must still be
// found, by every policy, and each result be right, at the sizes where the short cuts end as well.
#include "support/catch.hpp"
#include "support/harness.hpp"
#include "support/message_of.hpp"
#include "support/policies.hpp"

#include <ndx/ndx.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using ndx::index_t;

constexpr index_t big = index_t{1} << 62;

/// gather_nd of four pairs from an 8 x 8 table, each argument as wrong as a test wants it.
struct gather_call {
  std::vector<float> memory = std::vector<float>(256);
  std::vector<std::int64_t> numbers{1, 2, 7, 7, -8, -1, 3, 0};
  float const* input = memory.data();
  float* output = memory.data() + 128;
  std::int64_t const* indices = numbers.data();
  std::array<index_t, 2> input_extents{8, 8};
  std::array<index_t, 2> input_strides{8, 1};
  std::array<index_t, 2> indices_extents{4, 2};
  std::array<index_t, 2> indices_strides{2, 1};
  std::array<index_t, 1> output_extents{4};
  std::array<index_t, 1> output_strides{1};

  gather_call() {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
  }
  gather_call(gather_call const&) = delete;
  gather_call& operator=(gather_call const&) = delete;

  template <class Policy>
  void operator()(Policy const& policy) {
    ndx::gather_nd(policy, ndx::tensor_view<float const, 2>(input, input_extents, input_strides),
                   ndx::tensor_view<std::int64_t const, 2>(indices, indices_extents, indices_strides),
                   ndx::tensor_view<float, 1>(output, output_extents, output_strides));
  }
};

/// Every policy throws this error for a call that `spoil` has changed, and has written nothing.
template <class Error, class Spoil>
void expect(std::string const& what, Spoil spoil) {
  test::for_each_policy([&](std::string const& name, auto const& policy) {
    INFO(what << ", policy " << name);
    gather_call call;
    spoil(call);
    std::vector<float> const before = call.memory;
    CHECK_THROWS_AS(call(policy), Error);
    CHECK(call.memory == before);
  });
}

template <class Spoil>
void expect_shape_error(std::string const& what, Spoil spoil) {
  expect<ndx::shape_error>(what, spoil);
}

template <class Spoil>
void expect_overlap_error(std::string const& what, Spoil spoil) {
  expect<ndx::overlap_error>(what, spoil);
}

}  // namespace

TEST_CASE("A small gather reads what its indices say") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    gather_call call;
    call(policy);
    CHECK(std::vector<float>(call.output, call.output + 5) == std::vector<float>{10, 63, 7, 24, 132});
  });
}

TEST_CASE("A small gather of tensors that cannot be addressed is a shape error") {
  expect_shape_error("input -8", [](gather_call& c) { c.input_extents[0] = -8; });
  expect_shape_error("indices -4", [](gather_call& c) { c.indices_extents[0] = -4; });
  expect_shape_error("output -4", [](gather_call& c) { c.output_extents[0] = -4; });
  expect_shape_error("both -4", [](gather_call& c) { c.output_extents[0] = c.indices_extents[0] = -4; });
  expect_shape_error("input null", [](gather_call& c) { c.input = nullptr; });
  expect_shape_error("indices null", [](gather_call& c) { c.indices = nullptr; });
  expect_shape_error("output null", [](gather_call& c) { c.output = nullptr; });
  expect_shape_error("input extents", [](gather_call& c) { c.input_extents = {big, big}; });
  expect_shape_error("input stride", [](gather_call& c) { c.input_strides[0] = big; });
  expect_shape_error("input stride back", [](gather_call& c) { c.input_strides[0] = -big; });
  expect_shape_error("input bytes", [](gather_call& c) { c.input_extents = {big / 2, 1}; });
  expect_shape_error("indices stride", [](gather_call& c) { c.indices_strides[1] = big; });
  expect_shape_error("output stride", [](gather_call& c) { c.output_strides[0] = big; });
}

TEST_CASE("A small gather of tensors that do not fit one another is a shape error") {
  expect_shape_error("output 3", [](gather_call& c) { c.output_extents[0] = 3; });
  expect_shape_error("output 5", [](gather_call& c) { c.output_extents[0] = 5; });
  expect_shape_error("output 0", [](gather_call& c) { c.output_extents[0] = 0; });
  expect_shape_error("indices 0", [](gather_call& c) { c.indices_extents[0] = 0; });
  expect_shape_error("pairs of 1", [](gather_call& c) { c.indices_extents[1] = 1; });
  expect_shape_error("pairs of 0", [](gather_call& c) { c.indices_extents[1] = 0; });
  expect_shape_error("pairs of 3", [](gather_call& c) { c.indices_extents[1] = 3; });
}

TEST_CASE("A small gather into memory that is not its own is an overlap error") {
  expect_overlap_error("stride 0", [](gather_call& c) { c.output_strides[0] = 0; });
  expect_overlap_error("the input's first", [](gather_call& c) { c.output = c.memory.data(); });
  expect_overlap_error("the input's last", [](gather_call& c) { c.output = c.memory.data() + 63; });
  expect_overlap_error("up to the input's first", [](gather_call& c) {
    c.input = c.memory.data() + 100;
    c.output = c.memory.data() + 97;
  });
  expect_overlap_error("back to the input's last", [](gather_call& c) {
    c.output = c.memory.data() + 66;
    c.output_strides[0] = -1;
  });
  expect_overlap_error("the indices", [](gather_call& c) {
    c.numbers.assign(128, 0);
    c.indices = c.numbers.data();
    c.output = reinterpret_cast<float*>(c.numbers.data()) + 14;  // the last four bytes but four
  });
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    gather_call beside;
    beside.output = beside.memory.data() + 64;
    CHECK_NOTHROW(beside(policy));
    gather_call before;
    before.input = before.memory.data() + 68;
    before.output = before.memory.data() + 64;
    CHECK_NOTHROW(before(policy));
  });
}

TEST_CASE("A small output of two dimensions that meets itself is an overlap error") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    std::vector<float> memory(128);
    std::vector<std::int64_t> const numbers(8);
    ndx::tensor_view<float const, 2> const input(memory.data(), {8, 8});
    ndx::tensor_view<std::int64_t const, 3> const indices(numbers.data(), {2, 2, 2});
    auto const into = [&](std::array<index_t, 2> const& strides) {
      ndx::gather_nd(policy, input, indices, ndx::tensor_view<float, 2>(memory.data() + 100, {2, 2}, strides));
    };
    CHECK_NOTHROW(into({2, 1}));
    CHECK_NOTHROW(into({1, 2}));
    CHECK_NOTHROW(into({-2, 1}));
    CHECK_NOTHROW(into({3, 2}));
    CHECK_THROWS_AS(into({1, 1}), ndx::overlap_error);
    CHECK_THROWS_AS(into({0, 1}), ndx::overlap_error);
    CHECK_THROWS_AS(into({1, 0}), ndx::overlap_error);
    CHECK_THROWS_AS(into({1, -1}), ndx::overlap_error);
  });
}

TEST_CASE("A bad index of a small gather is found wherever it is, the first of several reported") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (std::size_t place = 0; place < 8; ++place) {
      for (std::int64_t bad : {std::int64_t{8}, std::int64_t{-9}, std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max()}) {
        INFO("policy " << name << ", place " << place << ", value " << bad);
        gather_call call;
        for (std::size_t later = place; later < 8; later += 3) call.numbers[later] = bad;
        try {
          call(policy);
          FAIL_CHECK("there was no error");
        } catch (ndx::index_error const& error) {
          auto const at = static_cast<index_t>(place);
          CHECK(error.position() == std::vector<index_t>{at / 2, at % 2});
          CHECK(error.axis() == at % 2);
          CHECK(error.value() == bad);
          CHECK(error.extent() == 8);
        }
      }
    }
  });
}

TEST_CASE("A small scatter in place writes what its indices say, the last of several in one place") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t count : {0, 1, 2, 31, 32, 33}) {
      INFO("policy " << name << ", " << count << " updates");
      std::vector<float> table(64);
      std::vector<float> due(64);
      std::vector<float> updates;
      std::vector<std::int64_t> pairs;
      for (index_t i = 0; i < count; ++i) {
        index_t const place = i * 7 % 12;  // each several times
        updates.push_back(static_cast<float>(i + 1));
        pairs.insert(pairs.end(), {place / 8, place % 8 - 8});
        due[static_cast<std::size_t>(place)] = updates.back();
      }
      ndx::tensor_view<float, 2> const tensor(table.data(), {8, 8});
      ndx::tensor_view<std::int64_t const, 2> const indices(pairs.data(), {count, 2});
      ndx::tensor_view<float const, 1> const values(updates.data(), {count});
      ndx::scatter_nd(policy, tensor, indices, values, tensor, {.duplicates = ndx::duplicates::last});
      CHECK(table == due);
    }
  });
}

TEST_CASE("A small scatter writes nothing where one of its indices is bad, wherever that is") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (std::size_t place = 0; place < 8; ++place) {
      for (std::int64_t bad : {std::int64_t{8}, std::int64_t{-9}, std::numeric_limits<std::int64_t>::min()}) {
        INFO("policy " << name << ", " << bad << " at " << place);
        std::vector<float> table(64);
        std::vector<float> const before = table;
        std::vector<float> const updates{1, 2, 3, 4, 5, 6, 7, 8};
        std::vector<std::int64_t> numbers{1, 2, 7, 7, -8, -1, 3, 0};
        numbers[place] = bad;
        ndx::tensor_view<float, 2> const tensor(table.data(), {8, 8});
        CHECK(test::position_of([&] {
                ndx::scatter_nd(policy, tensor, ndx::tensor_view<std::int64_t const, 2>(numbers.data(), {4, 2}),
                                ndx::tensor_view<float const, 1>(updates.data(), {4}), tensor);
              }) == std::vector<index_t>{static_cast<index_t>(place / 2), static_cast<index_t>(place % 2)});
        CHECK(test::position_of([&] {
                ndx::scatter_elements(policy, tensor, ndx::tensor_view<std::int64_t const, 2>(numbers.data(), {2, 4}),
                                      ndx::tensor_view<float const, 2>(updates.data(), {2, 4}), tensor, {.axis = 0});
              }) == std::vector<index_t>{static_cast<index_t>(place / 4), static_cast<index_t>(place % 4)});
        CHECK(table == before);
      }
    }
  });
}

TEST_CASE("A few updates of a copy are right on both sides of the sizes where the short cut ends") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t count : {31, 32, 33, 4095, 4096, 4097})
      for (index_t stride : {1, 2, -1}) {
        INFO("policy " << name << ", " << count << " elements at a stride of " << stride);
        std::vector<float> input(static_cast<std::size_t>(2 * count));
        for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
        float const* const first = input.data() + (stride < 0 ? count - 1 : 0);
        std::vector<float> output(static_cast<std::size_t>(count));
        std::vector<float> due;
        for (index_t i = 0; i < count; ++i) due.push_back(first[i * stride]);
        due.front() = -1;
        due.back() = -2;
        std::vector<std::int64_t> const places{0, count - 1};
        std::vector<float> const updates{-1, -2};
        ndx::scatter_nd(policy, ndx::tensor_view<float const, 1>(first, {count}, {stride}),
                        ndx::tensor_view<std::int64_t const, 2>(places.data(), {2, 1}),
                        ndx::tensor_view<float const, 1>(updates.data(), {2}),
                        ndx::tensor_view<float, 1>(output.data(), {count}));
        CHECK(output == due);
      }
  });
}

TEST_CASE("The other bounds modes hold in small gathers") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    std::vector<float> const table{0, 1, 2, 3};
    std::vector<std::int32_t> const numbers{5, -7, 2};
    auto const with = [&](ndx::bounds mode) {
      std::vector<float> output(3);
      ndx::gather_nd(policy, ndx::tensor_view{table.data(), {4}}, ndx::tensor_view{numbers.data(), {3, 1}},
                     ndx::tensor_view{output.data(), {3}}, {.bounds = mode, .fill = 9.0F});
      return output;
    };
    CHECK(with(ndx::bounds::clamp) == std::vector<float>{3, 0, 2});
    CHECK(with(ndx::bounds::wrap) == std::vector<float>{1, 1, 2});
    CHECK(with(ndx::bounds::ignore) == std::vector<float>{9, 9, 2});
  });
}

TEST_CASE("Indices that are good by the caller's word lead where others do in small calls") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    std::vector<float> table{0, 1, 2, 3};
    std::vector<std::int32_t> const numbers{3, -4, -2};
    ndx::tensor_view<float, 1> const all(table.data(), {4});
    ndx::tensor_view<std::int32_t const, 2> const indices(numbers.data(), {3, 1});
    std::vector<float> output(3);
    ndx::tensor_view<float, 1> const few(output.data(), {3});
    ndx::gather_nd(policy, all, indices, few, {.bounds = ndx::bounds::trust});
    CHECK(output == std::vector<float>{3, 0, 2});
    output = {7, 8, 9};
    ndx::scatter_nd(policy, all, indices, few, all, {.bounds = ndx::bounds::trust});
    CHECK(table == std::vector<float>{8, 1, 9, 7});
    ndx::scatter_nd(policy, all, indices, few, all, {.bounds = ndx::bounds::trust, .reduction = ndx::reduction::add});
    CHECK(table == std::vector<float>{16, 1, 18, 14});
  });
}

TEST_CASE("Gathers of elements are right on both sides of the size where the short cut ends") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t count : {0, 1, 2, 31, 32, 33, 64, 65}) {
      for (index_t rows : {1, 2, 3}) {
        INFO("policy " << name << ", " << rows << " rows of " << count << " tuples");
        auto const tuples = static_cast<std::size_t>(rows * count);
        std::vector<int> table(60);
        for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int>(i);
        std::vector<std::uint32_t> numbers(3 * tuples);
        std::vector<int> expected(2 * tuples, -1);
        for (std::size_t i = 0; i < tuples; ++i) {
          std::array<std::size_t, 3> const at{i % 3, i * 7 % 4, i * 3 % 5};
          for (std::size_t c = 0; c < 3; ++c) numbers[3 * i + c] = static_cast<std::uint32_t>(at[c]);
          expected[2 * i] = static_cast<int>(at[0] * 20 + at[1] * 5 + at[2]);
        }
        std::vector<int> output(2 * tuples, -1);
        ndx::gather_nd(policy, ndx::tensor_view{table.data(), {3, 4, 5}},
                       ndx::tensor_view{numbers.data(), {rows, count, 3}},
                       ndx::tensor_view<int, 2>(output.data(), {rows, count}, {2 * count, 2}));
        CHECK(output == expected);
      }
    }
  });
}

TEST_CASE("An empty tail of a small call touches nothing, and its indices are checked") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    INFO("policy " << name);
    std::vector<std::int64_t> numbers{0, 1};
    ndx::tensor_view<float, 3> const nothing(nullptr, {2, index_t{1} << 40, 0});
    ndx::tensor_view<std::int64_t const, 2> const indices(numbers.data(), {2, 1});
    CHECK_NOTHROW(ndx::gather_nd(policy, nothing, indices, nothing));
    CHECK_NOTHROW(ndx::scatter_nd(policy, nothing, indices, nothing, nothing));
    numbers[1] = 2;
    CHECK_THROWS_AS(ndx::gather_nd(policy, nothing, indices, nothing), ndx::index_error);
    CHECK_THROWS_AS(ndx::scatter_nd(policy, nothing, indices, nothing, nothing), ndx::index_error);
  });
}

TEST_CASE("Few rows are right on both sides of the sizes where the short cut ends") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t rows : {1, 2, 15, 16, 17})
      for (index_t width : {0, 1, 2, 3, 255, 256, 257, 4096, 4097})
        for (index_t step : {1, 2}) {
          INFO("policy " << name << ", " << rows << " rows of " << width << " elements " << step << " apart");
          index_t const rows_of_table = 5;
          index_t const pitch = step * width + 3;
          std::vector<float> table(static_cast<std::size_t>(rows_of_table * pitch));
          for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
          std::vector<std::int32_t> numbers;  // each row several times, every other one counted from the end
          for (index_t i = 0; i < rows; ++i)
            numbers.push_back(static_cast<std::int32_t>(i * 3 % rows_of_table - (i % 2 == 0 ? 0 : rows_of_table)));
          auto const row_of = [&](index_t i) { return i * 3 % rows_of_table; };
          auto const place = [&](index_t row, index_t column) {
            return static_cast<std::size_t>(row * pitch + column * step);
          };
          std::vector<float> gathered;
          for (index_t i = 0; i < rows; ++i)
            for (index_t c = 0; c < width; ++c) gathered.push_back(table[place(row_of(i), c)]);

          ndx::tensor_view<float, 2> const tensor(table.data(), {rows_of_table, width}, {pitch, step});
          ndx::tensor_view<std::int32_t const, 2> const tuples(numbers.data(), {rows, 1});
          ndx::tensor_view<std::int32_t const, 1> const indices(numbers.data(), {rows});
          auto const written = [&](auto const& call) {
            std::vector<float> output(gathered.size(), -1.0F);
            call(ndx::tensor_view<float, 2>(output.data(), {rows, width}));
            return output;
          };
          CHECK(written([&](auto const& output) { ndx::gather_nd(policy, tensor, tuples, output); }) == gathered);
          CHECK(written([&](auto const& output) { ndx::take(policy, tensor, indices, output); }) == gathered);
          CHECK(written([&](auto const& output) {
                  ndx::gather_nd1(
                      policy, ndx::tensor_view<float, 3>(table.data(), {1, rows_of_table, width}, {0, pitch, step}),
                      ndx::tensor_view<std::int32_t const, 3>(numbers.data(), {1, rows, 1}),
                      ndx::tensor_view<float, 3>(output.data_handle(), {1, rows, width}), {.batch_dims = 1});
                }) == gathered);

          std::vector<float> due = table;
          std::vector<float> updates(gathered.size());
          for (std::size_t i = 0; i < updates.size(); ++i) updates[i] = -2 - static_cast<float>(i);
          for (index_t i = 0; i < rows; ++i)
            for (index_t c = 0; c < width; ++c)
              due[place(row_of(i), c)] = updates[static_cast<std::size_t>(i * width + c)];
          ndx::tensor_view<float const, 2> const values(updates.data(), {rows, width});
          std::vector<float> const before = table;
          numbers.back() = rows_of_table;
          CHECK_THROWS_AS(ndx::scatter_nd(policy, tensor, tuples, values, tensor), ndx::index_error);
          CHECK(table == before);
          CHECK_THROWS_AS(written([&](auto const& output) { ndx::take(policy, tensor, indices, output); }),
                          ndx::index_error);
          numbers.back() = static_cast<std::int32_t>(row_of(rows - 1));
          ndx::scatter_nd(policy, tensor, tuples, values, tensor, {.duplicates = ndx::duplicates::last});
          CHECK(table == due);
        }
  });
}

TEST_CASE("Few rows of each table of a batch are right on both sides of the sizes where the short cut ends") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t batch : {1, 2, 3})
      for (index_t count : {1, 2, 4, 5, 11, 16})
        for (index_t width : {0, 1, 3, 4, 257}) {
          INFO("policy " << name << ", " << batch << " tables, " << count << " rows of " << width << " elements");
          index_t const rows = 5;
          std::array<index_t, 3> const extents{batch, rows, width};
          std::array<index_t, 3> const strides{rows * width + 7, width, 1};
          std::vector<float> tables(static_cast<std::size_t>(batch * strides[0]));
          for (std::size_t i = 0; i < tables.size(); ++i) tables[i] = static_cast<float>(i);
          ndx::tensor_view<float const, 3> const input(tables.data(), extents, strides);
          // The first `count` are what `take` reads in each table. Every other one is counted from the end.
          std::vector<std::int32_t> numbers;
          auto const row_of = [&](index_t i) { return i * 3 % rows; };
          for (index_t i = 0; i < batch * count; ++i)
            numbers.push_back(static_cast<std::int32_t>(row_of(i) - (i % 2 == 0 ? 0 : rows)));
          auto const rows_of = [&](bool each_its_own) {
            std::vector<float> due;
            for (index_t b = 0; b < batch; ++b)
              for (index_t i = 0; i < count; ++i)
                for (index_t c = 0; c < width; ++c)
                  due.push_back(tables[static_cast<std::size_t>(b * strides[0] +
                                                                row_of(each_its_own ? b * count + i : i) * width + c)]);
            return due;
          };
          std::vector<float> output(static_cast<std::size_t>(batch * count * width));
          ndx::tensor_view<float, 3> const to(output.data(), {batch, count, width});
          auto const take = [&] {
            ndx::tensor_view<std::int32_t const, 1> const indices(numbers.data(), {count});
            ndx::take(policy, input, indices, to, {.axis = -2});
          };
          auto const gather = [&](index_t batch_of_indices) {
            ndx::tensor_view<std::int32_t const, 3> const indices(numbers.data(), {batch_of_indices, count, 1});
            ndx::gather_nd1(policy, input, indices, to, {.batch_dims = 1});
          };
          take();
          CHECK(output == rows_of(false));
          gather(batch);
          CHECK(output == rows_of(true));
          if (batch > 1) CHECK_THROWS_AS(gather(batch - 1), ndx::shape_error);

          if (width > 0) {
            std::vector<std::int32_t> pairs;
            std::vector<float> due;
            for (index_t i = 0; i < batch * count; ++i) {
              pairs.push_back(numbers[static_cast<std::size_t>(i)]);
              pairs.push_back(static_cast<std::int32_t>(i * 2 % width));
              due.push_back(
                  tables[static_cast<std::size_t>(i / count * strides[0] + row_of(i) * width + pairs.back())]);
            }
            std::vector<float> elements(due.size());
            ndx::gather_nd1(policy, input, ndx::tensor_view<std::int32_t const, 3>(pairs.data(), {batch, count, 2}),
                            ndx::tensor_view<float, 2>(elements.data(), {batch, count}), {.batch_dims = 1});
            CHECK(elements == due);
          }

          numbers[static_cast<std::size_t>(count - 1)] = rows;
          CHECK_THROWS_AS(take(), ndx::index_error);
          CHECK_THROWS_AS(gather(batch), ndx::index_error);
        }
  });
}

TEST_CASE("Few runs of a window are right on both sides of the sizes where the short cut ends") {
  test::for_each_policy([](std::string const& name, auto const& policy) {
    for (index_t rows : {1, 2, 15, 16, 17})
      for (index_t width : {1, 2, 3, 255, 256, 257, 4096, 4097})
        for (index_t stride : {1, -1, 2}) {
          INFO("policy " << name << ", " << rows << " rows of " << width << " elements, stride " << stride);
          index_t const columns = 2 * width + 1;
          std::vector<float> table(static_cast<std::size_t>((rows + 1) * columns));
          for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
          index_t const size = stride == 2 ? 2 * width - 1 : width;
          std::vector<float> due;
          for (index_t r = 0; r < rows; ++r)
            for (index_t c = 0; c < width; ++c) {
              index_t const column = stride < 0 ? width - 1 - c : c * stride;
              due.push_back(table[static_cast<std::size_t>((r + 1) * columns + 1 + column)]);
            }
          std::vector<float> output(due.size());
          ndx::slice1(policy, ndx::tensor_view<float const, 2>(table.data(), {rows + 1, columns}),
                      ndx::tensor_view<float, 2>(output.data(), {rows, width}),
                      {.offsets = {1, 1}, .sizes = {rows, size}, .strides = {1, stride}});
          CHECK(output == due);
        }
  });
}
