// SPDX-License-Identifier: MIT
// The operator that docs/design/adding_an_operator.md adds, step by step, and a program that tries it.
#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

// [options]
namespace ndx {

template <class T>
struct gather_elements_options {
  index_t axis = 0;
  ndx::bounds bounds = ndx::bounds::check;
  T fill = detail::default_fill<T>();
};

}  // namespace ndx
// [/options]

// [shape-rule]
namespace ndx::plan {

/// output extents = indices extents, which but for `axis` are at most the input's; the axis, counted from the front.
constexpr std::size_t check_gather_elements(char const* name, layout const& input, layout const& indices,
                                            layout const& output, index_t axis) {
  // The rule of scatter_elements, but for its updates, in whose place the indices always fit.
  std::size_t const positive = check_elements(name, input, indices, indices, axis);
  detail::check_extents(name, "output", output, indices, detail::nothing, "those of indices", input, &indices);
  return positive;
}

}  // namespace ndx::plan
// [/shape-rule]

// [operator]
namespace ndx {

/// Elements of a tensor, each named by one index along an axis.
///
///     output[p] = input[p with p[axis] replaced by indices[p]]   for every p of indices
struct gather_elements_function {
  template <class Policy, movable_elements Input, index_tensor Indices, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output>
  constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Output&& output,
                            gather_elements_options<value_type_of<Output>> const& options = {}) const {
    auto const input_view = ndx::view(input);
    auto const indices_view = ndx::view(indices);
    auto const output_view = ndx::view(output);
    constexpr char const* name = "gather_elements";
    // 1: the arguments can be addressed
    detail::argument const from = detail::measured(name, "input", input_view);
    detail::argument const places = detail::measured(name, "indices", indices_view);
    detail::argument const to = detail::measured(name, "output", output_view);
    // 2: they fit one another
    std::size_t const axis = plan::check_gather_elements(name, from.layout, places.layout, to.layout, options.axis);
    // 3: the output is memory of its own
    detail::check_no_self_overlap(name, to);
    detail::check_apart(name, to, from);
    detail::check_apart(name, to, places);
    // 4: the plan
    plan::operation operation;
    operation.name = name;
    operation.indices = places.layout;
    operation.first_axis = axis;
    operation.bounds = options.bounds;
    plan::make_element_copy(operation.move, from.layout, places.layout, to.layout, axis, plan::side::source);
    if (operation.move.tuples == 0) return;
    // 5: the policy
    detail::execute(policy, operation, nullptr,
                    detail::arguments_of<value_type_of<Output>, value_type_of<Indices>>(
                        output_view.data_handle(), input_view.data_handle(), indices_view.data_handle(),
                        detail::nothing_like(input_view), &options.fill));
  }
};

inline constexpr gather_elements_function gather_elements{};

}  // namespace ndx
// [/operator]

namespace {

bool right = true;

// [oracle]
/// The formula, and nothing of the library but tensors.
std::vector<int> expected(ndx::tensor<int, 3> const& input, ndx::tensor<std::int64_t, 3> const& indices,
                          std::size_t axis) {
  std::vector<int> result;
  for (ndx::index_t i = 0; i < indices.extent(0); ++i)
    for (ndx::index_t j = 0; j < indices.extent(1); ++j)
      for (ndx::index_t k = 0; k < indices.extent(2); ++k) {
        std::array<ndx::index_t, 3> place{i, j, k};
        place[axis] = indices(i, j, k) < 0 ? indices(i, j, k) + input.extent(axis) : indices(i, j, k);
        result.push_back(input[place]);
      }
  return result;
}
// [/oracle]

template <class Policy>
void compare(Policy const& policy, std::array<ndx::index_t, 3> const& extents, std::size_t axis) {
  ndx::tensor<int, 3> input(extents);
  int next = 0;
  for (int& element : input) element = next++;
  std::array<ndx::index_t, 3> shape = extents;
  shape[axis] += 2;  // along the axis there may be more indices than elements
  ndx::tensor<std::int64_t, 3> indices(shape);
  std::uint64_t random = 1;
  for (std::int64_t& index : indices) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    auto const extent = static_cast<std::uint64_t>(extents[axis]);
    index = static_cast<std::int64_t>((random >> 33U) % (2 * extent)) - extents[axis];
  }
  ndx::tensor<int, 3> output(shape);
  ndx::gather_elements(policy, input, indices, output, {.axis = static_cast<ndx::index_t>(axis)});
  std::vector<int> const due = expected(input, indices, axis);
  right = right && std::equal(output.begin(), output.end(), due.begin(), due.end());
}

// [constexpr]
constexpr std::array<int, 4> sorted(std::array<int, 4> const& values, std::array<std::int32_t, 4> const& order) {
  std::array<int, 4> result{};
  ndx::gather_elements(ndx::seq, ndx::tensor_view{values.data(), {4}}, ndx::tensor_view{order.data(), {4}},
                       ndx::tensor_view{result.data(), {4}});
  return result;
}
static_assert(sorted({30, 10, 40, 20}, {1, 3, 0, 2}) == std::array{10, 20, 30, 40});
// [/constexpr]

}  // namespace

int main() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::array<ndx::index_t, 3> const extents :
         {std::array<ndx::index_t, 3>{2, 3, 2}, {17, 5, 33}, {40, 90, 120}}) {
      compare(ndx::seq, extents, axis);
      compare(ndx::simd, extents, axis);
      for (auto const set : {ndx::instruction_set::baseline, ndx::instruction_set::avx2, ndx::instruction_set::avx512})
        if (ndx::supported(set)) compare(ndx::simd.with(set), extents, axis);
      compare(ndx::par_simd.threads(3), extents, axis);
    }
  }

  ndx::tensor<int, 2> const input({2, 3}, {0, 1, 2, 3, 4, 5});
  ndx::tensor<std::uint32_t, 2> const indices({2, 2}, {2, 0, 1, 3});  // 3 is out of range
  ndx::tensor<int, 2> output({2, 2});
  ndx::gather_elements(ndx::simd, input, indices, output, {.axis = 1, .bounds = ndx::bounds::ignore, .fill = -1});
  right = right && output(0, 0) == 2 && output(0, 1) == 0 && output(1, 0) == 4 && output(1, 1) == -1;
  try {
    ndx::gather_elements(ndx::simd, input, indices, output, {.axis = 1});
    right = false;
  } catch (ndx::index_error const& error) {
    std::puts(error.what());
    right = right && error.position() == std::vector<ndx::index_t>{1, 1} && error.axis() == 1;
  }
  try {
    ndx::tensor<int, 2> too_wide({2, 3});
    ndx::gather_elements(ndx::simd, input, indices, too_wide, {.axis = 1});
    right = false;
  } catch (ndx::shape_error const& error) {
    std::puts(error.what());
  }
  return right ? 0 : 1;
}
