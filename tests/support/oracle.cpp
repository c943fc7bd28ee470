// SPDX-License-Identifier: MIT
#include "oracle.hpp"

#include "raw_bytes.hpp"

using test::copy_element;

namespace oracle {

bool accepts(shape const& given, shape const& due) {
  if (given.size() < due.size()) return false;
  std::size_t const padding = given.size() - due.size();
  for (std::size_t d = 0; d < padding; ++d)
    if (given[d] != 1) return false;
  return part(given, padding, given.size()) == due;
}

std::optional<shape> slices(shape const& input, shape const& indices, integer b) {
  auto const r = static_cast<integer>(input.size());
  auto const q = static_cast<integer>(indices.size());
  if (b < 0 || b >= r || b >= q) return std::nullopt;
  integer const k = indices.back();
  if (k < 1 || k > r - b) return std::nullopt;
  for (std::size_t d = 0; d < static_cast<std::size_t>(b); ++d)
    if (input[d] != indices[d]) return std::nullopt;
  return joined(part(indices, 0, indices.size() - 1), part(input, static_cast<std::size_t>(b + k), input.size()));
}

std::optional<shape> largest_window(shape const& input, window const& w) {
  shape result;
  for (std::size_t d = 0; d < input.size(); ++d) {
    if (w.strides[d] == 0 || w.sizes[d] < 1 || w.offsets[d] < 0) return std::nullopt;
    if (w.offsets[d] > input[d] || w.sizes[d] > input[d] - w.offsets[d]) return std::nullopt;
    result.push_back(1 + static_cast<integer>((magnitude(w.sizes[d]) - 1) / magnitude(w.strides[d])));
  }
  return result;
}

namespace {

enum class verdict { good, skip, bad };

struct resolution {
  verdict what;
  integer coordinate;
};

/// Where the index `n` points to on an axis of this extent. Nothing here can overflow: magnitudes are unsigned.
resolution resolve(number n, integer extent, bounds mode) {
  std::uint64_t const end = magnitude(extent);
  bool const in_range = n.negative ? n.magnitude <= end : n.magnitude < end;
  if (in_range) {
    auto const distance = static_cast<integer>(n.magnitude);
    return {verdict::good, n.negative ? extent - distance : distance};
  }
  if (mode == bounds::ignore) return {verdict::skip, 0};
  if (mode == bounds::check || extent == 0) return {verdict::bad, 0};
  if (mode == bounds::clamp) return {verdict::good, n.negative ? 0 : extent - 1};
  auto const remainder = static_cast<integer>(n.magnitude % end);
  return {verdict::good, n.negative && remainder != 0 ? extent - remainder : remainder};
}

/// Reads the tuple at `position` (which leaves out the coordinate) into `coordinates`.
verdict read_tuple(numbers const& indices, shape const& position, shape const& input, integer b, bounds mode,
                   shape& coordinates, outcome& result) {
  verdict tuple = verdict::good;
  coordinates.clear();
  for (integer c = 0; c < indices.extents.back(); ++c) {
    integer const extent = input[static_cast<std::size_t>(b + c)];
    number const& value = indices.at({position, piece(&c, 1)});
    resolution const r = resolve(value, extent, mode);
    if (r.what == verdict::bad) {
      result.failure = index_failure{joined(position, {c}), b + c, value, extent};
      return verdict::bad;
    }
    if (r.what == verdict::skip) tuple = verdict::skip;
    coordinates.push_back(r.coordinate);
  }
  return tuple;
}

/// Applies updates one after the other, and keeps a record of who wrote where.
class writer {
public:
  writer(element_type const& type, elements const& updates, meeting how, outcome& result)
      : type_(type), updates_(updates), how_(how), result_(result) {
    std::size_t const elements = result.bytes.size() / type.size;
    if (how.op != reduction::none) {
      counts_.resize(elements);
    } else {
      result.last_update.assign(elements, -1);
      result.update_before.assign(updates.bytes.size() / type.size, -1);
    }
  }

  void write(integer to, integer update) {
    std::byte* const element = element_at(to);
    if (how_.op != reduction::none) {
      bool const is_first = ++counts_[static_cast<std::size_t>(to)] == 1;
      reduction const op = how_.op == reduction::mean ? reduction::add : how_.op;
      return (is_first && !how_.include_self ? type_.first : type_.reduce)(op, element, updates_.at(update));
    }
    copy_element(element, updates_.at(update), type_.size);
    integer& last = result_.last_update[static_cast<std::size_t>(to)];
    result_.update_before[static_cast<std::size_t>(update)] = std::exchange(last, update);
  }

