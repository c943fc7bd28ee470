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

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using ndx::index_t;
using namespace ndx_bench;

/// Rows of a table, by one index each: an embedding lookup.
struct rows {
  index_t table, width, count;
  std::vector<std::int64_t> indices;
#ifdef NDX_BENCH_XTENSOR
  xtensor::rows indices_of_xtensor;
#endif

  explicit rows(index_t row_width)
      : table(64'000'000 / row_width),
        width(row_width),
        count(12'800'000 / row_width),
        indices(random_indices<std::int64_t>(static_cast<std::size_t>(count), table)) {
#ifdef NDX_BENCH_XTENSOR
    indices_of_xtensor.assign(indices.begin(), indices.end());
#endif
  }
};

void compare_rows(index_t width) {
  auto const row_bytes = static_cast<std::size_t>(width) * sizeof(float);
  auto const count = 12'800'000 / static_cast<std::size_t>(width);
  auto const bytes = count * row_bytes;
  comparison<rows> ways("rows of " + std::to_string(row_bytes) + " B", {count * sizeof(std::int64_t), bytes, bytes},
                        bytes, [width] { return rows(width); });
  ways.memcpy();
  ways.plain([](rows const& r) {
    plain::gather_rows(source().as<float const>(), r.table, r.width, r.indices.data(), r.count,
                       destination().as<float>());
  });
#ifdef NDX_BENCH_EIGEN
  ways.add("Eigen", [](rows const& r) {
    eigen::gather_rows(source().as<float const>(), r.table, r.width, r.indices.data(), r.count,
                       destination().as<float>());
  });
#endif
#ifdef NDX_BENCH_XTENSOR
  ways.add("xtensor", [](rows const& r) {
    xtensor::gather_rows(source().as<float const>(),
                         {static_cast<std::size_t>(r.table), static_cast<std::size_t>(r.width)}, r.indices_of_xtensor,
                         destination().as<float>());
  });
#endif
#ifdef NDX_BENCH_TORCH
  ways.torch([](rows const& r) {
    return libtorch::gather_rows(libtorch::make_array(source().as<float>(), {r.table, r.width}),
                                 libtorch::make_array(r.indices.data(), {r.count}),
                                 libtorch::make_array(destination().as<float>(), {r.count, r.width}));
  });
#endif
  auto const gather = [](auto const& policy, rows const& r, ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<float const, 2> const input(source().as<float const>(), {r.table, r.width});
    ndx::tensor_view<std::int64_t const, 2> const indices(r.indices.data(), {r.count, 1});
    ndx::tensor_view<float, 2> const output(destination().as<float>(), {r.count, r.width});
    ndx::gather_nd(policy, input, indices, output, {.bounds = mode});
  };
  ways.policies(gather);
  ways.trusting([gather](auto const& policy, auto const& data) { gather(policy, data, ndx::bounds::trust); });
}

/// Elements of a square matrix, by two indices each.
template <class Index>
struct elements {
  index_t edge, count;
  std::vector<Index> indices;
#ifdef NDX_BENCH_XTENSOR
  xtensor::elements indices_of_xtensor;
#endif

  elements(index_t matrix_edge, std::size_t tuples)
      : edge(matrix_edge),
        count(static_cast<index_t>(tuples)),
        indices(random_indices<Index>(2 * tuples, matrix_edge)) {
#ifdef NDX_BENCH_XTENSOR
    for (std::size_t i = 0; i < indices.size(); i += 2)
      indices_of_xtensor.push_back({static_cast<std::size_t>(indices[i]), static_cast<std::size_t>(indices[i + 1])});
#endif
  }
};

template <class Index>
void compare_elements(std::string const& name, index_t edge, std::size_t count) {
  auto const bytes = count * sizeof(float);
  comparison<elements<Index>> ways(name, {2 * count * sizeof(Index), bytes, bytes}, bytes,
                                   [edge, count] { return elements<Index>(edge, count); });
  ways.memcpy();
  ways.plain([](elements<Index> const& e) {
    plain::gather_elements(source().as<float const>(), e.edge, e.edge, e.indices.data(), e.count,
                           destination().as<float>());
  });
#ifdef NDX_BENCH_EIGEN
  ways.add("Eigen", [](elements<Index> const& e) {
    eigen::gather_elements(source().as<float const>(), e.edge, e.edge, e.indices.data(), e.count,
                           destination().as<float>());
  });
#endif
#ifdef NDX_BENCH_XTENSOR
  ways.add("xtensor", [](elements<Index> const& e) {
    auto const edge_of_xtensor = static_cast<std::size_t>(e.edge);
    xtensor::gather_elements(source().as<float const>(), {edge_of_xtensor, edge_of_xtensor}, e.indices_of_xtensor,
                             destination().as<float>());
  });
#endif
#ifdef NDX_BENCH_TORCH
  if constexpr (sizeof(Index) == sizeof(std::int64_t))
    ways.torch([](elements<Index> const& e) {
      return libtorch::gather_elements(libtorch::make_array(source().as<float>(), {e.edge, e.edge}),
                                       libtorch::make_array(e.indices.data(), {e.count, 2}),
                                       libtorch::make_array(destination().as<float>(), {e.count}));
    });
#endif
  auto const gather = [](auto const& policy, elements<Index> const& e, ndx::bounds mode = ndx::bounds::check) {
    ndx::tensor_view<float const, 2> const input(source().as<float const>(), {e.edge, e.edge});
    ndx::tensor_view<Index const, 2> const indices(e.indices.data(), {e.count, 2});
    ndx::tensor_view<float, 1> const output(destination().as<float>(), {e.count});
    ndx::gather_nd(policy, input, indices, output, {.bounds = mode});
  };
  ways.policies(gather);
  ways.trusting([gather](auto const& policy, auto const& data) { gather(policy, data, ndx::bounds::trust); });
}

[[maybe_unused]] bool const registered = [] {
  for (index_t width : {1, 4, 16, 64, 256, 1024}) compare_rows(width);
  compare_elements<std::int64_t>("elements of 4096 x 4096, int64", 4096, 4'000'000);
  compare_elements<std::int32_t>("elements of 4096 x 4096, int32", 4096, 4'000'000);
  compare_elements<std::int64_t>("elements of 256 x 256, int64", 256, 4'000'000);
  compare_elements<std::int32_t>("elements of 256 x 256, int32", 256, 4'000'000);
  compare_elements<std::int64_t>("four elements of 8 x 8", 8, 4);
  return true;
}();

}  // namespace
