// SPDX-License-Identifier: MIT
// Memory of the device: what is handed out never overlaps, everything is given back, also where a call fails.
#include "../support/catch.hpp"
#include "../support/random.hpp"
#include "../support/vulkan_device.hpp"
#include "../support/vulkan_driver.hpp"

#include <ndx/vulkan/memory.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace ndx::vulkan;
using test::driver;

constexpr std::array every_use = {memory_use::device, memory_use::upload, memory_use::download, memory_use::parameters};
constexpr VkDeviceSize kibibyte = 1024;
constexpr VkDeviceSize mebibyte = 1024 * 1024;

std::ptrdiff_t types_for(ndx::vulkan::context const& of, memory_use use) {
  VkPhysicalDeviceMemoryProperties properties = {};
  of.call.vkGetPhysicalDeviceMemoryProperties(of.physical, &properties);
  return std::count_if(
      properties.memoryTypes, properties.memoryTypes + properties.memoryTypeCount,
      [&](VkMemoryType const& one) { return ndx::vulkan::detail::memory_block::merit(one.propertyFlags, use) > 0; });
}

bool overlap(region const& a, region const& b) {
  return a.buffer == b.buffer && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

}  // namespace

TEST_CASE("Ranges that are handed out never overlap, and everything that is given back can be had again") {
  test::for_each_seed(200, [](test::random_source& random, std::string const& note) {
    INFO(note);
    auto const size = static_cast<std::uint64_t>(random.between(0, 200));
    sub_allocator all(size);
    std::vector<bool> used(static_cast<std::size_t>(size));
    std::map<std::uint64_t, std::uint64_t> live;
    int const percent = static_cast<int>(random.between(40, 70));
    for (int step = 0; step < 300; ++step) {
      if (live.empty() || random.chance(percent)) {
        auto const wanted = static_cast<std::uint64_t>(random.between(1, random.chance(20) ? 100 : 8));
        std::uint64_t const offset = all.allocate(wanted);
        // First fit: where the first gap of that size is.
        std::uint64_t expected = sub_allocator::none;
        for (std::uint64_t start = 0, free = 0; start < size; ++start) {
          free = used[static_cast<std::size_t>(start)] ? 0 : free + 1;
          if (free == wanted) {
            expected = start + 1 - wanted;
            break;
          }
        }
        REQUIRE(offset == expected);
        if (offset == sub_allocator::none) continue;
        for (std::uint64_t i = offset; i < offset + wanted; ++i) used[static_cast<std::size_t>(i)] = true;
        live[offset] = wanted;
      } else {
        auto one = live.begin();
        std::advance(one, random.between(0, static_cast<oracle::integer>(live.size()) - 1));
        all.release(one->first, one->second);
        for (std::uint64_t i = one->first; i < one->first + one->second; ++i) used[static_cast<std::size_t>(i)] = false;
        live.erase(one);
      }
      REQUIRE(all.empty() == live.empty());
    }
    for (auto const& [offset, length] : live) all.release(offset, length);
    REQUIRE(all.empty());
    REQUIRE(all.free_ranges() == (size != 0 ? 1 : 0));
    if (size != 0) REQUIRE(all.allocate(size) == 0);
  });
}

TEST_CASE("Each use takes the type of memory that serves it best") {
  constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  constexpr VkMemoryPropertyFlags coherent = visible | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  auto const best = [](memory_use use, std::vector<VkMemoryPropertyFlags> const& types) {
    int found = -1;
    int merit = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
      int const one = detail::memory_block::merit(types[i], use);
      if (one > merit) {
        merit = one;
        found = static_cast<int>(i);
      }
    }
    return found;
  };
  // A discrete device.
  std::vector<VkMemoryPropertyFlags> const discrete = {0, local, coherent, coherent | cached, local | coherent};
  CHECK(best(memory_use::device, discrete) == 1);
  CHECK(best(memory_use::upload, discrete) == 2);
  CHECK(best(memory_use::download, discrete) == 3);
  CHECK(best(memory_use::parameters, discrete) == 4);
  // One memory for both, with a type that is cached and one that is not.
  std::vector<VkMemoryPropertyFlags> const integrated = {local | coherent, local | visible | cached};
  CHECK(best(memory_use::device, integrated) == 0);
  CHECK(best(memory_use::upload, integrated) == 0);
  CHECK(best(memory_use::download, integrated) == 1);
  CHECK(best(memory_use::parameters, integrated) == 0);
  // One type for all.
  for (memory_use use : every_use) CHECK(best(use, {local | coherent | cached}) == 0);
  // Types that want more than an allocation are not taken.
  for (memory_use use : every_use) {
    CHECK(best(use, {local | coherent | VK_MEMORY_PROPERTY_PROTECTED_BIT}) == -1);
    CHECK(best(use, {local | coherent | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD}) == -1);
    CHECK(best(use, {local | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT}) == -1);
  }
  CHECK(best(memory_use::upload, {local, visible | cached}) == -1);  // not coherent
}

