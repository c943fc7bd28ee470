// SPDX-License-Identifier: MIT
// par_simd on threads that the program brings.
#include <ndx/ndx.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

// [executor]
class crew {
public:
  explicit crew(int size) : size_(size) {}

  int concurrency() const { return size_; }

  void run(int threads, ndx::index_t parts, ndx::executor_part part) {
    std::atomic<ndx::index_t> next{0};
    auto const take_parts = [&] {
      for (ndx::index_t i; (i = next++) < parts;) part(i);
    };
    std::vector<std::thread> helpers;  // which a pool would have already
    for (int i = 1; i < threads; ++i) helpers.emplace_back(take_parts);
    take_parts();  // the calling thread is one of them
    for (std::thread& helper : helpers) helper.join();
  }

private:
  int size_;
};
// [/executor]

int main() {
  constexpr ndx::index_t rows = 1000;
  constexpr ndx::index_t columns = 64;
  constexpr ndx::index_t taken = 20000;
  ndx::tensor<float, 2> table({rows, columns});
  float value = 0.0f;
  for (float& element : table) element = value += 0.5f;
  ndx::tensor<std::int32_t, 2> ids({taken, 1});
  for (ndx::index_t i = 0; i < taken; ++i) ids(i, 0) = static_cast<std::int32_t>(i * 7 % rows);

  // [on]
  crew threads(4);
  auto const policy = ndx::par_simd.on(threads);  // refers to threads: keep them as long as the policy

  ndx::tensor<float, 2> out({taken, columns});
  ndx::gather_nd(policy, table, ids, out);
  // [/on]

  for (ndx::index_t i = 0; i < taken; ++i)
    for (ndx::index_t j = 0; j < columns; ++j)
      if (out(i, j) != table(ids(i, 0), j)) return 1;
  std::printf("%d threads have gathered %d rows\n", threads.concurrency(), static_cast<int>(taken));
}
