// SPDX-License-Identifier: MIT
// Gathers of single elements by buckets, on every processor and out of sources as small as the oracle can do: the
// thresholds are variables here, and so is what a round and a chunk hold.
#define NDX_CPU_TUNABLE inline
#include "../support/count_allocations.hpp"
#include "../support/front_doors.hpp"
#include "../support/generate.hpp"

#include <ndx/ndx.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace test;
using ndx::index_t;
using oracle::bounds;

namespace {

namespace tuning = ndx::cpu::tuning;

/// A threshold that is another one for a while.
class instead {
public:
  instead(index_t& threshold, index_t value) : threshold_(threshold), before_(std::exchange(threshold, value)) {}
  instead(instead const&) = delete;
  instead& operator=(instead const&) = delete;
  ~instead() { threshold_ = before_; }

private:
  index_t& threshold_;
  index_t before_;
};

/// As if caches were small, and lists of rows none at all: those calls go their own way, where they are optimized.
struct small_caches {
  instead reach{tuning::gathered_reach_bytes, 4096};
  instead reach_zen_3{tuning::gathered_reach_bytes_zen_3, 4096};
  instead reach_zen_5{tuning::gathered_reach_bytes_zen_5, 4096};
  instead reach_of_gathered{tuning::reach_of_gathered_bytes, 1024};
  instead far{tuning::far_bytes, 256};
  instead tuples{tuning::bucketed_updates, 512};
  instead bucket{tuning::bucket_bytes, 512};
  instead chunk{tuning::updates_in_chunk, 256};
  instead parallel{tuning::parallel_bytes, 1024};
  instead listed{tuning::listed_bytes, 0};
};

/// A gather of single elements by good tuples, whose number of coordinates comes last in `indices`.
template <class T, class I>
problem elements_by_tuples(oracle::shape const& input, oracle::shape const& indices, random_source& random) {
  problem p = problem_of<T, I>(operation::gather_nd);
  p.input = random_bits(input, sizeof(T), random);
  p.indices = good_tuples(indices, input, 0, p.kind, random);
  return p;
}

template <class T, class I>
void verify_pairs(random_source& random) {
  verify_gather_nd<T, I, 2, 2, 1>(elements_by_tuples<T, I>({131, 97}, {1500, 2}, random));
}

/// A gather by single indices that counts its allocations.
struct lookup {
  std::vector<float> input;
  std::vector<std::int64_t> indices;
  std::vector<float> output;

  lookup(index_t extent, index_t count)
      : input(static_cast<std::size_t>(extent)), output(static_cast<std::size_t>(count)) {
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
    random_source random(first_seed());
    for (index_t i = 0; i < count; ++i) indices.push_back(random.between(0, extent - 1));
  }
  template <class Policy>
  void run(Policy const& policy, ndx::bounds mode = ndx::bounds::check) {
    auto const count = static_cast<index_t>(indices.size());
    ndx::gather_nd(policy, ndx::tensor_view<float const, 1>(input.data(), {static_cast<index_t>(input.size())}),
                   ndx::tensor_view<std::int64_t const, 2>(indices.data(), {count, 1}),
                   ndx::tensor_view<float, 1>(output.data(), {count}), {.bounds = mode});
  }
  template <class Policy>
  bool takes_scratch(Policy const& policy, ndx::bounds mode = ndx::bounds::check) {
    return test::takes_scratch([&] { run(policy, mode); });
  }
  [[nodiscard]] bool is_right() const {
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (output[i] != static_cast<float>(indices[i])) return false;
    return true;
  }
};

}  // namespace

TEST_CASE("Gathered by buckets: elements of every size, in every layout, by every type of index") {
  small_caches const small;
  random_source random(first_seed());
  verify_pairs<std::uint8_t, std::int64_t>(random);
  verify_pairs<std::uint16_t, std::uint32_t>(random);
  verify_pairs<float, std::int32_t>(random);
  verify_pairs<float, std::int64_t>(random);
  verify_pairs<float, std::uint64_t>(random);
  verify_pairs<double, std::int32_t>(random);
  verify_pairs<std::complex<double>, std::int64_t>(random);
  verify_pairs<pixel, std::int32_t>(random);
  verify_pairs<record, std::int64_t>(random);
}

TEST_CASE("Gathered by buckets: tuples of one to three indices, in several dimensions") {
  small_caches const small;
  random_source random(first_seed());
  verify_gather_nd<float, std::int64_t, 1, 2, 1>(elements_by_tuples<float, std::int64_t>({9001}, {2999, 1}, random));
  verify_gather_nd<float, std::int32_t, 1, 4, 3>(
      elements_by_tuples<float, std::int32_t>({8192}, {7, 31, 9, 1}, random));
  verify_gather_nd<double, std::int64_t, 3, 3, 2>(
      elements_by_tuples<double, std::int64_t>({11, 30, 29}, {61, 33, 3}, random));
}

TEST_CASE("Gathered by buckets: short rows that move as one unit") {
  small_caches const small;
  random_source random(first_seed());
  verify_gather_nd<float, std::int64_t, 2, 2, 2>(elements_by_tuples<float, std::int64_t>({3000, 2}, {1100, 1}, random));
  verify_gather_nd<std::uint8_t, std::int32_t, 2, 2, 2>(
      elements_by_tuples<std::uint8_t, std::int32_t>({3000, 16}, {1100, 1}, random));
}