TEST_CASE("Regions of every use and size are apart, aligned, mapped where the host uses them, and all given back") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  driver counter(*of);
  test::for_each_seed(3, [&](test::random_source& random, std::string const& note) {
    INFO(note);
    {
      memory space(of);
      struct held {
        region where;
        memory_use use;
        std::byte mark;
      };
      std::vector<held> live;
      for (int step = 0; step < 400; ++step) {
        if (live.size() < 2 || random.chance(60)) {
          memory_use const use = random.one_of(every_use);
          VkDeviceSize size = static_cast<VkDeviceSize>(random.between(0, 4096));
          if (random.chance(20)) size = static_cast<VkDeviceSize>(random.between(0, 1 << 20));
          if (random.chance(3)) size = static_cast<VkDeviceSize>(random.between(1 << 20, 3 << 20));
          region const made = space.allocate(size, use);
          REQUIRE(made.size >= size);
          REQUIRE(made.size >= 16);
          REQUIRE(made.offset % space.alignment() == 0);
          REQUIRE((made.mapped != nullptr) == (use != memory_use::device));
          REQUIRE((made.address != 0) == of->can.device_address);
          for (held const& other : live) REQUIRE_FALSE(overlap(made, other.where));
          std::byte const mark = random.byte();
          if (made.mapped != nullptr) std::fill(made.mapped, made.mapped + made.size, mark);
          live.push_back({made, use, mark});
        } else {
          auto const i = static_cast<std::size_t>(random.between(0, static_cast<oracle::integer>(live.size()) - 1));
          held const one = live[i];
          if (one.where.mapped != nullptr) {
            REQUIRE(one.where.mapped[0] == one.mark);
            REQUIRE(one.where.mapped[one.where.size - 1] == one.mark);
          }
          live[i] = live.back();
          live.pop_back();
          space.release(one.where);
        }
      }
      for (held const& one : live) space.release(one.where);
      CHECK(space.allocations() <= 4);  // an empty chunk of each use
      CHECK(space.allocations() == static_cast<std::size_t>(counter.buffers));
    }
    CHECK(counter.buffers == 0);
    CHECK(counter.sizes.empty());
  });
}

TEST_CASE("Alignment is 256 bytes and what the device wants") {
  test::no_validation_messages const silence;
  device_options options;
  options.limits.storage_alignment = 2048;
  auto const of = test::vulkan_context(options);
  if (of == nullptr) return;
  memory space(of);
  CHECK(space.alignment() == 2048);
  region const first = space.allocate(1, memory_use::parameters);
  region const second = space.allocate(1, memory_use::parameters);
  CHECK(first.buffer == second.buffer);
  CHECK(second.offset == 2048);
  CHECK(second.mapped == first.mapped + 2048);
  CHECK(memory(test::vulkan_context()).alignment() >= 256);
}

TEST_CASE("Small regions share chunks, large ones do not, and one empty chunk of a use is kept") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  memory space(of);
  region const small = space.allocate(memory::large - 1, memory_use::device);
  CHECK(space.allocations() == 1);
  region const next = space.allocate(1, memory_use::device);
  CHECK(space.allocations() == 1);
  region const other = space.allocate(1, memory_use::upload);
  CHECK(space.allocations() == 2);
  region const big = space.allocate(memory::large, memory_use::device);
  CHECK(space.allocations() == 3);
  CHECK(big.offset == 0);
  space.release(big);
  CHECK(space.allocations() == 2);
  std::vector<region> many;
  for (VkDeviceSize i = 0; i < 2 * memory::chunk_size / memory::large; ++i)
    many.push_back(space.allocate(memory::large - 1, memory_use::device));
  CHECK(space.allocations() == 4);
  for (region const& one : many) space.release(one);
  space.release(small);
  space.release(next);
  space.release(other);
  CHECK(space.allocations() == 2);
  space.release(region());
}

