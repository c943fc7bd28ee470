// SPDX-License-Identifier: MIT

// The node tests of ONNX's own backends, as the package of the system installs them, on every policy.

#include "../support/any_policy.hpp"
#include "../support/catch.hpp"
#include "onnx_case.hpp"

#include <ndx/ndx.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using golden::onnx_case;
using ndx::index_t;

std::vector<onnx_case> const& cases_of(std::string const& op) {
  static auto const found = golden::find_cases(NDX_ONNX_NODE_TESTS, {"Gather", "GatherElements", "GatherND", "Scatter",
                                                                     "ScatterElements", "ScatterND", "Slice"});
  static std::vector<onnx_case> const none;
  auto const cases = found.find(op);
  return cases == found.end() ? none : cases->second;
}

std::vector<std::string> names_of(std::vector<onnx_case> const& cases) {
  std::vector<std::string> names;
  for (onnx_case const& c : cases) names.push_back(c.name);
  return names;
}

[[noreturn]] void unknown(onnx_case const& c, std::string const& what) {
  throw std::runtime_error(c.name + ": no branch of this test for its " + what);
}

// The types and ranks that occur: each is one instantiation, and a case beyond them is an error, not a silent pass.
template <class Visitor>
void with_element_type(onnx_case const& c, Visitor visit) {
  if (c.output.holds<float>()) return visit.template operator()<float>();
  if (c.output.holds<std::int32_t>()) return visit.template operator()<std::int32_t>();
  unknown(c, "element type");
}

template <class Visitor>
void with_index_type(onnx_case const& c, Visitor visit) {
  if (c.inputs[1].holds<std::int64_t>()) return visit.template operator()<std::int64_t>();
  if (c.inputs[1].holds<std::int32_t>()) return visit.template operator()<std::int32_t>();
  unknown(c, "index type");
}

template <std::size_t... Ranks, class Visitor>
void with_rank(onnx_case const& c, std::size_t rank, Visitor visit) {
  bool const known = ((rank == Ranks && (visit.template operator()<Ranks>(), true)) || ...);
  if (!known) unknown(c, "rank");
}

ndx::reduction reduction_of(onnx_case const& c) {
  std::map<std::string, ndx::reduction> const reductions{{"none", ndx::reduction::none},
                                                         {"add", ndx::reduction::add},
                                                         {"mul", ndx::reduction::mul},
                                                         {"min", ndx::reduction::min},
                                                         {"max", ndx::reduction::max}};
  auto const found = reductions.find(c.text("reduction", "none"));
  if (found == reductions.end()) unknown(c, "reduction");
  return found->second;
}

// Runs `call(policy, output)` on every policy; the output starts with bytes that no result consists of.
template <class T, std::size_t Rank, class Call>
void compare(onnx_case const& c, Call call) {
  for (test::any_policy const& policy : test::every_policy()) {
    INFO(c.name << ", " << policy.name());
    auto output = c.output.as<T, Rank>();
    std::memset(static_cast<void*>(output.data()), 0xa5, static_cast<std::size_t>(output.size()) * sizeof(T));
    call(policy, output);
    CHECK(golden::identical(output, c.output));
  }
}

// A window of slice1 that selects what starts, ends, axes and steps of ONNX select; none where that is nothing.
template <std::size_t Rank>
std::optional<ndx::slice1_options<Rank>> window_of(onnx_case const& c) {
  auto const list = [&](std::size_t input) { return c.inputs[input].integers(); };
  auto const starts = list(1);
  auto const ends = list(2);
  ndx::slice1_options<Rank> window;
  for (std::size_t d = 0; d < Rank; ++d) window.sizes[d] = c.inputs[0].extents()[d];
  for (std::size_t i = 0; i < starts.size(); ++i) {
    index_t const axis = c.inputs.size() > 3 ? list(3)[i] : static_cast<index_t>(i);
    auto const d = static_cast<std::size_t>(axis < 0 ? axis + static_cast<index_t>(Rank) : axis);
    index_t const step = c.inputs.size() > 4 ? list(4)[i] : 1;
    index_t const extent = c.inputs[0].extents().at(d);
    auto const position = [&](index_t index, index_t lowest, index_t highest) {
      return std::clamp(index < 0 ? index + extent : index, lowest, highest);
    };
    index_t const start = step > 0 ? position(starts[i], 0, extent) : position(starts[i], 0, extent - 1);
    index_t const end = step > 0 ? position(ends[i], 0, extent) : position(ends[i], -1, extent - 1);
    index_t const distance = step > 0 ? end - start : start - end;
    if (distance <= 0) return std::nullopt;
    index_t const magnitude = step > 0 ? step : -step;
    index_t const walked = (distance - 1) / magnitude * magnitude;
    window.offsets[d] = step > 0 ? start : start - walked;
    window.sizes[d] = walked + 1;
    window.strides[d] = step;
  }
  return window;
}

