// SPDX-License-Identifier: MIT
#ifndef NDX_BENCH_BASELINES_XTENSOR_HPP
#define NDX_BENCH_BASELINES_XTENSOR_HPP

#include <xtensor/xadapt.hpp>
#include <xtensor/xindex_view.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// xtensor 0.24, on memory that is there already. It checks no index, and takes lists of indices in its own types only:
/// these are made beforehand.
namespace ndx_bench::xtensor {

template <std::size_t Rank>
using shape = std::array<std::size_t, Rank>;
using rows = std::vector<std::ptrdiff_t>;
using elements = std::vector<shape<2>>;

template <class T, std::size_t Rank>
auto adapt(T* data, shape<Rank> const& extents) {
  std::size_t size = 1;
  for (auto const extent : extents) size *= extent;
  return xt::adapt(data, size, xt::no_ownership(), extents);
}

template <class T>
void gather_rows(T const* input, shape<2> extents, rows const& indices, T* output) {
  auto const from = adapt(input, extents);
  auto to = adapt(output, shape<2>{indices.size(), extents[1]});
  xt::noalias(to) = xt::view(from, xt::keep(indices), xt::all());
}

template <class T>
void gather_elements(T const* input, shape<2> extents, elements const& indices, T* output) {
  auto const from = adapt(input, extents);
  auto to = adapt(output, shape<1>{indices.size()});
  xt::noalias(to) = xt::index_view(from, indices);
}

template <class T>
void scatter_rows(T* output, shape<2> extents, rows const& indices, T const* updates) {
  auto to = adapt(output, extents);
  xt::view(to, xt::keep(indices), xt::all()) = adapt(updates, shape<2>{indices.size(), extents[1]});
}

template <class T>
void scatter_elements(T* output, shape<2> extents, elements const& indices, T const* updates) {
  auto to = adapt(output, extents);
  xt::index_view(to, indices) = adapt(updates, shape<1>{indices.size()});
}

/// As in Python, `first[d] : last[d] : step[d]`, all of them within the extents.
template <class T>
void slice(T const* input, shape<4> extents, std::array<std::ptrdiff_t, 4> first, std::array<std::ptrdiff_t, 4> last,
           std::array<std::ptrdiff_t, 4> step, T* output, shape<4> output_extents) {
  auto const from = adapt(input, extents);
  auto to = adapt(output, output_extents);
  xt::xstrided_slice_vector ranges;
  for (std::size_t d = 0; d < 4; ++d) {
    if (last[d] < 0) ranges.emplace_back(xt::range(first[d], xt::placeholders::_, step[d]));
    else ranges.emplace_back(xt::range(first[d], last[d], step[d]));
  }
  xt::noalias(to) = xt::strided_view(from, ranges);
}

}  // namespace ndx_bench::xtensor

#endif
