// SPDX-License-Identifier: MIT
#include "generate.hpp"

#include "raw_bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace test {

namespace {

using oracle::integer;

// ---- extents --------------------------------------------------------------------------------------------------------

integer random_extent(random_source& random, std::size_t rank) {
  if (random.chance(3)) return 0;
  if (random.chance(20)) return 1;
  if (rank <= 2 && random.chance(10)) return random.between(30, 300);
  return rank <= 3 ? random.between(1, 9) : rank <= 5 ? random.between(1, 4) : random.between(1, 3);
}

oracle::shape random_extents(random_source& random, std::size_t rank) {
  oracle::shape result;
  for (std::size_t d = 0; d < rank; ++d) result.push_back(random_extent(random, rank));
  return result;
}

/// Extents of some 1.2 to 2 MiB of elements, shared out between the dimensions in any way.
oracle::shape large_extents(random_source& random, std::size_t rank, std::size_t element_size) {
  oracle::shape result(rank, 1);
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random.engine());
  integer rest = random.between(1200000, 2000000) / static_cast<integer>(element_size);
  for (std::size_t i = 0; i < rank; ++i) {
    double const share = static_cast<double>(random.between(0, 100)) / 100;
    integer const extent = i + 1 == rank ? rest : std::llround(std::pow(static_cast<double>(rest), share));
    result[order[i]] = extent;
    rest = (rest + extent - 1) / extent;
  }
  return result;
}

/// Extents for the `count` axes that tuples address, beside `others` elements in all other dimensions.
oracle::shape addressed_extents(random_source& random, std::size_t count, integer others) {
  double const total = std::max(4.0, 40000.0 / static_cast<double>(others));
  auto const longest = std::llround(std::pow(total, 1.0 / static_cast<double>(count)));
  oracle::shape result;
  for (std::size_t c = 0; c < count; ++c) result.push_back(random.between(1, std::max<integer>(2, longest)));
  return result;
}

oracle::shape with_leading_ones(oracle::shape const& extents, std::size_t rank) {
  return oracle::joined(oracle::shape(rank - extents.size(), 1), extents);
}

/// Sometimes makes the values the same along one of the first `rank` dimensions, so that the harness can broadcast it:
/// `copy(to, from)` copies one value, both named by their row-major position.
template <class Copy>
void repeat_sometimes(oracle::shape const& extents, std::size_t rank, random_source& random, Copy copy) {
  if (rank == 0 || !random.chance(25)) return;
  auto const d = static_cast<std::size_t>(random.between(0, static_cast<integer>(rank) - 1));
  integer i = 0;
  oracle::shape first;
  oracle::all_positions(extents, [&](oracle::shape const& position) {
    first = position;
    first[d] = 0;
    copy(i++, oracle::row_major(extents, first));
    return true;
  });
}

void repeat_sometimes(oracle::elements& values, random_source& random) {
  repeat_sometimes(values.extents, values.extents.size(), random, [&](integer to, integer from) {
    if (to != from) copy_element(values.at(to), values.at(from), values.size);
  });
}

void repeat_sometimes(oracle::numbers& indices, std::size_t rank, random_source& random) {
  repeat_sometimes(indices.extents, rank, random, [&](integer to, integer from) {
    indices.values[static_cast<std::size_t>(to)] = indices.values[static_cast<std::size_t>(from)];
  });
}

// ---- indices --------------------------------------------------------------------------------------------------------

/// A bad index on this axis.
oracle::number bad_index(integer extent, index_kind kind, random_source& random) {
  std::vector<oracle::number> values{extent, extent + random.between(0, 100)};
  switch (kind) {
    case index_kind::int32:
      values.insert(values.end(), {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::min() + 1});
      break;
    case index_kind::uint32:
      values.insert(values.end(), {std::numeric_limits<std::uint32_t>::max(), std::uint32_t{1} << 31U});
      // What -extent is to those who take it for a signed number.
      if (extent != 0) values.emplace_back((integer{1} << 32) - extent);
      break;
    case index_kind::int64:
      values.insert(values.end(), {std::numeric_limits<integer>::max(), std::numeric_limits<integer>::min(),
                                   std::numeric_limits<integer>::min() + 1, -(integer{1} << 32)});
      break;
    case index_kind::uint64:
      values.insert(values.end(), {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 63U,
                                   (std::uint64_t{1} << 63U) - 1});
      if (extent != 0) values.emplace_back(std::uint64_t{0} - static_cast<std::uint64_t>(extent));
      break;
  }
  if (is_signed(kind)) values.insert(values.end(), {-extent - 1, -extent - random.between(1, 100)});
  // Good ones to those who narrow them.
  if (width(kind) == 64) values.insert(values.end(), {integer{1} << 32, (integer{1} << 32) + extent / 2});
  return random.one_of(values);
}