template <class T, std::size_t InputRank, std::size_t IndicesRank, std::size_t OutputRank>
bool gather_if_ranks_are(onnx_case const& c) {
  if (c.inputs[0].rank() != InputRank || c.inputs[1].rank() != IndicesRank || c.output.rank() != OutputRank)
    return false;
  index_t const batch_dims = c.integer("batch_dims", 0);
  auto const input = c.inputs[0].as<T, InputRank>();
  auto const indices = c.inputs[1].as<std::int64_t, IndicesRank>();
  compare<T, OutputRank>(c, [&](auto const& policy, auto& output) {
    if (batch_dims == 0) ndx::gather_nd(policy, input, indices, output);
    if (batch_dims != 0) ndx::gather_nd1(policy, input, indices, output, {.batch_dims = batch_dims});
  });
  return true;
}

void gather(onnx_case const& c) {
  c.allow_attributes({"batch_dims"});
  with_element_type(c, [&]<class T>() {
    if (!gather_if_ranks_are<T, 2, 2, 1>(c) && !gather_if_ranks_are<T, 3, 2, 2>(c) &&
        !gather_if_ranks_are<T, 3, 3, 3>(c))
      unknown(c, "ranks");
  });
}

template <class T, class Index, std::size_t InputRank, std::size_t IndicesRank>
bool take_if_ranks_are(onnx_case const& c) {
  if (c.inputs[0].rank() != InputRank || c.inputs[1].rank() != IndicesRank) return false;
  auto const input = c.inputs[0].as<T, InputRank>();
  auto const indices = c.inputs[1].as<Index, IndicesRank>();
  compare<T, InputRank + IndicesRank - 1>(c, [&](auto const& policy, auto& output) {
    ndx::take(policy, input, indices, output, {.axis = c.integer("axis", 0)});
  });
  return true;
}

void take(onnx_case const& c) {
  c.allow_attributes({"axis"});
  with_element_type(c, [&]<class T>() {
    with_index_type(c, [&]<class Index>() {
      if (!take_if_ranks_are<T, Index, 1, 1>(c) && !take_if_ranks_are<T, Index, 2, 2>(c) &&
          !take_if_ranks_are<T, Index, 4, 1>(c))
        unknown(c, "ranks");
    });
  });
}

void gather_elements(onnx_case const& c) {
  c.allow_attributes({"axis"});
  with_element_type(c, [&]<class T>() {
    with_index_type(c, [&]<class Index>() {
      with_rank<2>(c, c.output.rank(), [&]<std::size_t Rank>() {
        auto const input = c.inputs[0].as<T, Rank>();
        auto const indices = c.inputs[1].as<Index, Rank>();
        compare<T, Rank>(c, [&](auto const& policy, auto& output) {
          ndx::gather_elements(policy, input, indices, output, {.axis = c.integer("axis", 0)});
        });
      });
    });
  });
}

// A scatter into a copy of the input, and one in place.
template <class T, std::size_t Rank, class Scatter>
void compare_scatter(onnx_case const& c, Scatter scatter) {
  auto const input = c.inputs[0].as<T, Rank>();
  compare<T, Rank>(c, [&](auto const& policy, auto& output) { scatter(policy, input.view(), output); });
  compare<T, Rank>(c, [&](auto const& policy, auto& output) {
    output = input;
    ndx::tensor_view<T const, Rank> const same = output.view();
    scatter(policy, same, output);
  });
}

void scatter_nd(onnx_case const& c) {
  c.allow_attributes({"reduction"});
  ndx::scatter_nd_options const options{.reduction = reduction_of(c), .duplicates = ndx::duplicates::last};
  with_element_type(c, [&]<class T>() {
    with_rank<3>(c, c.output.rank(), [&]<std::size_t Rank>() {
      auto const indices = c.inputs[1].as<std::int64_t, 2>();
      auto const updates = c.inputs[2].as<T, 3>();
      compare_scatter<T, Rank>(c, [&](auto const& policy, auto const& input, auto& output) {
        ndx::scatter_nd(policy, input, indices, updates, output, options);
      });
    });
  });
}

