// SPDX-License-Identifier: MIT
#include "front_doors.hpp"

namespace test {

ndx::bounds to_ndx(oracle::bounds mode) {
  switch (mode) {
    case oracle::bounds::check:
      return ndx::bounds::check;
    case oracle::bounds::clamp:
      return ndx::bounds::clamp;
    case oracle::bounds::wrap:
      return ndx::bounds::wrap;
    case oracle::bounds::ignore:
      return ndx::bounds::ignore;
    case oracle::bounds::trust:
      return ndx::bounds::trust;
  }
  return {};
}

ndx::reduction to_ndx(oracle::reduction op) {
  switch (op) {
    case oracle::reduction::none:
      return ndx::reduction::none;
    case oracle::reduction::add:
      return ndx::reduction::add;
    case oracle::reduction::mul:
      return ndx::reduction::mul;
    case oracle::reduction::min:
      return ndx::reduction::min;
    case oracle::reduction::max:
      return ndx::reduction::max;
    case oracle::reduction::sub:
      return ndx::reduction::sub;
    case oracle::reduction::mean:
      return ndx::reduction::mean;
  }
  return {};
}

ndx::duplicates to_ndx(oracle::duplicates d) {
  return d == oracle::duplicates::last ? ndx::duplicates::last : ndx::duplicates::any;
}

problem completed(problem p) {
  if (!p.output.empty()) return p;
  if (is_scatter(p.op)) {
    p.output = p.input.extents;
  } else if (p.op == operation::gather_elements) {
    p.output = p.indices.extents;
  } else if (p.op == operation::take) {
    auto const rank = static_cast<oracle::integer>(p.input.extents.size());
    p.output = oracle::taken(p.input.extents, p.indices.extents, static_cast<std::size_t>((p.axis + rank) % rank));
  } else if (auto const due = oracle::slices(p.input.extents, p.indices.extents, p.batch_dims)) {
    p.output = *due;
  }
  return p;
}

}  // namespace test