  /// To be called after the last update.
  void finish() {
    if (how_.op != reduction::mean) return;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] != 0) type_.divide(element_at(static_cast<integer>(i)), counts_[i] + (how_.include_self ? 1 : 0));
  }

private:
  std::byte* element_at(integer i) { return result_.bytes.data() + static_cast<std::size_t>(i) * type_.size; }

  element_type const& type_;
  elements const& updates_;
  meeting how_;
  outcome& result_;
  std::vector<integer> counts_;  // of the updates of each element
};

}  // namespace

outcome gather_nd1(elements const& input, numbers const& indices, integer b, bounds mode, std::byte const* fill) {
  auto const batch = static_cast<std::size_t>(b);
  auto const k = static_cast<std::size_t>(indices.extents.back());
  shape const tuples = part(indices.extents, 0, indices.extents.size() - 1);
  shape const tail = part(input.extents, batch + k, input.extents.size());
  shape const due = joined(tuples, tail);
  outcome result;
  result.bytes.resize(static_cast<std::size_t>(product(due)) * input.size);
  shape coordinates;
  all_positions(tuples, [&](shape const& j) {
    verdict const v = read_tuple(indices, j, input.extents, b, mode, coordinates, result);
    if (v == verdict::bad) return false;
    return all_positions(tail, [&](shape const& t) {
      auto const from = [&] { return input.at(row_major(input.extents, {head(j, batch), coordinates, t})); };
      std::byte* const to = result.bytes.data() + static_cast<std::size_t>(row_major(due, {j, t})) * input.size;
      copy_element(to, v == verdict::skip ? fill : from(), input.size);
      return true;
    });
  });
  return result;
}

namespace {

/// The place that slice1 reads for place `c` of its output.
void place_in_window(window const& w, shape const& c, shape& place) {
  place.clear();
  for (std::size_t d = 0; d < c.size(); ++d) {
    integer const start = w.offsets[d] + (w.strides[d] < 0 ? w.sizes[d] - 1 : 0);
    place.push_back(start + (c[d] == 0 ? 0 : w.strides[d] * c[d]));
  }
}

}  // namespace

outcome slice1(elements const& input, window const& w, shape const& extents) {
  outcome result;
  result.bytes.resize(static_cast<std::size_t>(product(extents)) * input.size);
  shape place;
  all_positions(extents, [&](shape const& c) {
    place_in_window(w, c, place);
    std::byte* const to = result.bytes.data() + static_cast<std::size_t>(row_major(extents, c)) * input.size;
    copy_element(to, input.at(row_major(input.extents, place)), input.size);
    return true;
  });
  return result;
}

outcome slice_grad(elements const& input, window const& w, shape const& extents, shape const& output) {
  outcome result;
  result.bytes.resize(static_cast<std::size_t>(product(output)) * input.size);
  shape place;
  all_positions(extents, [&](shape const& c) {
    place_in_window(w, c, place);
    std::byte* const to = result.bytes.data() + static_cast<std::size_t>(row_major(output, place)) * input.size;
    copy_element(to, input.at(row_major(extents, c)), input.size);
    return true;
  });
  return result;
}

std::optional<std::vector<shape>> python_positions(shape const& input, python_slice const& slice) {
  std::vector<shape> result;
  for (std::size_t d = 0; d < input.size(); ++d) {
    integer const extent = input[d];
    integer const step = slice.steps[d].value_or(1);
    if (step == 0) return std::nullopt;
    auto const counted = [&](integer given) { return given < 0 ? given + extent : given; };
    shape taken;
    // Every element of the dimension is asked whether it is taken.
    for (integer i = 0; i < extent; ++i) {
      integer const place = step > 0 ? i : extent - 1 - i;
      auto const is_before = [&](integer a, integer b) { return step > 0 ? a < b : a > b; };
      if (slice.starts[d] && is_before(place, counted(*slice.starts[d]))) continue;
      if (slice.ends[d] && !is_before(place, counted(*slice.ends[d]))) continue;
      if (taken.empty() || magnitude(place - taken.front()) % magnitude(step) == 0) taken.push_back(place);
    }
    result.push_back(taken);
  }
  return result;
}

std::vector<std::byte> elements_at(elements const& input, std::vector<shape> const& positions) {
  shape extents;
  for (shape const& taken : positions) extents.push_back(static_cast<integer>(taken.size()));
  std::vector<std::byte> result(static_cast<std::size_t>(product(extents)) * input.size);
  std::byte* to = result.data();
  shape from(extents.size());
  all_positions(extents, [&](shape const& c) {
    for (std::size_t d = 0; d < c.size(); ++d) from[d] = positions[d][static_cast<std::size_t>(c[d])];
    copy_element(to, input.at(row_major(input.extents, from)), input.size);
    to += input.size;
    return true;
  });
  return result;
}