void scatter_elements(onnx_case const& c) {
  c.allow_attributes({"axis", "reduction"});
  ndx::scatter_elements_options const options{
      .axis = c.integer("axis", 0), .reduction = reduction_of(c), .duplicates = ndx::duplicates::last};
  with_element_type(c, [&]<class T>() {
    with_index_type(c, [&]<class Index>() {
      with_rank<2>(c, c.output.rank(), [&]<std::size_t Rank>() {
        auto const indices = c.inputs[1].as<Index, Rank>();
        auto const updates = c.inputs[2].as<T, Rank>();
        compare_scatter<T, Rank>(c, [&](auto const& policy, auto const& input, auto& output) {
          ndx::scatter_elements(policy, input, indices, updates, output, options);
        });
      });
    });
  });
}

bool slice(onnx_case const& c) {
  c.allow_attributes({});
  bool expressible = true;
  with_element_type(c, [&]<class T>() {
    with_rank<3>(c, c.output.rank(), [&]<std::size_t Rank>() {
      auto const window = window_of<Rank>(c);
      expressible = window.has_value();
      if (!expressible) return;
      auto const input = c.inputs[0].as<T, Rank>();
      compare<T, Rank>(c, [&](auto const& policy, auto& output) { ndx::slice1(policy, input, output, *window); });
    });
  });
  return expressible;
}

}  // namespace

// The names are those of ONNX 1.12: where a newer package brings more cases, this says so, and they are added here.

TEST_CASE("GatherND of ONNX is gather_nd, and gather_nd1 with batch_dims", "[golden]") {
  auto const& cases = cases_of("GatherND");
  CHECK(names_of(cases) == std::vector<std::string>{"test_gathernd_example_float32", "test_gathernd_example_int32",
                                                    "test_gathernd_example_int32_batch_dim1"});
  for (onnx_case const& c : cases) gather(c);
}

TEST_CASE("Gather of ONNX is take", "[golden]") {
  auto const& cases = cases_of("Gather");
  CHECK(names_of(cases) == std::vector<std::string>{"test_gather_0", "test_gather_1", "test_gather_2d_indices",
                                                    "test_gather_negative_indices"});
  for (onnx_case const& c : cases) take(c);
}

TEST_CASE("GatherElements of ONNX is gather_elements", "[golden]") {
  auto const& cases = cases_of("GatherElements");
  CHECK(names_of(cases) == std::vector<std::string>{"test_gather_elements_0", "test_gather_elements_1",
                                                    "test_gather_elements_negative_indices"});
  for (onnx_case const& c : cases) gather_elements(c);
}

TEST_CASE("ScatterND of ONNX is scatter_nd with its reductions", "[golden]") {
  auto const& cases = cases_of("ScatterND");
  CHECK(names_of(cases) == std::vector<std::string>{"test_scatternd", "test_scatternd_add", "test_scatternd_multiply"});
  for (onnx_case const& c : cases) scatter_nd(c);
}

TEST_CASE("ScatterElements of ONNX is scatter_elements with its reductions", "[golden]") {
  auto const& cases = cases_of("ScatterElements");
  CHECK(names_of(cases) ==
        std::vector<std::string>{"test_scatter_elements_with_axis", "test_scatter_elements_with_duplicate_indices",
                                 "test_scatter_elements_with_negative_indices", "test_scatter_elements_without_axis"});
  for (onnx_case const& c : cases) scatter_elements(c);
}

TEST_CASE("the older Scatter of ONNX is scatter_elements", "[golden]") {
  auto const& cases = cases_of("Scatter");
  CHECK(names_of(cases) == std::vector<std::string>{"test_scatter_with_axis", "test_scatter_without_axis"});
  for (onnx_case const& c : cases) scatter_elements(c);
}

TEST_CASE("Slice of ONNX is slice1 with a window", "[golden]") {
  auto const& cases = cases_of("Slice");
  CHECK(names_of(cases) == std::vector<std::string>{"test_slice", "test_slice_default_axes", "test_slice_default_steps",
                                                    "test_slice_end_out_of_bounds", "test_slice_neg",
                                                    "test_slice_neg_steps", "test_slice_negative_axes",
                                                    "test_slice_start_out_of_bounds"});
  std::vector<std::string> left_out;
  for (onnx_case const& c : cases)
    if (!slice(c)) left_out.push_back(c.name);
  // Its result is empty, and a window of slice1 has at least one element.
  CHECK(left_out == std::vector<std::string>{"test_slice_start_out_of_bounds"});
}
