// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include "baselines/plain.hpp"
#include "support/comparison.hpp"
#ifdef NDX_BENCH_EIGEN
#include "baselines/eigen.hpp"
#endif
#ifdef NDX_BENCH_XTENSOR
#include "baselines/xtensor.hpp"
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;

void copy_input(std::size_t bytes) { std::memcpy(destination().as<std::byte>(), source().as<std::byte>(), bytes); }

/// New rows for a table, each row at most once.
struct rows {
  index_t table, width;
  std::vector<std::int64_t> indices;
#ifdef NDX_BENCH_XTENSOR
  xtensor::rows indices_of_xtensor;
#endif

  rows(index_t table_rows, index_t row_width, std::size_t count) : table(table_rows), width(row_width) {
    shuffled const order(std::bit_ceil(static_cast<std::uint64_t>(table)), 1);
    for (std::uint64_t i = 0; indices.size() < count; ++i)
      if (auto const row = static_cast<index_t>(order[i]); row < table) indices.push_back(row);
#ifdef NDX_BENCH_XTENSOR
    indices_of_xtensor.assign(indices.begin(), indices.end());
#endif
  }
  [[nodiscard]] index_t count() const { return static_cast<index_t>(indices.size()); }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(table * width) * sizeof(float); }
};

void compare_rows(bool in_place) {
  constexpr std::size_t table = 1'000'000;
  constexpr std::size_t width = 64;
  constexpr std::size_t count = table / 5;
  constexpr std::size_t whole = table * width * sizeof(float);
  constexpr std::size_t moved = count * width * sizeof(float);
  std::size_t const copied = in_place ? 0 : whole;
  comparison<rows> ways(in_place ? "rows of 256 B, in place" : "rows of 256 B, with a copy",
                        {count * sizeof(std::int64_t), moved + copied, moved + copied}, whole,
                        [] { return rows(static_cast<index_t>(table), static_cast<index_t>(width), count); });
  ways.memcpy();
  ways.plain([in_place](rows const& r) {
    if (!in_place) copy_input(r.bytes());
    plain::scatter_rows(destination().as<float>(), r.table, r.width, r.indices.data(), r.count(),
                        updates().as<float const>());
  });
#ifdef NDX_BENCH_EIGEN
  ways.add("Eigen", [in_place](rows const& r) {
    if (!in_place) copy_input(r.bytes());
    eigen::scatter_rows(destination().as<float>(), r.table, r.width, r.indices.data(), r.count(),
                        updates().as<float const>());
  });
#endif
#ifdef NDX_BENCH_XTENSOR
  ways.add("xtensor", [in_place](rows const& r) {
    if (!in_place) copy_input(r.bytes());
    xtensor::scatter_rows(destination().as<float>(),
                          {static_cast<std::size_t>(r.table), static_cast<std::size_t>(r.width)}, r.indices_of_xtensor,
                          updates().as<float const>());
  });
#endif
#ifdef NDX_BENCH_TORCH
  ways.torch([in_place](rows const& r) {
    return libtorch::scatter_rows(in_place ? libtorch::start::in_place : libtorch::start::with_copy,
                                  libtorch::make_array(source().as<float>(), {r.table, r.width}),
                                  libtorch::make_array(r.indices.data(), {r.count()}),
                                  libtorch::make_array(updates().as<float>(), {r.count(), r.width}),
                                  libtorch::make_array(destination().as<float>(), {r.table, r.width}));
  });
#endif
  auto const scatter = [in_place](auto const& policy, rows const& r, ndx::duplicates which = ndx::duplicates::any,
                                  ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<float, 2> const output(destination().as<float>(), {r.table, r.width});
    ndx::tensor_view<float const, 2> const input(in_place ? output.data_handle() : source().as<float const>(),
                                                 output.extents());
    ndx::tensor_view<std::int64_t const, 2> const indices(r.indices.data(), {r.count(), 1});
    ndx::tensor_view<float const, 2> const rows_of_updates(updates().as<float const>(), {r.count(), r.width});
    ndx::scatter_nd(policy, input, indices, rows_of_updates, output, {.bounds = mode, .duplicates = which});
  };
  ways.policies(scatter);
  ways.trusting([scatter](auto const& policy, auto const& data) {
    scatter(policy, data, ndx::duplicates::any, ndx::bounds::trust);
  });
  ways.last_of_duplicates(scatter);
}

/// New elements for a square matrix: each at most once, or at random where they are added up.
struct elements {
  index_t edge;
  std::vector<std::int64_t> indices;
#ifdef NDX_BENCH_XTENSOR
  xtensor::elements indices_of_xtensor;
#endif

