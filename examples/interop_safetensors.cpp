// SPDX-License-Identifier: MIT
// Embeddings out of a safetensors file, which the example writes itself.
#include <ndx/interop/safetensors.hpp>
#include <ndx/ndx.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

void make_sample(std::string const& path) {
  ndx::tensor<ndx::bfloat16, 2> embedding({100, 8});
  for (ndx::index_t word = 0; word < 100; ++word)
    for (ndx::index_t i = 0; i < 8; ++i) embedding(word, i) = static_cast<float>(word) + 0.125f * static_cast<float>(i);
  ndx::tensor<float, 1> const bias({8}, {0, 1, 2, 3, 4, 5, 6, 7});
  // [write]
  ndx::safetensors::write(path, {{"embedding.weight", embedding}, {"bias", bias}}, {{"format", "pt"}});
  // [/write]
}

}  // namespace

int main() {
  try {
    std::string const path = "interop_safetensors.safetensors";
    make_sample(path);

    // [read]
    ndx::safetensors::file const model(path);
    for (std::string const& name : model.names()) {
      auto const& info = model.info(name);
      std::printf("%s: %s, rank %d\n", name.c_str(), info.dtype.c_str(), static_cast<int>(info.shape.size()));
    }
    auto const embedding = model.get<ndx::bfloat16, 2>("embedding.weight");  // a view of what lies in the file

    ndx::tensor<std::int32_t, 2> const words({3, 1}, {42, 7, 42});
    ndx::tensor<ndx::bfloat16, 2> vectors({3, embedding.extent(1)});
    ndx::gather_nd(ndx::simd, embedding, words, vectors);
    // [/read]

    return vectors(0, 0) == 42.0f && vectors(1, 4) == 7.5f && vectors(2, 2) == 42.25f ? 0 : 1;
  } catch (ndx::error const& problem) {
    std::fprintf(stderr, "interop_safetensors: %s\n", problem.what());
    return 1;
  }
}
