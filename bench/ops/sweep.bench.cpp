// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"
#ifdef NDX_BENCH_EIGEN
#include "baselines/eigen.hpp"
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// One size after the other, the rest as it is: where the caches end, where a row is long enough. bench/plot.py draws
/// the row widths and the table sizes.
namespace {

using ndx::index_t;
using namespace ndx_bench;

constexpr std::size_t kibibyte = std::size_t{1} << 10U;
/// So much is moved that little of it is in a cache when the next call begins, or so many rows.
constexpr std::size_t most_output = 64 * mebibyte;
constexpr std::size_t most_rows = std::size_t{1} << 22U;
constexpr std::size_t largest_table = 1024 * mebibyte;

std::string in_bytes(std::size_t size) {
  for (auto const& [unit, name] : {std::pair{kibibyte * mebibyte, " GiB"}, {mebibyte, " MiB"}, {kibibyte, " KiB"}})
    if (size >= unit) return std::to_string(size / unit) + name;
  return std::to_string(size) + " B";
}

/// The memory of the largest tables is touched for them only.
std::byte const* table_of(std::size_t bytes) {
  if (bytes <= source().size()) return source().as<std::byte const>();
  static arena const large(largest_table);
  return large.as<std::byte const>();
}

template <class T>
struct lookup {
  T const* table;
  index_t rows, width, count;
  std::vector<std::int64_t> indices;
};

template <class T>
void sweep_lookup(std::string const& name, std::size_t table_bytes, std::size_t row_bytes, std::size_t count) {
  auto const rows = static_cast<index_t>(table_bytes / row_bytes);
  auto const width = static_cast<index_t>(row_bytes / sizeof(T));
  auto const bytes = count * row_bytes;
  comparison<lookup<T>> ways(name, {count * sizeof(std::int64_t), bytes, bytes}, bytes, [=] {
    return lookup<T>{reinterpret_cast<T const*>(table_of(table_bytes)), rows, width, static_cast<index_t>(count),
                     random_indices<std::int64_t>(count, rows)};
  });
  ways.memcpy();
  ways.plain([](lookup<T> const& l) {
    if (l.width == 1) plain::gather(l.table, l.rows, l.indices.data(), l.count, destination().as<T>());
    else plain::gather_rows(l.table, l.rows, l.width, l.indices.data(), l.count, destination().as<T>());
  });
#ifdef NDX_BENCH_EIGEN
  if constexpr (std::is_arithmetic_v<T>)
    ways.add("Eigen", [](lookup<T> const& l) {
      eigen::gather_rows(l.table, l.rows, l.width, l.indices.data(), l.count, destination().as<T>());
    });
#endif
  ways.vectorized([](auto const& policy, lookup<T> const& l) {
    ndx::tensor_view<T const, 2> const input(l.table, {l.rows, l.width});
    ndx::tensor_view<std::int64_t const, 2> const indices(l.indices.data(), {l.count, 1});
    ndx::tensor_view<T, 2> const output(destination().as<T>(), {l.count, l.width});
    ndx::gather_nd(policy, input, indices, output);
  });
}

/// Lines of 1024 elements, read backwards.
template <class T>
void sweep_flip(std::string const& name) {
  constexpr index_t width = 1024;
  constexpr auto rows = static_cast<index_t>(most_output / sizeof(T)) / width;
  constexpr std::size_t bytes = static_cast<std::size_t>(rows * width) * sizeof(T);
  comparison<char> ways(name, {0, bytes, bytes}, bytes, [] { return char{}; });
  ways.memcpy();
  ways.plain([](char) {
    plain::slice(source().as<T const>(), width - 1, {0, 0, width, -1}, destination().as<T>(), {1, 1, rows, width});
  });
#ifdef NDX_BENCH_EIGEN
  if constexpr (std::is_arithmetic_v<T>)
    ways.add("Eigen", [](char) { eigen::flip(source().as<T const>(), rows, width, destination().as<T>()); });
#endif
  ways.vectorized([](auto const& policy, char) {
    std::array<index_t, 2> const extents{rows, width};
    ndx::tensor_view<T const, 2> const input(source().as<T const>(), extents);
    ndx::tensor_view<T, 2> const output(destination().as<T>(), extents);
    ndx::slice1(policy, input, output, {.offsets = {0, 0}, .sizes = extents, .strides = {1, -1}});
  });
}

/// Elements of no type of the language.
template <class Part, std::size_t Count>
struct several {
  Part parts[Count];
};

/// A table that stays in a second-level cache: what is left is the work on each element.
template <class T>
void sweep_element() {
  constexpr std::size_t table_bytes = 512 * kibibyte / sizeof(T) * sizeof(T);
  sweep_lookup<T>("gather of elements: " + in_bytes(sizeof(T)), table_bytes, sizeof(T), std::size_t{1} << 21U);
  sweep_flip<T>("flip of elements: " + in_bytes(sizeof(T)));
}

[[maybe_unused]] bool const registered = [] {
  constexpr std::size_t line = 64;
  for (std::size_t bytes = 4; bytes <= 64 * kibibyte; bytes *= 2)
    sweep_lookup<float>("row width: " + in_bytes(bytes), 256 * mebibyte, bytes,
                        std::min(most_rows, most_output / bytes));
  for (std::size_t bytes = 16 * kibibyte; bytes <= largest_table; bytes *= 2)
    sweep_lookup<float>("table size: " + in_bytes(bytes), bytes, line, most_output / line);
  for (std::size_t count = 1; count <= most_rows; count *= 4)
    sweep_lookup<float>("index count: " + std::to_string(count), 64 * mebibyte, line, count);
  sweep_element<std::uint8_t>();
  sweep_element<std::uint16_t>();
  sweep_element<several<std::uint8_t, 3>>();
  sweep_element<float>();
  sweep_element<double>();
  sweep_element<several<float, 3>>();
  sweep_element<several<double, 2>>();
  return true;
}();

}  // namespace
