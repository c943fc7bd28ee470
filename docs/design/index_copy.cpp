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

struct index_copy_options {
  index_t axis = 0;
  ndx::bounds bounds = ndx::bounds::check;
  ndx::reduction reduction = ndx::reduction::none;
  ndx::duplicates duplicates = ndx::duplicates::any;
};

}  // namespace ndx
// [/options]

// [shape-rule]
namespace ndx::plan {

/// indices of rank 1; updates extents = those of the input, the indices' in the place of the axis'. The axis, counted
/// from the front.
constexpr std::size_t check_index_copy(char const* name, layout const& input, layout const& indices,
                                       layout const& updates, index_t axis) {
  std::size_t const positive = detail::check_axis(name, input, indices, axis);
  if (indices.rank != 1)
    detail::fail_number(detail::subjects(input, indices), name, "the rank of indices is ", indices.rank, "; due is 1");
  check_taken(name, "updates", input, indices, updates, positive);
  return positive;
}

}  // namespace ndx::plan
// [/shape-rule]

// [operator]
namespace ndx {

/// A copy of a tensor with slices across an axis replaced, or reduced, each placed by one index.
///
///     output = input;   output[P, indices[j], T] = updates[P, j, T]
struct index_copy_function {
  template <class Policy, movable_elements Input, index_tensor Indices, tensor_like Updates, writable_tensor Output>
    requires execution_policy<Policy> && same_value_type<Input, Output> && same_value_type<Updates, Output>
  constexpr void operator()(Policy&& policy, Input&& input, Indices&& indices, Updates&& updates, Output&& output,
                            index_copy_options const& options = {}) const {
    auto const input_view = ndx::view(input);
    auto const indices_view = ndx::view(indices);
    auto const updates_view = ndx::view(updates);
    auto const output_view = ndx::view(output);
    constexpr char const* name = "index_copy";
    using value_type = value_type_of<Output>;
    // 1: the arguments can be addressed
    detail::argument const from = detail::measured(name, "input", input_view);
    detail::argument const places = detail::measured(name, "indices", indices_view);
    detail::argument const values = detail::measured(name, "updates", updates_view);
    detail::argument const to = detail::measured(name, "output", output_view);
    detail::check_reduction<value_type>(name, options.reduction);
    // 2: they fit one another
    std::size_t const axis = plan::check_index_copy(name, from.layout, places.layout, values.layout, options.axis);
    plan::check_same_shape(name, from.layout, to.layout);
    // 3: the output is memory of its own, unless the call is in place
    detail::check_no_self_overlap(name, to);
    bool const in_place = detail::same_place(from, to);
    if (!in_place) detail::check_apart(name, to, from);
    detail::check_apart(name, to, places);
    detail::check_apart(name, to, values);
    // 4: the plans
    plan::operation_on<plan::side::destination> operation;
    operation.name = name;
    operation.indices = places.layout;
    operation.first_axis = axis;
    operation.bounds = options.bounds;
    operation.reduction = options.reduction;
    operation.duplicates = options.duplicates;
    plan::make_axis_copy(operation.move, detail::without_padding(to.layout, from.layout.rank), places.layout,
                         values.layout, axis, plan::side::destination);
    plan::indexed_copy copy;
    if (!in_place) plan::make_copy(copy, from.layout, to.layout);
    // 5: the policy
    detail::execute(policy, operation, in_place ? nullptr : &copy,
                    detail::arguments_of<value_type, value_type_of<Indices>>(
                        output_view.data_handle(), updates_view.data_handle(), indices_view.data_handle(),
                        input_view.data_handle(), nullptr));
  }
};

inline constexpr index_copy_function index_copy{};

}  // namespace ndx
// [/operator]

namespace {

bool right = true;

// [oracle]
/// The formula, and nothing of the library but tensors.
ndx::tensor<int, 3> expected(ndx::tensor<int, 3> const& input, ndx::tensor<std::int64_t, 1> const& indices,
                             ndx::tensor<int, 3> const& updates, std::size_t axis, bool adds) {
  ndx::tensor<int, 3> result = input;
  for (ndx::index_t i = 0; i < updates.extent(0); ++i)
    for (ndx::index_t j = 0; j < updates.extent(1); ++j)
      for (ndx::index_t k = 0; k < updates.extent(2); ++k) {
        std::array<ndx::index_t, 3> place{i, j, k};
        ndx::index_t const index = indices(place[axis]);
        place[axis] = index < 0 ? index + input.extent(axis) : index;
        result[place] = (adds ? result[place] : 0) + updates(i, j, k);
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
  shape[axis] += 2;  // along the axis there may be more updates than elements
  ndx::tensor<int, 3> updates(shape);
  for (int& element : updates) element = next++;
  ndx::tensor<std::int64_t, 1> indices({shape[axis]});
  std::uint64_t random = 1;
  for (std::int64_t& index : indices) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    auto const extent = static_cast<std::uint64_t>(extents[axis]);
    index = static_cast<std::int64_t>((random >> 33U) % (2 * extent)) - extents[axis];
  }
  for (bool const adds : {false, true}) {
    ndx::tensor<int, 3> output(extents);
    ndx::index_copy(policy, input, indices, updates, output,
                    {.axis = static_cast<ndx::index_t>(axis),
                     .reduction = adds ? ndx::reduction::add : ndx::reduction::none,
                     .duplicates = ndx::duplicates::last});
    ndx::tensor<int, 3> const due = expected(input, indices, updates, axis, adds);
    right = right && std::equal(output.begin(), output.end(), due.begin(), due.end());
  }
}

// [constexpr]
constexpr std::array<int, 4> placed(std::array<int, 4> result, std::array<std::int32_t, 2> const& places,
                                    std::array<int, 2> const& values) {
  ndx::tensor_view const row(result.data(), {4});
  ndx::index_copy(ndx::seq, row, ndx::tensor_view{places.data(), {2}}, ndx::tensor_view{values.data(), {2}}, row);
  return result;
}
static_assert(placed({10, 20, 30, 40}, {3, 1}, {4, 2}) == std::array{10, 2, 30, 4});
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
  ndx::tensor<std::uint32_t, 1> const indices({2}, {2, 3});  // 3 is out of range
  ndx::tensor<int, 2> const updates({2, 2}, {6, 7, 8, 9});
  ndx::tensor<int, 2> output({2, 3});
  ndx::index_copy(ndx::simd, input, indices, updates, output, {.axis = 1, .bounds = ndx::bounds::ignore});
  right = right && output(0, 2) == 6 && output(1, 2) == 8 && output(0, 1) == 1 && output(1, 0) == 3;
  try {
    ndx::index_copy(ndx::simd, input, indices, updates, output, {.axis = 1});
    right = false;
  } catch (ndx::index_error const& error) {
    std::puts(error.what());
    right = right && error.position() == std::vector<ndx::index_t>{1} && error.axis() == 1;
  }
  try {
    ndx::index_copy(ndx::simd, input, indices, input, output, {.axis = 1});
    right = false;
  } catch (ndx::shape_error const& error) {
    std::puts(error.what());
  }
  return right ? 0 : 1;
}
