// SPDX-License-Identifier: MIT
#include "baselines/torch.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <memory>
#include <utility>

namespace ndx_bench::libtorch {

namespace {

at::Tensor tensor(array const& a) {
  constexpr at::ScalarType types[] = {at::kByte, at::kShort, at::kFloat, at::kLong};
  // A tensor of what is only read is not written to.
  return at::from_blob(const_cast<void*>(a.data), a.extents, a.strides, types[static_cast<int>(a.type)]);
}

/// Nothing here needs gradients: no call shall pay for them.
template <class Run>
call made(Run run) {
  return {[run]() mutable {
            c10::InferenceMode const guard;
            run();
          },
          [] {}};
}

template <class Scatter>
call made_scatter(start from, array const& input, array const& output, Scatter scatter) {
  return made([copies = from == start::with_copy, in = tensor(input), out = tensor(output), scatter]() mutable {
    if (copies) out.copy_(in);
    scatter(out);
  });
}

c10::List<c10::optional<at::Tensor>> columns(array const& tuples) {
  at::Tensor const all = tensor(tuples);
  return {all.select(1, 0), all.select(1, 1)};
}

}  // namespace

void use_threads(int count) {
  static int current = 0;
  if (std::exchange(current, count) != count) at::set_num_threads(count);
}

call gather_rows(array const& input, array const& indices, array const& output) {
  return made([in = tensor(input), where = tensor(indices), out = tensor(output)]() mutable {
    at::index_select_out(out, in, 0, where);
  });
}

call gather_rows_of_batch(array const& input, array const& indices, array const& output) {
  c10::List<c10::optional<at::Tensor>> const where{at::arange(input.extents[0]).unsqueeze(1), tensor(indices)};
  return made([in = tensor(input), where, out = tensor(output)]() mutable { at::index_out(out, in, where); });
}

call gather_elements(array const& input, array const& tuples, array const& output) {
  return made(
      [in = tensor(input), where = columns(tuples), out = tensor(output)]() mutable { at::index_out(out, in, where); });
}

call copy(array const& input, array const& output) {
  return made([in = tensor(input), out = tensor(output)]() mutable { out.copy_(in); });
}

call flip(array const& input, std::vector<std::int64_t> const& axes, array const& output) {
  auto const result = std::make_shared<at::Tensor>();
  call flipping = made([in = tensor(input), axes, result] {
    result->reset();
    *result = at::flip(in, axes);
  });
  flipping.fetch = [result, out = tensor(output)]() mutable { out.copy_(*result); };
  return flipping;
}

call scatter_rows(start from, array const& input, array const& indices, array const& updates, array const& output) {
  return made_scatter(from, input, output,
                      [where = c10::List<c10::optional<at::Tensor>>{tensor(indices)},
                       values = tensor(updates)](at::Tensor& out) { out.index_put_(where, values); });
}

call scatter_elements(start from, bool adds, array const& input, array const& tuples, array const& updates,
                      array const& output) {
  return made_scatter(from, input, output, [where = columns(tuples), values = tensor(updates), adds](at::Tensor& out) {
    out.index_put_(where, values, adds);
  });
}

call scatter_along_axis(start from, bool adds, int axis, array const& input, array const& indices, array const& updates,
                        array const& output) {
  return made_scatter(from, input, output,
                      [where = tensor(indices), values = tensor(updates), adds, axis](at::Tensor& out) {
                        if (adds) out.scatter_add_(axis, where, values);
                        else out.scatter_(axis, where, values);
                      });
}

}  // namespace ndx_bench::libtorch