oracle::number good_index(integer extent, index_kind kind, random_source& random) {
  integer const index = random.between(0, extent - 1);
  return is_signed(kind) && random.chance(30) ? index - extent : index;
}

/// How the indices of one problem are to be: which part of an axis they use, how many of them are bad.
struct index_style {
  index_kind kind;
  integer used = std::numeric_limits<integer>::max();
  int percent_bad = 0;

  index_style(problem const& p, random_source& random) : kind(p.kind) {
    if (random.chance(30)) used = random.between(1, 2);
    if (p.mode == oracle::bounds::check) percent_bad = p.large || random.chance(70) ? 0 : 4;
    else if (p.mode != oracle::bounds::trust) percent_bad = random.chance(30) ? 0 : 25;
  }

  oracle::number index(integer extent, random_source& random) const {
    if (extent == 0 || random.chance(percent_bad)) return bad_index(extent, kind, random);
    return good_index(std::min(extent, used), kind, random);
  }
};

oracle::numbers random_tuples(oracle::shape const& extents, problem const& p, std::size_t first_axis,
                              random_source& random) {
  index_style const style(p, random);
  oracle::numbers result{extents, {}};
  oracle::all_positions(extents, [&](oracle::shape const& position) {
    auto const axis = first_axis + static_cast<std::size_t>(position.back());
    result.values.push_back(style.index(p.input.extents[axis], random));
    return true;
  });
  // Along the coordinates, what is good on one axis may be bad on the next.
  repeat_sometimes(result, extents.size() - (p.mode == oracle::bounds::trust ? 1 : 0), random);
  return result;
}

/// In a large problem that is checked, a bad index is one of a kind.
void spoil_sometimes(problem& p, random_source& random) {
  if (!p.large || p.mode != oracle::bounds::check || p.indices.values.empty() || !random.chance(40)) return;
  auto const last = static_cast<integer>(p.indices.values.size()) - 1;
  integer const highest = *std::max_element(p.input.extents.begin(), p.input.extents.end());
  for (int i = 0; i < 2; ++i)
    p.indices.values[static_cast<std::size_t>(random.between(0, last))] = bad_index(highest, p.kind, random);
}

oracle::bounds random_bounds(random_source& random) {
  using enum oracle::bounds;
  return random.one_of(std::array{check, check, clamp, wrap, ignore, trust});
}

/// Nobody can promise that an index into nothing is good.
void keep_promise(problem& p, std::size_t first_axis, std::size_t count) {
  for (std::size_t d = first_axis; d < first_axis + count; ++d)
    if (p.input.extents[d] == 0 && p.mode == oracle::bounds::trust) p.mode = oracle::bounds::ignore;
}

/// A number of batch dimensions and one of coordinates that come to these ranks; `slices` is the one of the output or
/// the updates.
std::pair<std::size_t, std::size_t> choose_tuples(random_source& random, std::size_t input, std::size_t indices,
                                                  std::size_t slices, bool batched) {
  std::vector<std::pair<std::size_t, std::size_t>> choices;
  for (std::size_t b = 0; b < std::min(input, indices) && (b == 0 || batched); ++b)
    for (std::size_t k = 1; k <= input - b; ++k)
      if (indices - 1 + input - b - k <= slices) choices.emplace_back(b, k);
  return random.one_of(choices);
}

