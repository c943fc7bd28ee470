// SPDX-License-Identifier: MIT
#include "expectation.hpp"

#include <string>

namespace ndx_bench {
namespace {

/// The inverse of scatter_elements, which is no operator of the library; its plan is one that every policy carries out.
template <class Policy, class Input, class Indices, class Output>
void gather_elements(Policy& policy, Input const& input, Indices const& indices, Output const& output,
                     std::size_t axis) {
  ndx::plan::layout const places = ndx::plan::layout_of(indices);
  ndx::plan::operation operation;
  operation.name = "gather_elements";
  operation.indices = places;
  operation.first_axis = axis;
  ndx::plan::make_element_copy(operation.move, ndx::plan::layout_of(input), places, ndx::plan::layout_of(output), axis,
                               ndx::plan::side::source);
  float const fill = 0;
  ndx::detail::execute(
      policy, operation, nullptr,
      ndx::detail::arguments_of<float, index_t>(output.data_handle(), input.data_handle(), indices.data_handle(),
                                                ndx::detail::nothing_like(input), &fill));
}

void elements_along(session& run, std::size_t axis) {
  index_t const edge = run.scaled_edge(16384);
  index_t const quarter = edge / 4;
  index_t const rows = axis == 0 ? quarter : edge;
  index_t const columns = axis == 0 ? edge : quarter;
  index_t const count = rows * columns;
  std::string const scatters = ndx::detail::text("scatter_elements/axis", axis);
  std::string const gathers = ndx::detail::text("gather_elements/axis", axis);
  run.group({scatters, scatters + "/copy", scatters + "/add", scatters + "/max", gathers},
            run.table_bytes() + edge * edge * 4 + count * 12, [&] {
              auto const numbers = random_numbers_below(edge, count, 7 + axis);
              auto const uploaded = run.gpu.upload(ndx::tensor_view<index_t const, 2>(numbers.data(), {rows, columns}));
              auto const indices = uploaded.view();
              auto const place_of = [&](index_t tuple) {
                index_t const named = numbers[static_cast<std::size_t>(tuple)];
                return axis == 0 ? named * edge + tuple % columns : tuple / columns * edge + named;
              };
              words memory = run.allocate_filled(count, update_pattern);
              auto const updates = seen_as<float const, 2>(memory, {rows, columns});
              auto const scatter = [&](std::string const& key, index_t bytes, words& output, enum scatter kind,
                                       ndx::reduction reduction) {
                words& table = run.table();
                auto const from = seen_as<float const, 2>(table, {edge, edge});
                auto const to = seen_as<float, 2>(output, {edge, edge});
                run.measure(
                    key, bytes,
                    [&](auto& policy) {
                      ndx::scatter_elements(policy, from, indices, updates, to,
                                            {.axis = static_cast<index_t>(axis), .reduction = reduction});
                    },
                    [&] { return mistake_in_scatter(run, output, edge * edge, 1, count, kind, place_of); });
              };
              words& table = run.table();
              scatter(scatters, count * 16, table, scatter::replaces, ndx::reduction::none);
              if (run.wanted(scatters + "/copy")) {
                words copy = run.allocate_blank(edge * edge);
                scatter(scatters + "/copy", count * 16 + 8 * edge * edge, copy, scatter::replaces,
                        ndx::reduction::none);
              }
              scatter(scatters + "/add", count * 20, table, scatter::adds, ndx::reduction::add);
              scatter(scatters + "/max", count * 20, table, scatter::takes_greatest, ndx::reduction::max);
              if (run.wanted(gathers)) {
                run.table();
                words output = run.allocate_blank(count);
                auto const from = seen_as<float const, 2>(table, {edge, edge});
                auto const to = seen_as<float, 2>(output, {rows, columns});
                run.measure(
                    gathers, count * 16, [&](auto& policy) { gather_elements(policy, from, indices, to, axis); },
                    [&] {
                      return mistake_in_copy(run, output, count,
                                             [&](index_t byte) { return place_of(byte / 4) * 4 + byte % 4; });
                    });
              }
            });
}

}  // namespace

void measure_elements(session& run) {
  elements_along(run, 0);
  elements_along(run, 1);
}

}  // namespace ndx_bench