  elements(index_t matrix_edge, std::size_t count, bool repeated) : edge(matrix_edge) {
    shuffled const order(static_cast<std::uint64_t>(edge * edge), 1);
    random_numbers numbers(1);
    for (std::size_t i = 0; i < count; ++i) {
      auto const bound = static_cast<std::uint64_t>(edge * edge);
      auto const position = static_cast<std::int64_t>(repeated ? numbers.below(bound) : order[i]);
      indices.push_back(position / edge);
      indices.push_back(position % edge);
#ifdef NDX_BENCH_XTENSOR
      indices_of_xtensor.push_back(
          {static_cast<std::size_t>(position / edge), static_cast<std::size_t>(position % edge)});
#endif
    }
  }
  [[nodiscard]] index_t count() const { return static_cast<index_t>(indices.size() / 2); }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(edge * edge) * sizeof(float); }
};

void compare_elements(std::string const& name, bool in_place, ndx::reduction reduction, std::size_t edge = 4096,
                      std::size_t count = 4'000'000) {
  std::size_t const whole = edge * edge * sizeof(float);
  std::size_t const moved = count * sizeof(float);
  bool const adds = reduction == ndx::reduction::add;
  std::size_t const copied = in_place ? 0 : whole;
  comparison<elements> ways(name, {2 * count * sizeof(std::int64_t), (adds ? 2 : 1) * moved + copied, moved + copied},
                            whole, [=] { return elements(static_cast<index_t>(edge), count, adds); });
  ways.memcpy();
  ways.plain([in_place, adds](elements const& e) {
    if (!in_place) copy_input(e.bytes());
    auto const scatter = [&e](auto combine) {
      plain::scatter_elements_of_matrix(destination().as<float>(), e.edge, e.edge, e.indices.data(), e.count(),
                                        updates().as<float const>(), combine);
    };
    if (adds) scatter(plain::add);
    else scatter(plain::replace);
  });
#ifdef NDX_BENCH_EIGEN
  if (!adds)
    ways.add("Eigen", [in_place](elements const& e) {
      if (!in_place) copy_input(e.bytes());
      eigen::scatter_elements(destination().as<float>(), e.edge, e.edge, e.indices.data(), e.count(),
                              updates().as<float const>());
    });
#endif
#ifdef NDX_BENCH_XTENSOR
  if (!adds)
    ways.add("xtensor", [in_place](elements const& e) {
      if (!in_place) copy_input(e.bytes());
      auto const edge_of_xtensor = static_cast<std::size_t>(e.edge);
      xtensor::scatter_elements(destination().as<float>(), {edge_of_xtensor, edge_of_xtensor}, e.indices_of_xtensor,
                                updates().as<float const>());
    });
#endif
#ifdef NDX_BENCH_TORCH
  ways.torch([in_place, adds](elements const& e) {
    return libtorch::scatter_elements(in_place ? libtorch::start::in_place : libtorch::start::with_copy, adds,
                                      libtorch::make_array(source().as<float>(), {e.edge, e.edge}),
                                      libtorch::make_array(e.indices.data(), {e.count(), 2}),
                                      libtorch::make_array(updates().as<float>(), {e.count()}),
                                      libtorch::make_array(destination().as<float>(), {e.edge, e.edge}));
  });
#endif
  auto const scatter = [in_place, reduction](auto const& policy, elements const& e,
                                             ndx::duplicates which = ndx::duplicates::any,
                                             ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<float, 2> const output(destination().as<float>(), {e.edge, e.edge});
    ndx::tensor_view<float const, 2> const input(in_place ? output.data_handle() : source().as<float const>(),
                                                 output.extents());
    ndx::tensor_view<std::int64_t const, 2> const indices(e.indices.data(), {e.count(), 2});
    ndx::tensor_view<float const, 1> const new_elements(updates().as<float const>(), {e.count()});
    ndx::scatter_nd(policy, input, indices, new_elements, output,
                    {.bounds = mode, .reduction = reduction, .duplicates = which});
  };
  ways.policies(scatter);
  ways.trusting([scatter](auto const& policy, auto const& data) {
    scatter(policy, data, ndx::duplicates::any, ndx::bounds::trust);
  });
  if (!adds) ways.last_of_duplicates(scatter);
}

[[maybe_unused]] bool const registered = [] {
  compare_rows(true);
  compare_rows(false);
  compare_elements("elements of 4096 x 4096, in place", true, ndx::reduction::none);
  compare_elements("elements of 4096 x 4096, with a copy", false, ndx::reduction::none);
  compare_elements("elements of 4096 x 4096, add, in place", true, ndx::reduction::add);
  compare_elements("four elements of 8 x 8, in place", true, ndx::reduction::none, 8, 4);
  return true;
}();

}  // namespace