/// Extents of input and indices with `b` batch dimensions and tuples of `k`.
std::pair<oracle::shape, oracle::shape> extents_of_tuples(problem const& p, random_source& random, std::size_t input,
                                                          std::size_t indices, std::size_t b, std::size_t k) {
  if (!p.large) {
    oracle::shape const first = random_extents(random, input);
    oracle::shape second = random_extents(random, indices);
    std::copy_n(first.begin(), b, second.begin());
    second.back() = static_cast<integer>(k);
    return {first, second};
  }
  std::size_t const tuple_rank = indices - 1;
  oracle::shape const moved = large_extents(random, tuple_rank + input - b - k, p.type->size);
  oracle::shape const batch = oracle::part(moved, 0, b);
  oracle::shape const tail = oracle::part(moved, tuple_rank, moved.size());
  oracle::shape const addressed = addressed_extents(random, k, oracle::product(batch) * oracle::product(tail));
  return {oracle::joined(oracle::joined(batch, addressed), tail),
          oracle::joined(oracle::part(moved, 0, tuple_rank), {static_cast<integer>(k)})};
}

// ---- values that are reduced ----------------------------------------------------------------------------------------

/// Floating-point values whose sum or product comes out the same in any order: so few ones among `count` values that 8
/// bits hold every partial sum, and signs for products. Zeros of both signs, infinities and NaN keep that property.
double exact_in_any_order(oracle::reduction op, integer count, random_source& random) {
  double const infinity = std::numeric_limits<double>::infinity();
  if (random.chance(2)) return random.chance(50) ? infinity : -infinity;
  if (random.chance(1)) return std::numeric_limits<double>::quiet_NaN();
  if (random.chance(10)) return random.chance(50) ? 0.0 : -0.0;
  bool const is_one = op == oracle::reduction::mul || random.between(0, count) < 60;
  return is_one ? (random.chance(50) ? 1.0 : -1.0) : 0.0;
}

oracle::elements random_values(oracle::shape const& extents, problem const& p, random_source& random) {
  oracle::elements result = random_bits(extents, p.type->size, random);
  if (p.reduction == oracle::reduction::none || p.type->from_double == nullptr) return result;
  bool const is_extreme = p.reduction == oracle::reduction::min || p.reduction == oracle::reduction::max;
  bool const any_order = p.duplicates == oracle::duplicates::any && !is_extreme;
  integer const count = oracle::product(extents);
  for (integer i = 0; i < count; ++i) {
    if (any_order) p.type->from_double(exact_in_any_order(p.reduction, count, random), result.at(i));
    else if (random.chance(10)) p.type->from_double(random.chance(50) ? 0.0 : -0.0, result.at(i));
    else if (random.chance(60))
      p.type->from_double(static_cast<double>(random.between(-3000, 3000)) / 64, result.at(i));
  }
  if (!any_order || count < 200) repeat_sometimes(result, random);
  return result;
}

void choose_modes(problem& p, random_source& random) {
  using enum oracle::reduction;
  p.mode = random_bounds(random);
  p.duplicates = random.chance(50) ? oracle::duplicates::last : oracle::duplicates::any;
  if (p.type->reduce != nullptr) p.reduction = random.one_of(std::array{none, add, mul, min, max, sub, mean});
  p.include_self = random.chance(60);
}

}  // namespace

// ---- the operators --------------------------------------------------------------------------------------------------

oracle::elements random_bits(oracle::shape extents, std::size_t element_size, random_source& random) {
  oracle::elements result{std::move(extents), element_size, {}};
  result.bytes = random.bytes(oracle::product(result.extents) * static_cast<oracle::integer>(element_size));
  repeat_sometimes(result, random);
  return result;
}

oracle::numbers good_tuples(oracle::shape extents, oracle::shape const& input, std::size_t first_axis, index_kind kind,
                            random_source& random) {
  oracle::numbers result{std::move(extents), {}};
  oracle::all_positions(result.extents, [&](oracle::shape const& position) {
    auto const axis = first_axis + static_cast<std::size_t>(position.back());
    result.values.push_back(good_index(input[axis], kind, random));
    return true;
  });
  return result;
}