outcome scatter_nd(element_type const& type, elements const& input, numbers const& indices, elements const& updates,
                   integer b, bounds mode, meeting how) {
  auto const batch = static_cast<std::size_t>(b);
  auto const k = static_cast<std::size_t>(indices.extents.back());
  shape const tuples = part(indices.extents, 0, indices.extents.size() - 1);
  shape const tail = part(input.extents, batch + k, input.extents.size());
  shape const due = joined(tuples, tail);  // of the updates, without leading ones
  outcome result;
  result.bytes = input.bytes;
  writer output(type, updates, how, result);
  shape coordinates;
  all_positions(tuples, [&](shape const& j) {
    verdict const v = read_tuple(indices, j, input.extents, b, mode, coordinates, result);
    if (v != verdict::good) return v == verdict::skip;
    return all_positions(tail, [&](shape const& t) {
      output.write(row_major(input.extents, {head(j, batch), coordinates, t}), row_major(due, {j, t}));
      return true;
    });
  });
  output.finish();
  return result;
}

outcome scatter_elements(element_type const& type, elements const& input, numbers const& indices,
                         elements const& updates, integer axis, bounds mode, meeting how) {
  auto const at = static_cast<std::size_t>(axis < 0 ? axis + static_cast<integer>(input.extents.size()) : axis);
  outcome result;
  result.bytes = input.bytes;
  writer output(type, updates, how, result);
  shape to;
  all_positions(indices.extents, [&](shape const& p) {
    number const value = indices.at({p});
    resolution const r = resolve(value, input.extents[at], mode);
    if (r.what == verdict::bad) result.failure = index_failure{p, static_cast<integer>(at), value, input.extents[at]};
    if (r.what != verdict::good) return r.what == verdict::skip;
    to = p;
    to[at] = r.coordinate;
    output.write(row_major(input.extents, to), row_major(indices.extents, p));
    return true;
  });
  output.finish();
  return result;
}

outcome gather_elements(elements const& input, numbers const& indices, std::size_t axis, bounds mode,
                        std::byte const* fill) {
  outcome result;
  result.bytes.resize(static_cast<std::size_t>(product(indices.extents)) * input.size);
  shape from;
  all_positions(indices.extents, [&](shape const& p) {
    number const value = indices.at({p});
    integer const extent = input.extents[axis];
    resolution const r = resolve(value, extent, mode);
    if (r.what == verdict::bad) result.failure = index_failure{p, static_cast<integer>(axis), value, extent};
    if (r.what == verdict::bad) return false;
    from = p;
    from[axis] = r.coordinate;
    std::byte* const to = result.bytes.data() + static_cast<std::size_t>(row_major(indices.extents, p)) * input.size;
    copy_element(to, r.what == verdict::skip ? fill : input.at(row_major(input.extents, from)), input.size);
    return true;
  });
  return result;
}

shape taken(shape const& input, shape const& indices, std::size_t axis) {
  return joined(joined(part(input, 0, axis), indices), part(input, axis + 1, input.size()));
}

outcome take(elements const& input, numbers const& indices, std::size_t axis, bounds mode, std::byte const* fill) {
  shape const due = taken(input.extents, indices.extents, axis);
  outcome result;
  result.bytes.resize(static_cast<std::size_t>(product(due)) * input.size);
  std::vector<resolution> resolved;
  // Every index is looked at, even where nothing is taken.
  bool const good = all_positions(indices.extents, [&](shape const& p) {
    resolved.push_back(resolve(indices.at({p}), input.extents[axis], mode));
    if (resolved.back().what != verdict::bad) return true;
    result.failure = index_failure{p, static_cast<integer>(axis), indices.at({p}), input.extents[axis]};
    return false;
  });
  if (!good) return result;
  all_positions(due, [&](shape const& p) {
    piece const which = piece(p).subspan(axis, indices.extents.size());
    resolution const r = resolved[static_cast<std::size_t>(row_major(indices.extents, {which}))];
    auto const from = [&] {
      piece const after = piece(p).subspan(axis + which.size());
      return input.at(row_major(input.extents, {head(p, axis), piece(&r.coordinate, 1), after}));
    };
    std::byte* const to = result.bytes.data() + static_cast<std::size_t>(row_major(due, p)) * input.size;
    copy_element(to, r.what == verdict::skip ? fill : from(), input.size);
    return true;
  });
  return result;
}

}  // namespace oracle
