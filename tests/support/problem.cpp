// SPDX-License-Identifier: MIT
#include "problem.hpp"

#include <algorithm>
#include <sstream>

namespace test {

char const* name(operation op) {
  constexpr char const* names[] = {"gather_nd",       "gather_nd1", "slice1", "scatter_nd", "scatter_elements",
                                   "gather_elements", "take",       "slice",  "flip",       "slice_grad"};
  return names[static_cast<std::size_t>(op)];
}

std::optional<oracle::outcome> solve(problem const& p) {
  oracle::shape const& input = p.input.extents;
  oracle::shape const& indices = p.indices.extents;
  switch (p.op) {
    case operation::gather_nd:
    case operation::gather_nd1: {
      auto const due = oracle::slices(input, indices, p.batch_dims);
      if (!due || !oracle::accepts(p.output, *due)) return std::nullopt;
      return oracle::gather_nd1(p.input, p.indices, p.batch_dims, p.mode, p.fill.data());
    }
    case operation::slice1: {
      auto const largest = oracle::largest_window(input, p.window);
      if (!largest || p.output.size() < input.size()) return std::nullopt;
      oracle::shape const extents = oracle::part(p.output, p.output.size() - input.size(), p.output.size());
      if (!oracle::accepts(p.output, extents)) return std::nullopt;
      for (std::size_t d = 0; d < input.size(); ++d)
        if (extents[d] < 1 || extents[d] > (*largest)[d]) return std::nullopt;
      return oracle::slice1(p.input, p.window, extents);
    }
    case operation::scatter_nd: {
      auto const due = oracle::slices(input, indices, p.batch_dims);
      if (!due || !oracle::accepts(p.updates.extents, *due) || !oracle::accepts(p.output, input)) return std::nullopt;
      return oracle::scatter_nd(*p.type, p.input, p.indices, p.updates, p.batch_dims, p.mode,
                                {p.reduction, p.include_self});
    }
    case operation::scatter_elements: {
      auto const rank = static_cast<oracle::integer>(input.size());
      if (p.axis < -rank || p.axis >= rank || indices.size() != input.size()) return std::nullopt;
      if (!oracle::accepts(p.updates.extents, indices) || !oracle::accepts(p.output, input)) return std::nullopt;
      auto const axis = static_cast<std::size_t>((p.axis + rank) % rank);
      for (std::size_t d = 0; d < input.size(); ++d)
        if (d != axis && indices[d] > input[d]) return std::nullopt;
      return oracle::scatter_elements(*p.type, p.input, p.indices, p.updates, p.axis, p.mode,
                                      {p.reduction, p.include_self});
    }
    case operation::gather_elements: {
      auto const rank = static_cast<oracle::integer>(input.size());
      if (rank == 0 || p.axis < -rank || p.axis >= rank || indices.size() != input.size()) return std::nullopt;
      auto const axis = static_cast<std::size_t>(p.axis < 0 ? p.axis + rank : p.axis);
      for (std::size_t d = 0; d < input.size(); ++d)
        if (d != axis && indices[d] > input[d]) return std::nullopt;
      if (!oracle::accepts(p.output, indices)) return std::nullopt;
      return oracle::gather_elements(p.input, p.indices, axis, p.mode, p.fill.data());
    }
    case operation::take: {
      auto const rank = static_cast<oracle::integer>(input.size());
      if (rank == 0 || p.axis < -rank || p.axis >= rank) return std::nullopt;
      auto const axis = static_cast<std::size_t>(p.axis < 0 ? p.axis + rank : p.axis);
      if (!oracle::accepts(p.output, oracle::taken(input, indices, axis))) return std::nullopt;
      return oracle::take(p.input, p.indices, axis, p.mode, p.fill.data());
    }
    case operation::slice: {
      auto const positions = oracle::python_positions(input, p.slice);
      if (!positions) return std::nullopt;
      oracle::shape due;
      for (oracle::shape const& taken : *positions) due.push_back(static_cast<oracle::integer>(taken.size()));
      if (!oracle::accepts(p.output, due)) return std::nullopt;
      return oracle::outcome{{}, oracle::elements_at(p.input, *positions), {}};
    }
    case operation::flip: {
      std::vector<oracle::shape> positions;
      for (oracle::integer extent : input) {
        oracle::shape forwards;
        for (oracle::integer i = 0; i < extent; ++i) forwards.push_back(i);
        positions.push_back(forwards);
      }
      std::vector<int> turned(input.size(), p.axes ? 0 : 1);
      for (oracle::integer axis : p.axes.value_or(oracle::shape{})) {
        auto const rank = static_cast<oracle::integer>(input.size());
        if (axis < -rank || axis >= rank) return std::nullopt;
        if (++turned[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] > 1) return std::nullopt;
      }
      for (std::size_t d = 0; d < input.size(); ++d)
        if (turned[d] != 0) std::reverse(positions[d].begin(), positions[d].end());
      if (!oracle::accepts(p.output, input)) return std::nullopt;
      return oracle::outcome{{}, oracle::elements_at(p.input, positions), {}};
    }
    case operation::slice_grad: {
      auto const largest = oracle::largest_window(p.output, p.window);
      if (!largest || input.size() < p.output.size()) return std::nullopt;
      oracle::shape const extents = oracle::part(input, input.size() - p.output.size(), input.size());
      if (!oracle::accepts(input, extents)) return std::nullopt;
      for (std::size_t d = 0; d < extents.size(); ++d)
        if (extents[d] < 1 || extents[d] > (*largest)[d]) return std::nullopt;
      return oracle::slice_grad(p.input, p.window, extents, p.output);
    }
  }
  return std::nullopt;
}

std::string text(oracle::shape const& values) {
  std::string result = "{";
  for (std::size_t d = 0; d < values.size(); ++d) result += (d == 0 ? "" : ", ") + std::to_string(values[d]);
  return result + "}";
}

std::string describe(problem const& p) {
  constexpr char const* modes[] = {"check", "clamp", "wrap", "ignore", "trust"};
  constexpr char const* reductions[] = {"none", "add", "mul", "min", "max", "sub", "mean"};
  std::ostringstream out;
  out << name(p.op) << ": elements " << p.type->name;
  if (has_indices(p.op)) out << ", indices " << (is_signed(p.kind) ? "int" : "uint") << width(p.kind);
  out << "\ninput " << text(p.input.extents);
  if (has_indices(p.op)) out << ", indices " << text(p.indices.extents);
  if (is_scatter(p.op)) out << ", updates " << text(p.updates.extents);
  out << ", output " << text(p.output) << ", bounds " << modes[static_cast<std::size_t>(p.mode)];
  if (p.op == operation::gather_nd1 || p.op == operation::scatter_nd) out << ", batch_dims " << p.batch_dims;
  if (p.op == operation::scatter_elements || p.op == operation::gather_elements || p.op == operation::take)
    out << ", axis " << p.axis;
  if (p.op == operation::slice1)
    out << ", offsets " << text(p.window.offsets) << ", sizes " << text(p.window.sizes) << ", strides "
        << text(p.window.strides);
  auto const show = [&](char const* what, std::vector<std::optional<oracle::integer>> const& list) {
    out << ", " << what;
    for (auto const& number : list) out << ' ' << (number ? std::to_string(*number) : "None");
  };
  if (p.op == operation::slice) {
    show("starts", p.slice.starts);
    show("ends", p.slice.ends);
    show("steps", p.slice.steps);
  }
  if (p.op == operation::flip) out << ", axes " << (p.axes ? text(*p.axes) : "all");
  if (is_scatter(p.op))
    out << ", reduction " << reductions[static_cast<std::size_t>(p.reduction)] << ", duplicates "
        << (p.duplicates == oracle::duplicates::last ? "last" : "any")
        << (p.include_self ? "" : ", the elements themselves excluded");
  if (!p.indices.values.empty() && p.indices.values.size() <= 64) {
    out << "\nindices in row-major order:";
    for (oracle::number const& index : p.indices.values) out << ' ' << index.text();
  }
  return out.str();
}

}  // namespace test
