// SPDX-License-Identifier: MIT
// A table in the memory of a Vulkan device, read from an .npy file by mapping it; batches of indices from the host, and
// their rows back.
//
// Usage: embedding_lookup [table.npy]
// The table is of extents {words, width} and float32. Without one the example makes embedding_lookup.npy and takes
// that.
#include <ndx/interop/npy.hpp>
#include <ndx/vulkan.hpp>

#include "support/skip.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>

namespace {

void make_sample(std::string const& path) {
  ndx::tensor<float, 2> table({5000, 96});
  for (ndx::index_t word = 0; word < table.extent(0); ++word) {
    for (ndx::index_t i = 0; i < table.extent(1); ++i)
      table(word, i) = static_cast<float>(word) + 0.01f * static_cast<float>(i);
  }
  ndx::npy::write(path, table);
}

bool look_up(std::string const& path) {
  // [table]
  ndx::npy::mapped<float, 2> const mapped(path);  // a tensor that lies in the file

  ndx::vulkan::device const gpu;
  auto const table = gpu.upload(mapped);  // stays there; from here on only indices and rows are copied
  // [/table]
  std::printf("%s: {%lld, %lld} on %s\n", path.c_str(), static_cast<long long>(table.extent(0)),
              static_cast<long long>(table.extent(1)), gpu.info().name.c_str());
  if (table.extent(0) == 0) throw ndx::error("'" + path + "': it has no rows to look up");

  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> any_word(0, table.extent(0) - 1);
  ndx::tensor<std::int64_t, 2> words({256, 1});
  ndx::tensor<float, 2> due({words.extent(0), table.extent(1)});
  bool right = true;
  for (int batch = 0; batch < 4; ++batch) {
    std::generate(words.begin(), words.end(), [&] { return any_word(random); });
    // [lookup]
    ndx::tensor<float, 2> rows({words.extent(0), table.extent(1)});
    ndx::gather_nd(gpu, table, words, rows);  // the table is on the device, words and rows are on the host
    // [/lookup]
    ndx::gather_nd(ndx::simd, mapped, words, due);
    bool const same = std::equal(rows.begin(), rows.end(), due.begin(), due.end());
    std::printf("batch %d: %lld rows, %s\n", batch, static_cast<long long>(rows.extent(0)),
                same ? "as on the processor" : "wrong");
    right = right && same;
  }

  // [pipeline-cache]
  ndx::vulkan::device const next_time({.pipeline_cache = "embedding_lookup.pipelines"});
  // [/pipeline-cache]
  ndx::tensor<float, 2> again({words.extent(0), table.extent(1)});
  ndx::gather_nd(next_time, mapped, words, again);
  return right && std::equal(again.begin(), again.end(), due.begin(), due.end());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::string const path = argc > 1 ? argv[1] : "embedding_lookup.npy";
    if (argc < 2) make_sample(path);
    return look_up(path) ? 0 : 1;
  } catch (ndx::vulkan::unavailable const& why) {
    return examples::skipped(why.what());
  } catch (std::exception const& problem) {
    std::fprintf(stderr, "embedding_lookup: %s\n", problem.what());
    return 1;
  }
}
