// SPDX-License-Identifier: MIT
// Tensors that come from another library by DLPack and go to one, without a copy of their elements.
#include <ndx/interop/dlpack.hpp>
#include <ndx/ndx.hpp>

#include <cstdint>
#include <cstdio>
#include <utility>

namespace {

// Stands for another library: it gives tensors away, and takes them.
ndx::dlpack::DLManagedTensor* library_gives() {
  return ndx::to_dlpack<ndx::dlpack::DLManagedTensor>(ndx::tensor<float, 2>({3, 2}, {0, 1, 2, 3, 4, 5})).release();
}
float library_takes(ndx::dlpack::DLManagedTensorVersioned* managed) {
  float const first = *static_cast<float const*>(managed->dl_tensor.data);
  managed->deleter(managed);
  return first;
}

}  // namespace

int main() {
  try {
    // [from]
    auto const table = ndx::from_dlpack<float const, 2>(library_gives());  // its deleter runs when `table` goes
    ndx::tensor<std::int32_t, 2> const rows({2, 1}, {2, 0});
    ndx::tensor<float, 2> taken({2, 2});
    ndx::gather_nd(ndx::simd, table, rows, taken);
    // [/from]

    // [to]
    float const first = library_takes(ndx::to_dlpack(std::move(taken)).release());  // which deletes it
    // [/to]
    std::printf("%.1f\n", first);
    return first == 4.0f ? 0 : 1;
  } catch (ndx::error const& problem) {
    std::fprintf(stderr, "interop_dlpack: %s\n", problem.what());
    return 1;
  }
}