problem scatter_by_good_tuples(problem p, oracle::shape const& input, oracle::shape const& indices,
                               random_source& random) {
  p.input = random_bits(input, p.type->size, random);
  p.indices = good_tuples(indices, input, 0, p.kind, random);
  oracle::shape updates(indices.begin(), indices.end() - 1);
  updates.insert(updates.end(), input.begin() + indices.back(), input.end());
  p.updates = random_bits(updates, p.type->size, random);
  p.duplicates = oracle::duplicates::last;
  return p;
}

problem random_gather(problem p, random_source& random, std::size_t input, std::size_t indices, std::size_t output) {
  auto const [b, k] = choose_tuples(random, input, indices, output, p.op == operation::gather_nd1);
  p.mode = random_bounds(random);
  p.batch_dims = static_cast<integer>(b);
  random.fill(p.fill);
  auto const [input_extents, extents] = extents_of_tuples(p, random, input, indices, b, k);
  p.input = random_bits(input_extents, p.type->size, random);
  keep_promise(p, b, k);
  p.indices = random_tuples(extents, p, b, random);
  spoil_sometimes(p, random);
  p.output = with_leading_ones(*oracle::slices(p.input.extents, extents, p.batch_dims), output);
  return p;
}

problem random_slice(problem p, random_source& random, std::size_t input, std::size_t output) {
  oracle::shape extents = large_extents(random, p.large ? input : 0, p.type->size);
  p.window = {};
  for (std::size_t d = 0; d < input; ++d) {
    if (p.large) extents[d] += random.between(0, 9);
    else extents.push_back(random.between(1, input == 1 ? 400 : input == 2 ? 70 : input <= 4 ? 8 : 3));
    integer const extent = extents[d];
    integer const size = random.chance(30) ? extent : random.between(p.large ? extent - extent / 8 : 1, extent);
    integer stride = random.chance(p.large ? 80 : 50) ? 1 : random.between(1, 4);
    if (!p.large && random.chance(3)) stride = std::numeric_limits<integer>::max();
    if (random.chance(40)) stride = -stride;
    if (!p.large && random.chance(3)) stride = std::numeric_limits<integer>::min();
    p.window.offsets.push_back(random.between(0, extent - size));
    p.window.sizes.push_back(size);
    p.window.strides.push_back(stride);
  }
  p.input = random_bits(extents, p.type->size, random);
  oracle::shape taken = *oracle::largest_window(extents, p.window);
  for (integer& extent : taken)
    if (random.chance(25)) extent = random.between(1, extent);
  p.output = with_leading_ones(taken, output);
  return p;
}

problem random_python_slice(problem p, random_source& random, std::size_t input, std::size_t output) {
  oracle::shape const extents = p.large ? large_extents(random, input, p.type->size) : random_extents(random, input);
  p.slice = {};
  oracle::shape due;
  for (integer const extent : extents) {
    auto const edge = [&]() -> std::optional<integer> {
      if (random.chance(30)) return std::nullopt;
      if (random.chance(5)) return random.chance(50) ? std::numeric_limits<integer>::max() : -(integer{1} << 62);
      return random.between(-extent - 2, extent + 2);
    };
    p.slice.starts.push_back(edge());
    p.slice.ends.push_back(edge());
    integer const step = random.chance(5) ? std::numeric_limits<integer>::min() : random.between(-3, 3);
    p.slice.steps.push_back(step == 0 ? std::nullopt : std::optional<integer>(step));
  }
  p.input = random_bits(extents, p.type->size, random);
  std::vector<oracle::shape> const positions = *oracle::python_positions(extents, p.slice);
  for (oracle::shape const& taken : positions) due.push_back(static_cast<integer>(taken.size()));
  p.output = with_leading_ones(due, output);
  return p;
}

problem random_flip(problem p, random_source& random, std::size_t input, std::size_t output) {
  p.input = random_bits(random_extents(random, input), p.type->size, random);
  p.axes.reset();
  auto const rank = static_cast<integer>(input);
  if (random.chance(80)) {
    p.axes.emplace();
    for (integer d = 0; d < rank; ++d)
      if (random.chance(50)) p.axes->push_back(random.chance(50) ? d : d - rank);
    std::shuffle(p.axes->begin(), p.axes->end(), random.engine());
  }
  p.output = with_leading_ones(p.input.extents, output);
  return p;
}