TEST_CASE("What is too large fails, says how much was asked for, and changes nothing") {
  test::no_validation_messages const silence;
  device_options options;
  options.limits.allocation = 64 * kibibyte;
  auto const of = test::vulkan_context(options);
  if (of == nullptr) return;
  driver counter(*of);
  memory space(of);
  region const small = space.allocate(64 * kibibyte, memory_use::device);
  CHECK(counter.bytes <= 64 * kibibyte);
  for (VkDeviceSize const size : {64 * kibibyte + 1, 2 * mebibyte, VkDeviceSize(UINT64_MAX)}) {
    try {
      space.allocate(size, memory_use::device);
      FAIL_CHECK("there was no error");
    } catch (ndx::vulkan::error const& problem) {
      CHECK(problem.result() == VK_ERROR_OUT_OF_DEVICE_MEMORY);
      CHECK(std::string(problem.what()) ==
            "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2): " + std::to_string(size) + " bytes were asked for");
    }
  }
  CHECK(space.allocations() == 1);
  CHECK_FALSE(of->lost());
  space.release(small);
}

TEST_CASE("Whichever call fails, nothing is lost and the next allocation works") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  for (VkResult const failure :
       {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_TOO_MANY_OBJECTS}) {
    for (memory_use use : every_use) {
      for (VkDeviceSize const size : {VkDeviceSize(1000), 2 * mebibyte}) {
        for (bool const nothing_yet : {false, true}) {
          int failures = 0;
          for (int call = 0; call < 20; ++call) {
            {
              driver injected(*of);
              memory space(of);
              if (!nothing_yet) space.release(space.allocate(10, memory_use::download));  // leaves an empty chunk
              int const buffers = injected.buffers;
              injected.failure = failure;
              injected.calls = 0;
              injected.fail_at = call;
              region made;
              try {
                made = space.allocate(size, use);
              } catch (ndx::vulkan::error const& problem) {
                ++failures;
                CHECK(problem.result() == failure);
                CHECK(problem.call() == injected.failed);
                CHECK(std::string(problem.what()).find(std::to_string(size) + " bytes") != std::string::npos);
                CHECK(injected.buffers <= buffers);
              }
              CHECK(injected.buffers == static_cast<int>(injected.sizes.size()));
              space.release(made);
              injected.fail_at = -1;
              space.release(space.allocate(size, use));
              region const both[] = {space.allocate(size, use), space.allocate(size, use)};
              CHECK_FALSE(overlap(both[0], both[1]));
            }
          }
          // A small region gets memory of its own where there is none for a chunk.
          bool const large = size >= memory::large;
          int const calls = use == memory_use::device ? 3 : 4;
          bool const retried = failure == VK_ERROR_OUT_OF_DEVICE_MEMORY && !nothing_yet;
          // Where memory of one type is used up, that of another is taken.
          bool const other_type = failure == VK_ERROR_OUT_OF_DEVICE_MEMORY && types_for(*of, use) > 1;
          CHECK(failures == (large && !retried ? calls - (other_type ? 1 : 0) : 0));
        }
      }
    }
  }
  CHECK_FALSE(of->lost());
}

TEST_CASE("Where no call succeeds the error is that of the last, and nothing is kept") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  driver injected(*of);
  injected.most_bytes = 0;
  memory space(of);
  for (memory_use use : every_use) {
    CHECK_THROWS_AS(space.allocate(10, use), ndx::vulkan::error);
    CHECK_THROWS_AS(space.allocate(10 * mebibyte, use), ndx::vulkan::error);
  }
  CHECK(injected.buffers == 0);
  CHECK(space.allocations() == 0);
}

TEST_CASE("Under memory pressure empty chunks make room, and small regions do without chunks") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  driver injected(*of);
  injected.most_bytes = 20 * mebibyte;
  memory space(of);
  space.release(space.allocate(10, memory_use::device));
  CHECK(injected.bytes >= memory::chunk_size);
  region const big = space.allocate(18 * mebibyte, memory_use::device);
  region const small = space.allocate(10, memory_use::device);
  region const other = space.allocate(10, memory_use::upload);
  CHECK(space.allocations() == 3);
  CHECK_THROWS_AS(space.allocate(4 * mebibyte, memory_use::device), ndx::vulkan::error);
  space.release(big);
  region const again = space.allocate(4 * mebibyte, memory_use::device);
  for (region const& one : {small, other, again}) space.release(one);
  CHECK(space.allocations() == 0);
}