TEST_CASE("Gathered by buckets: every mode of bounds, and bad indices") {
  small_caches const small;
  random_source random(first_seed());
  problem good = elements_by_tuples<float, std::int64_t>({100, 120}, {1300, 2}, random);
  for (bounds mode : {bounds::check, bounds::clamp, bounds::wrap, bounds::ignore, bounds::trust}) {
    problem p = good;
    p.mode = mode;
    verify_gather_nd<float, std::int64_t, 2, 2, 1>(p, "good indices");
    if (mode == bounds::trust) continue;
    for (std::size_t i = 1; i < p.indices.values.size(); i += 97) p.indices.values[i] = i % 2 == 0 ? -1000 : 120;
    verify_gather_nd<float, std::int64_t, 2, 2, 1>(p, "bad ones among them");
    p = good;
    p.mode = mode;
    p.indices.values.back() = 120;
    verify_gather_nd<float, std::int64_t, 2, 2, 1>(p, "the last one bad");
  }
}

TEST_CASE("Gathered by buckets: in rounds, where scratch memory does not hold all tuples") {
  small_caches const small;
  random_source random(first_seed());
  instead const scratch(tuning::gathered_scratch_bytes, 8192);
  verify_gather_nd<float, std::int64_t, 1, 2, 1>(elements_by_tuples<float, std::int64_t>({5000}, {4100, 1}, random));
  verify_gather_nd<double, std::int32_t, 1, 2, 1>(elements_by_tuples<double, std::int32_t>({3000}, {4096, 1}, random));
  problem p = elements_by_tuples<float, std::int64_t>({5000}, {4100, 1}, random);
  p.indices.values[4000] = 5000;
  verify_gather_nd<float, std::int64_t, 1, 2, 1>(p, "a bad index in the last round");
}

#ifndef NDX_TEST_THREAD_SANITIZER
// That is decided on one thread.
TEST_CASE("Gathered by buckets: which gathers go that way") {
  small_caches const small;
  lookup gather(64 << 10, 4096);
  CHECK(gather.takes_scratch(ndx::simd));
  CHECK(gather.is_right());
  CHECK(gather.takes_scratch(ndx::par_simd.threads(3)));
  CHECK(gather.is_right());
  for (ndx::bounds mode : {ndx::bounds::trust, ndx::bounds::clamp, ndx::bounds::wrap})
    CHECK(gather.takes_scratch(ndx::simd, mode));
  CHECK_FALSE(gather.takes_scratch(ndx::seq));
  SECTION("not where bad indices are filled") { CHECK_FALSE(gather.takes_scratch(ndx::simd, ndx::bounds::ignore)); }
  SECTION("not where there are fewer tuples") {
    CHECK_FALSE(lookup(64 << 10, 511).takes_scratch(ndx::simd));
    CHECK(lookup(64 << 10, 512).takes_scratch(ndx::simd));
  }
  SECTION("not where there are fewer for each line of the source") {
    CHECK_FALSE(lookup(1 << 20, 3840).takes_scratch(ndx::simd));
    CHECK(lookup(1 << 20, 4096).takes_scratch(ndx::simd));
  }
  SECTION("not out of a smaller source") {
    CHECK_FALSE(lookup(1000, 4096).takes_scratch(ndx::simd));
    CHECK(lookup(1024, 4096).takes_scratch(ndx::simd));
  }
  SECTION("not where the tuples run through the source") {
    for (std::size_t i = 0; i < gather.indices.size(); ++i) gather.indices[i] = static_cast<std::int64_t>(16 * i);
    CHECK_FALSE(gather.takes_scratch(ndx::simd));
    CHECK(gather.is_right());
  }
  SECTION("not where they lead to few lines again and again") {
    lookup far(1 << 20, 16384);
    CHECK(far.takes_scratch(ndx::simd));
    for (std::int64_t& index : far.indices) index = index % 100 * 10000;
    CHECK_FALSE(far.takes_scratch(ndx::simd));
    CHECK(far.is_right());
  }
  SECTION("not where they lead to a part of the source that is too small by itself") {
    instead const reach(tuning::gathered_reach_bytes, 4 << 20);
    instead const reach_zen_3(tuning::gathered_reach_bytes_zen_3, 4 << 20);
    instead const reach_zen_5(tuning::gathered_reach_bytes_zen_5, 4 << 20);
    lookup all(1 << 20, 16384);
    CHECK(all.takes_scratch(ndx::simd));
    for (std::int64_t& index : all.indices) index = 300000 + index % 480000;
    CHECK_FALSE(all.takes_scratch(ndx::simd));
    CHECK(all.is_right());
  }
}
#endif

TEST_CASE("Gathered by buckets: scratch memory is taken once") {
  small_caches const small;
  lookup gather(64 << 10, 4096);
  gather.run(ndx::par_simd.threads(3));
  gather.run(ndx::simd);
  std::size_t const before = allocation_count();
  gather.run(ndx::par_simd.threads(3));
  gather.run(ndx::simd);
  CHECK(allocation_count() == before);
}

TEST_CASE("Gathered by buckets: without memory for it a gather goes another way") {
  small_caches const small;
  lookup gather(64 << 10, 40960);
  gather.run(ndx::par_simd.threads(3));  // starts the threads, which allocates
  ndx::release_scratch();
  std::size_t const before = allocation_count();
  limit_allocations(1024);
  gather.output.assign(gather.output.size(), -1.0F);
  gather.run(ndx::simd);
  bool right = gather.is_right();
  gather.output.assign(gather.output.size(), -1.0F);
  gather.run(ndx::par_simd.threads(3));
  right = right && gather.is_right();
  std::size_t const after = allocation_count();
  limit_allocations(std::numeric_limits<std::size_t>::max());
  CHECK(right);
  CHECK(after == before);
}