problem random_slice_grad(problem p, random_source& random, std::size_t input, std::size_t output) {
  problem const forward = random_slice(p, random, output, input);
  p.window = forward.window;
  p.output = forward.input.extents;
  p.input = random_bits(forward.output, p.type->size, random);
  return p;
}

problem random_scatter_nd(problem p, random_source& random, std::size_t input, std::size_t indices, std::size_t updates,
                          std::size_t output) {
  auto const [b, k] = choose_tuples(random, input, indices, updates, true);
  p.batch_dims = static_cast<integer>(b);
  choose_modes(p, random);
  auto const [input_extents, extents] = extents_of_tuples(p, random, input, indices, b, k);
  p.input = random_values(input_extents, p, random);
  keep_promise(p, b, k);
  p.indices = random_tuples(extents, p, b, random);
  spoil_sometimes(p, random);
  oracle::shape const due = *oracle::slices(p.input.extents, extents, p.batch_dims);
  p.updates = random_values(with_leading_ones(due, updates), p, random);
  p.output = with_leading_ones(p.input.extents, output);
  return p;
}

problem random_scatter_elements(problem p, random_source& random, std::size_t rank, std::size_t updates,
                                std::size_t output) {
  choose_modes(p, random);
  auto const r = static_cast<integer>(rank);
  p.axis = random.between(-r, r - 1);
  auto const axis = static_cast<std::size_t>((p.axis + r) % r);
  p.input =
      random_values(p.large ? large_extents(random, rank, p.type->size) : random_extents(random, rank), p, random);
  keep_promise(p, axis, 1);
  oracle::shape extents = p.input.extents;
  if (random.chance(40))
    for (integer& extent : extents) extent = extent == 0 ? 0 : random.between((extent + 1) / 2, extent);
  if (random.chance(60)) extents[axis] = p.large ? random.between(1, 2 * extents[axis]) : random_extent(random, rank);
  index_style const style(p, random);
  p.indices = {extents, {}};
  for (integer i = 0; i < oracle::product(extents); ++i)
    p.indices.values.push_back(style.index(p.input.extents[axis], random));
  repeat_sometimes(p.indices, rank, random);
  spoil_sometimes(p, random);
  p.updates = random_values(with_leading_ones(extents, updates), p, random);
  p.output = with_leading_ones(p.input.extents, output);
  return p;
}

problem random_gather_elements(problem p, random_source& random, std::size_t rank, std::size_t output) {
  p = random_scatter_elements(std::move(p), random, rank, rank, rank);
  p.updates = {{}, p.type->size, {}};
  p.reduction = oracle::reduction::none;
  random.fill(p.fill);
  p.output = with_leading_ones(p.indices.extents, output);
  return p;
}

problem random_take(problem p, random_source& random, std::size_t input, std::size_t indices, std::size_t output) {
  p.mode = random_bounds(random);
  random.fill(p.fill);
  auto const r = static_cast<integer>(input);
  p.axis = random.between(-r, r - 1);
  auto const axis = static_cast<std::size_t>((p.axis + r) % r);
  oracle::shape extents = random_extents(random, indices);
  oracle::shape whole = random_extents(random, input);
  if (p.large) {  // the output is, and its extents are those of the input but for the axis, where the indices' stand
    oracle::shape const due = large_extents(random, input + indices - 1, p.type->size);
    extents = oracle::part(due, axis, axis + indices);
    integer const others = oracle::product(due) / oracle::product(extents);
    whole = oracle::joined(oracle::joined(oracle::part(due, 0, axis), addressed_extents(random, 1, others)),
                           oracle::part(due, axis + indices, due.size()));
  }
  p.input = random_bits(whole, p.type->size, random);
  keep_promise(p, axis, 1);
  index_style const style(p, random);
  p.indices = {extents, {}};
  for (integer i = 0; i < oracle::product(extents); ++i) p.indices.values.push_back(style.index(whole[axis], random));
  repeat_sometimes(p.indices, indices, random);
  spoil_sometimes(p, random);
  p.output = with_leading_ones(oracle::taken(whole, extents, axis), output);
  return p;
}

}  // namespace test