TEST_CASE("A device that is lost while it allocates is remembered") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  driver injected(*of);
  injected.failure = VK_ERROR_DEVICE_LOST;
  injected.fail_at = 0;
  memory space(of);
  SECTION("by a large region") {
    CHECK_THROWS_AS(space.allocate(10 * mebibyte, memory_use::device), ndx::vulkan::error);
  }
  SECTION("by a chunk") { CHECK_THROWS_AS(space.allocate(10, memory_use::device), ndx::vulkan::error); }
  CHECK(of->lost());
  CHECK(injected.buffers == 0);
  CHECK(injected.calls == 1);
}

TEST_CASE("Memory that is not coherent is flushed and invalidated in whole atoms") {
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  static functions real;
  static std::vector<VkMappedMemoryRange> ranges;
  real = of->call;
  ranges.clear();
  of->call.vkGetPhysicalDeviceMemoryProperties = [](VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties* to) {
    real.vkGetPhysicalDeviceMemoryProperties(physical, to);
    for (VkMemoryType& type : to->memoryTypes)
      type.propertyFlags &= ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  };
  of->call.vkFlushMappedMemoryRanges =
      of->call.vkInvalidateMappedMemoryRanges = [](VkDevice, std::uint32_t count, VkMappedMemoryRange const* all) {
        ranges.insert(ranges.end(), all, all + count);
        return VK_SUCCESS;
      };
  VkDeviceSize const atom = of->can.atom;
  {
    memory space(of);
    CHECK_THROWS_AS(space.allocate(10, memory_use::upload), ndx::vulkan::error);  // wants coherent memory
    region const first = space.allocate(1000, memory_use::download);
    region const second = space.allocate(1000, memory_use::download);
    region const big = space.allocate(memory::large + 1, memory_use::download);
    space.flush(second, 300, 400);
    space.invalidate(second, 300, 400);
    space.invalidate(big, 5, memory::large - 4);
    space.invalidate(first, 5, 0);
    REQUIRE(ranges.size() == 3);
    for (VkMappedMemoryRange const& range : {ranges[0], ranges[1]}) {
      CHECK(range.offset % atom == 0);
      CHECK(range.size % atom == 0);
      CHECK(range.offset <= second.offset + 300);
      CHECK(range.offset + atom > second.offset + 300);
      CHECK(range.offset + range.size >= second.offset + 700);
      CHECK(range.offset + range.size < second.offset + 700 + atom);
    }
    CHECK(ranges[2].offset == 0);
    CHECK((ranges[2].size == VK_WHOLE_SIZE || ranges[2].size >= memory::large + 1));
  }
  of->call = real;
  memory space(of);
  region const plain = space.allocate(100, memory_use::upload);
  space.flush(plain, 0, 100);
  CHECK(ranges.size() == 3);
}

TEST_CASE("Threads allocate and release at the same time") {
  test::no_validation_messages const silence;
  auto const of = test::vulkan_context();
  if (of == nullptr) return;
  memory space(of);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&space, &wrong, t] {
      test::random_source random(t);
      std::vector<region> live;
      auto const mark = static_cast<std::byte>(t + 1);
      auto const give_back = [&] {
        region const one = live.back();
        live.pop_back();
        for (VkDeviceSize i = 0; i < one.size; i += 15) wrong[t] += one.mapped[i] != mark ? 1 : 0;
        space.release(one);
      };
      for (int step = 0; step < 300; ++step) {
        if (random.chance(55)) {
          bool const big = random.chance(2);
          live.push_back(space.allocate(static_cast<VkDeviceSize>(random.between(1, big ? 2 << 20 : 50000)),
                                        random.chance(50) ? memory_use::upload : memory_use::parameters));
          std::fill(live.back().mapped, live.back().mapped + live.back().size, mark);
        } else if (!live.empty()) {
          give_back();
        }
      }
      while (!live.empty()) give_back();
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
  CHECK(space.allocations() <= 2);
}
