// SPDX-License-Identifier: MIT
// The kernels that copy and gather, called as the walks call them, so that streamed stores and every way of putting
// lines together can be tried on a few elements. The buffers hold what may be touched and no byte more.
#include "../support/catch.hpp"
#include "../support/kept_memory.hpp"
#include "../support/policies.hpp"
#include "../support/random.hpp"
#include "../support/raw_bytes.hpp"
#include "../support/registers.hpp"

#include <ndx/ndx.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

using namespace test;
using ndx::index_t;

namespace {

using bytes = std::vector<std::byte>;

/// The ways in which kernels write an output.
struct output_way {
  char const* name;
  bool stream;
  bool fetch_output;
};
constexpr std::array<output_way, 3> output_ways{
    {{"as usual", false, false}, {"streamed", true, false}, {"fetched", false, true}}};

constexpr std::array<index_t, 22> sizes{1,   2,  4,   8,   16,  3,   6,   12,   5,    20,   100,
                                        700, 64, 128, 192, 256, 384, 512, 2000, 2100, 6400, 6500};

template <class Visitor>
void for_each_instruction_set(Visitor const& visit) {
  using set = ndx::instruction_set;
  for (set instructions : {set::baseline, set::avx2, set::avx512})
    if (ndx::supported(instructions)) visit(instructions);
}

/// What two loops reach from their first element on.
struct reach {
  index_t low = 0;
  index_t high = 0;

  void add(index_t extent, index_t stride) { (stride < 0 ? low : high) += (extent - 1) * stride; }
};

/// What a call is to leave alone or overwrite: the reach of an output and 64 bytes on either side.
bytes surroundings(reach const& r, random_source& random) { return random.bytes(r.high - r.low + 128); }

/// Calls `write(first)` on a copy of `before` in which the first element of the output lies `misalignment` bytes into a
/// cache line; returns what `look(image)` finds there then. Wants the upper halves of the registers clean.
template <class Write, class Look>
auto look_after(bytes const& before, reach const& r, index_t misalignment, Write const& write, Look const& look) {
  kept_memory const storage(before.size() + 64);
  std::byte* image = storage.get();
  while (static_cast<index_t>(reinterpret_cast<std::uintptr_t>(image + 64 - r.low) % 64) != misalignment) ++image;
  copy_raw(image, before.data(), before.size());
  write(image + 64 - r.low);
  bool const clean = upper_halves_are_clean();
  REQUIRE(clean);
  ndx::cpu::finish_streamed_stores();
  return look(image);
}

template <class Write>
bytes after(bytes const& before, reach const& r, index_t misalignment, Write const& write) {
  return look_after(before, r, misalignment, write,
                    [&](std::byte* image) { return bytes(image, image + before.size()); });
}

/// Is it `due`?
template <class Write>
bool comes_out(bytes const& due, bytes const& before, reach const& r, index_t misalignment, Write const& write) {
  return look_after(before, r, misalignment, write,
                    [&](std::byte* image) { return same_raw(image, due.data(), due.size()); });
}

/// Is it `due`, or, where the gather is `bad`, anything with what lies around it unchanged? What a failed gather leaves
/// in its output is open.
template <class Write>
bool is_gathered(bytes const& due, bool bad, bytes const& before, reach const& r, index_t misalignment,
                 Write const& write) {
  return look_after(before, r, misalignment, write, [&](std::byte const* image) {
    std::size_t const end = due.size() - 64;
    return (bad || same_raw(image + 64, due.data() + 64, end - 64)) && same_raw(image, due.data(), 64) &&
           same_raw(image + end, due.data() + end, 64);
  });
}

std::string text(ndx::cpu::grid const& g) {
  std::string result = std::to_string(g.bytes) + " B";
  for (auto const& l : {g.outer, g.inner})
    result +=
        ", " + std::to_string(l.extent) + " to " + std::to_string(l.destination) + " from " + std::to_string(l.source);
  return result;
}

/// Runs a kernel of each set on the grid, in every way of writing, and compares with plain loops.
template <class Call>
void verify_grid(ndx::cpu::grid const& g, random_source& random, std::string const& note, Call const& call) {
  reach from;
  reach to;
  for (auto const& l : {g.outer, g.inner}) {
    from.add(l.extent, l.source);
    to.add(l.extent, l.destination);
  }
  from.high += g.bytes;
  to.high += g.bytes;
  bytes const source = random.bytes(from.high - from.low);
  bytes const before = surroundings(to, random);
  index_t const misalignment = random.chance(50) ? 0 : random.between(0, 63);
  auto const call_plainly = [&](std::byte* first) {
    for (index_t o = 0; o < g.outer.extent; ++o)
      for (index_t i = 0; i < g.inner.extent; ++i)
        std::memcpy(first + o * g.outer.destination + i * g.inner.destination,
                    source.data() - from.low + o * g.outer.source + i * g.inner.source,
                    static_cast<std::size_t>(g.bytes));
  };
  bytes const due = after(before, to, misalignment, call_plainly);
  for_each_instruction_set([&](ndx::instruction_set set) {
    for (output_way const& way : output_ways) {
      INFO(ndx::cpu::name_of(set) << ", " << way.name << ", " << text(g) << ", at " << misalignment << "\n" << note);
      auto const call_kernel = [&](std::byte* first) {
        call(ndx::cpu::copy_kernels_of<1>(set), first, source.data() - from.low,
             ndx::cpu::hints{.stream = way.stream,
                             .fetch_output = way.fetch_output,
                             .pace = random.chance(50),
                             .group = random.chance(50),
                             .owns_gaps = random.chance(50)});
      };
      bool const same = comes_out(due, before, to, misalignment, call_kernel);
      REQUIRE(same);
    }
  });
}

void verify_copy(ndx::cpu::grid const& g, random_source& random, std::string const& note) {
  verify_grid(g, random, note, [&](auto const& kernels, std::byte* to, std::byte const* from, ndx::cpu::hints how) {
    ndx::cpu::copy_grid(kernels, g, to, from, how);
  });
}

index_t some_extent(random_source& random) {
  switch (random.between(0, 3)) {
    case 0:
      return random.between(1, 4);
    case 1:
      return random.between(1, 20);
    case 2:
      return 16 * random.between(1, 12) + random.between(-1, 1);
    default:
      return random.between(1, 300);
  }
}

/// With sanitizers fewer of the random cases: these run on one thread, and take many times as long with the one for
/// threads, a few times with the one for addresses.
constexpr std::uint64_t cases(std::uint64_t otherwise) {
  return thread_sanitizer ? otherwise / 10 : address_sanitizer ? otherwise / 2 : otherwise;
}

/// How many of what takes so many bytes a case is to have: beyond a MiB kernels do what they did before, and the memory
/// around takes all of the time.
index_t at_most_a_mebibyte(index_t count, index_t size) {
  return std::clamp<index_t>((index_t{1} << 20) / size, 1, count);
}

}  // namespace

TEST_CASE("copies of grids move what plain loops move, and touch nothing else") {
  for_each_seed(cases(1500), [](random_source& random, std::string const& note) {
    index_t const size = random.one_of(sizes);
    ndx::cpu::grid g{{some_extent(random), 0, 0, 0}, {some_extent(random), 0, 0, 0}, size};
    if (random.chance(30)) g.outer.extent = 1;
    g.inner.extent = at_most_a_mebibyte(g.inner.extent, size);
    g.outer.extent = at_most_a_mebibyte(g.outer.extent, g.inner.extent * size);
    g.inner.destination = random.chance(80) ? size : size + random.between(1, 9);
    index_t const line = g.inner.extent * g.inner.destination;
    g.outer.destination = random.chance(60) ? line : line + random.between(1, 130);
    g.inner.source = random.chance(80) ? size * random.between(-4, 4) : random.between(-200, 200);
    index_t const read = g.inner.extent * g.inner.source;
    g.outer.source = random.chance(70) ? (random.chance(50) ? read : -read) + random.between(-1, 1) * size
                                       : random.between(-500, 500);
    verify_copy(g, random, note);
  });
}

TEST_CASE("copies of short groups: channels in another order, left out, or repeated") {
  for_each_seed(cases(700), [](random_source& random, std::string const& note) {
    bool const reversed_bytes = random.chance(30);
    index_t const size = reversed_bytes ? 1 : random.one_of(std::array<index_t, 4>{1, 2, 3, 4});
    index_t const channels = reversed_bytes ? random.between(2, 4) : random.between(1, 6);
    if (reversed_bytes) {
      index_t const pixel = channels + (random.chance(60) ? 0 : random.between(1, 20));
      verify_copy({{some_extent(random), channels, pixel, 0}, {channels, 1, -1, 0}, 1}, random, note);
      return;
    }
    index_t const pixel = random.between(1, 8) * size * (random.chance(50) ? 1 : -1);
    verify_copy(
        {{some_extent(random), channels * size, pixel, 0}, {channels, size, size * random.between(-3, 3), 0}, size},
        random, note);
  });
}

TEST_CASE("copies of lines of every length up to many times what one permutation takes") {
  random_source random(7);
  for (index_t size : {1, 2, 3, 4, 6})
    for (index_t step : {-4, -3, -2, -1, 2, 3, 5, 7})
      for (index_t count = 1; count <= 100; ++count) {
        index_t const line = count * size;
        verify_copy({{2, line, step * line, 0}, {count, size, step * size, 0}, size}, random, "");
      }
}

TEST_CASE("copies of lines of every length to every second to seventh place, and of bytes in between") {
  random_source random(8);
  for (index_t size : {1, 2, 3, 4, 8})
    for (index_t step = size + 1; step <= 7 * size; ++step)
      for (index_t count = 1; count <= 60; count += random.between(1, 3)) {
        index_t const line = count * step + random.between(0, 3);
        verify_copy({{2, line, count * size, 0}, {count, step, size, 0}, size}, random, "");
      }
}

TEST_CASE("copies of long lines: backwards, every second element, one element throughout") {
  for_each_seed(cases(500), [](random_source& random, std::string const& note) {
    index_t const size = random.one_of(std::array<index_t, 8>{1, 2, 3, 4, 6, 8, 12, 16});
    index_t const count = random.between(4000, 10000) / size;
    index_t const step = size * random.between(-3, 3);
    verify_copy(
        {{random.between(1, 3), count * size + (random.chance(50) ? 0 : random.between(1, 64)), count * step, 0},
         {count, size, step, 0},
         size},
        random, note);
  });
}

TEST_CASE("copies of long rows") {
  for_each_seed(cases(40), [](random_source& random, std::string const& note) {
    index_t const size = random.chance(50) ? random.between(5000, 80000) : 64 * random.between(90, 1200);
    verify_copy({{random.between(1, 2), 3 * size, 3 * size, 0}, {random.between(1, 3), size, -size, 0}, size}, random,
                note);
  });
}

TEST_CASE("transpositions by tiles move what plain loops move, and touch nothing else") {
  for_each_seed(cases(600), [](random_source& random, std::string const& note) {
    int const unit = static_cast<int>(random.between(0, 3));
    index_t const size = index_t{1} << unit;
    index_t const side = 64 / size;
    index_t const rows = side * random.between(1, 3) + (random.chance(50) ? 0 : random.between(0, side - 1));
    index_t const columns = side * random.between(1, 3) + (random.chance(50) ? 0 : random.between(0, side - 1));
    index_t const pitch = random.chance(50) ? (columns * size + 63) / 64 * 64 : columns * size + random.between(0, 70);
    index_t const from_pitch = rows * size + random.between(0, 70);
    ndx::cpu::grid const g{{rows, random.chance(80) ? pitch : -pitch, size, 0},
                           {columns, size, random.chance(80) ? from_pitch : -from_pitch, 0},
                           size};
    verify_grid(g, random, note, [&](auto const& kernels, std::byte* to, std::byte const* from, ndx::cpu::hints how) {
      kernels.transposed[unit](to, from, g, how);
    });
  });
}

TEST_CASE("walks of nests find transpositions of every size") {
  for_each_seed(cases(300), [](random_source& random, std::string const& note) {
    index_t const size = random.one_of(sizes);
    index_t const rows = at_most_a_mebibyte(random.between(1, 100), size);
    index_t const columns = at_most_a_mebibyte(random.between(1, 100), rows * size);
    index_t const away = random.chance(80) ? 1 : -1;
    ndx::cpu::grid const g{{rows, columns * size, away * size, 0}, {columns, size, rows * size + 64, 0}, size};
    verify_grid(g, random, note, [&](auto const& kernels, std::byte* to, std::byte const* from, ndx::cpu::hints how) {
      std::array<ndx::plan::loop, 2> const loops{g.outer, g.inner};
      ndx::cpu::copy_nest(kernels, {loops.data(), loops.size(), g.bytes}, to, from, how);
    });
  });
}

namespace {

/// How many tuples a kernel is given, and how many to come it may know.
index_t counts(random_source& random) {
  return random.chance(50) ? ndx::cpu::tuning::tuples_in_step : random.between(1, ndx::cpu::tuning::tuples_in_step);
}
index_t to_come(random_source& random) { return random.chance(20) ? 0 : random.between(0, 400); }

index_t offset_of(std::vector<index_t> const& offsets, index_t tuple) {
  return offsets[static_cast<std::size_t>(tuple)];
}

}  // namespace

TEST_CASE("gathers of elements and rows of every size move what plain loops move, and touch nothing else") {
  for_each_seed(cases(700), [](random_source& random, std::string const& note) {
    index_t const size = random.one_of(sizes);
    index_t const step = random.chance(80) ? size : size + random.between(1, 100);
    bytes const table = random.bytes(size + random.between(0, 3000));
    index_t const count = counts(random);
    std::vector<index_t> offsets(static_cast<std::size_t>(count + to_come(random)));
    for (index_t& offset : offsets) offset = random.between(0, static_cast<index_t>(table.size()) - size);
    ndx::cpu::resolved_tuples const tuples{offsets.data(), count, static_cast<index_t>(offsets.size())};
    reach to;
    to.add(count, step);
    to.high += size;
    bytes const before = surroundings(to, random);
    index_t const misalignment = random.chance(50) ? 0 : random.between(0, 63);
    bytes const due = after(before, to, misalignment, [&](std::byte* first) {
      for (index_t i = 0; i < count; ++i)
        std::memcpy(first + i * step, table.data() + offset_of(offsets, i), static_cast<std::size_t>(size));
    });
    for_each_instruction_set([&](ndx::instruction_set set) {
      int const element = ndx::cpu::element_index(size);
      ndx::cpu::read_kernels const& kernels = ndx::cpu::read_kernels_of<1>(set);
      auto* const kernel = element >= 0 ? kernels.elements[element] : kernels.rows;
      for (output_way const& way : output_ways)
        for (bool prefetch : {false, true}) {
          INFO(ndx::cpu::name_of(set) << ", " << way.name << ", " << size << " B at steps of " << step << "\n" << note);
          ndx::cpu::hints const how{.stream = way.stream,
                                    .fetch_output = way.fetch_output,
                                    .prefetch = prefetch,
                                    .pace = random.chance(50),
                                    .group = random.chance(50),
                                    .first = random.chance(50)};
          bool const same = comes_out(due, before, to, misalignment,
                                      [&](std::byte* first) { kernel(first, step, table.data(), tuples, size, how); });
          REQUIRE(same);
        }
    });
  });
}

TEST_CASE("gathers in groups move what plain loops move, and touch nothing else") {
  for_each_seed(cases(1500), [](random_source& random, std::string const& note) {
    // The bytes of pixels in another order, where they are packed; or elements of any size.
    bool const of_pixels = random.chance(20);
    index_t const size = of_pixels ? 1 : random.one_of(sizes);
    index_t const count = of_pixels           ? random.between(2, 4)
                          : random.chance(70) ? random.between(1, 5)
                                              : random.between(1, 17);
    index_t const groups = at_most_a_mebibyte(random.between(1, 300), count * size);
    // Groups within a few bytes, as pixels are, and others; either way round, apart or one in the other.
    index_t const spread = of_pixels           ? random.between(count - 1, count + 2)
                           : random.chance(60) ? random.between(0, 4)
                                               : random.between(0, 200);
    index_t const pitch = of_pixels ? count : random.between(-(spread + 2), spread + 2) * size;
    index_t const step = of_pixels || random.chance(80) ? size : size + random.between(1, 20);
    index_t const group = of_pixels || random.chance(80) ? count * step : count * step + random.between(1, 20);
    std::vector<index_t> places(static_cast<std::size_t>(count));
    for (index_t& place : places) place = random.between(0, spread) * size;
    reach from;
    from.add(groups, pitch);
    from.high += (spread + 1) * size;
    reach to;
    to.add(groups, group);
    to.add(count, step);
    to.high += size;
    bytes const source = random.bytes(from.high - from.low);
    bytes const before = surroundings(to, random);
    index_t const misalignment = random.chance(50) ? 0 : random.between(0, 63);
    bytes const due = after(before, to, misalignment, [&](std::byte* first) {
      for (index_t g = 0; g < groups; ++g)
        for (index_t i = 0; i < count; ++i)
          std::memcpy(first + g * group + i * step, source.data() - from.low + g * pitch + offset_of(places, i),
                      static_cast<std::size_t>(size));
    });
    ndx::cpu::tuple_groups const all{places.data(), count, step, {groups, group, pitch, 0}, size};
    for_each_instruction_set([&](ndx::instruction_set set) {
      int const element = ndx::cpu::element_index(size);
      ndx::cpu::read_kernels const& kernels = ndx::cpu::read_kernels_of<1>(set);
      auto* const kernel = element >= 0 ? kernels.groups[element] : kernels.row_groups;
      for (output_way const& way : output_ways)
        for (bool prefetch : {false, true}) {
          INFO(ndx::cpu::name_of(set) << ", " << way.name << ", " << groups << " groups of " << count << " of " << size
                                      << " B, from every " << pitch << " to every " << group << "\n"
                                      << note);
          bool const same = comes_out(due, before, to, misalignment, [&](std::byte* first) {
            kernel(first, source.data() - from.low, all,
                   {.stream = way.stream, .fetch_output = way.fetch_output, .prefetch = prefetch});
          });
          REQUIRE(same);
        }
    });
  });
}

TEST_CASE("scatters of rows of every size move what plain loops move, and touch nothing else") {
  for_each_seed(cases(400), [](random_source& random, std::string const& note) {
    index_t const size = random.one_of(sizes);
    index_t const step = random.chance(80) ? size : size + random.between(1, 100);
    index_t const grain = random.chance(50) ? 64 : 1;
    index_t const count = counts(random);
    std::vector<index_t> offsets(static_cast<std::size_t>(count + to_come(random)));
    ndx::cpu::resolved_tuples tuples{offsets.data(), count, static_cast<index_t>(offsets.size())};
    for (index_t& offset : offsets) {
      bool const skipped = random.chance(10);
      offset = skipped ? ndx::plan::no_offset : random.between(0, 3000) / grain * grain;
      tuples.bad = tuples.bad || skipped;
    }
    reach const to{0, 3000 + size};
    bytes const updates = random.bytes(count * step + size);
    bytes const before = surroundings(to, random);
    index_t const misalignment = random.chance(50) ? 0 : random.between(0, 63);
    bytes const due = after(before, to, misalignment, [&](std::byte* first) {
      for (index_t i = 0; i < count; ++i)
        if (offset_of(offsets, i) != ndx::plan::no_offset)
          std::memcpy(first + offset_of(offsets, i), updates.data() + i * step, static_cast<std::size_t>(size));
    });
    for_each_instruction_set([&](ndx::instruction_set set) {
      auto* const kernel = ndx::cpu::write_kernels_of<1>(set).rows;
      for (bool stream : {false, true})
        for (bool prefetch : {false, true}) {
          INFO(ndx::cpu::name_of(set) << (stream ? ", streamed, " : ", ") << size << " B at steps of " << step << "\n"
                                      << note);
          bool const same = comes_out(due, before, to, misalignment, [&](std::byte* first) {
            kernel(first, updates.data(), step, tuples, size, {.stream = stream, .prefetch = prefetch});
          });
          REQUIRE(same);
        }
    });
  });
}

namespace {

/// Resolves some tuples with every kernel and compares with plain arithmetic on numbers of 128 bits.
template <class Index>
void verify_resolving(random_source& random, std::string const& note) {
  __extension__ using wide = __int128;
  constexpr bool is_signed = std::is_signed_v<Index>;
  auto const coordinates = static_cast<std::size_t>(random.between(1, 3));
  std::array<ndx::plan::coordinate, 3> axes{};
  // Extents and strides such that offsets fit 32 bits, or just do not, or are far from it.
  index_t const most = random.one_of(std::array<index_t, 5>{9, 300, 70000, index_t{1} << 31, index_t{1} << 34});
  for (std::size_t c = 0; c < coordinates; ++c)
    axes[c] = {random.between(1, most), random.between(random.chance(80) ? 0 : -9, random.chance(80) ? 9 : 70000)};
  ndx::cpu::line_sequence lines = ndx::cpu::one_line;
  if (random.chance(50)) lines = {random.between(2, 9), random.between(-40, 40), random.between(-3000, 3000)};
  index_t const count = lines.count > 1     ? random.between(1, 20)
                        : random.chance(50) ? ndx::cpu::tuning::tuples_in_step
                                            : random.between(1, 60);
  index_t const coordinate_step = random.chance(80) ? 1 : random.between(-3, 3);
  index_t const tuple_step = random.chance(80) ? static_cast<index_t>(coordinates) : random.between(-7, 7);
  if (random.chance(70)) lines.tuples = count * tuple_step;  // they follow one another
  index_t const start = random.between(-5000, 5000);
  index_t const step = random.chance(70) ? 0 : random.between(-100, 100);
  std::vector<Index> numbers(4096);
  for (auto& number : numbers) {
    std::size_t const axis = static_cast<std::size_t>(&number - numbers.data()) % coordinates;
    index_t const extent = axes[coordinate_step == 1 ? axis : 0].extent;
    number = static_cast<Index>(random.between(is_signed ? -extent : 0, extent - 1));
  }
  index_t const wrong = random.chance(50) ? 0 : random.between(1, 5);
  for (index_t i = 0; i < wrong; ++i)
    numbers[static_cast<std::size_t>(random.between(1500, 2600))] = random.one_of(
        std::array<Index, 4>{std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max(),
                             static_cast<Index>(axes[0].extent), static_cast<Index>(-axes[0].extent - 1)});
  Index const* tuples = numbers.data() + 2048;
  bool const packed = coordinate_step == 1 && tuple_step == static_cast<index_t>(coordinates);
  std::vector<Index> const no_more(tuples, tuples + lines.count * count * static_cast<index_t>(coordinates));
  if (packed && lines.tuples == count * tuple_step) tuples = no_more.data();

  std::vector<index_t> due;
  bool bad = false;
  for (index_t t = 0; t < lines.count * count; ++t) {
    index_t const line = t / count;
    index_t const in_line = t % count;
    wide offset = wide{start} + wide{line} * lines.start + wide{in_line} * step;
    bool good = true;
    for (std::size_t c = 0; c < coordinates; ++c) {
      wide index = tuples[line * lines.tuples + in_line * tuple_step + static_cast<index_t>(c) * coordinate_step];
      if (index < 0) index += axes[c].extent;
      good = good && index >= 0 && index < axes[c].extent;
      offset += index * axes[c].stride;
    }
    due.push_back(good ? static_cast<index_t>(offset) : ndx::plan::no_offset);
    bad = bad || !good;
  }
  using set = ndx::instruction_set;
  for (set instructions : {set::baseline, set::avx2, set::avx512}) {
    if (!ndx::supported(instructions)) continue;
    for (ndx::bounds const mode : {ndx::bounds::check, ndx::bounds::ignore, ndx::bounds::trust}) {
      bool const checked = mode != ndx::bounds::trust;
      if (!checked && bad) continue;
      INFO(ndx::cpu::name_of(instructions) << ", mode " << static_cast<int>(mode) << ", " << coordinates
                                           << " coordinates, " << count << " tuples, " << lines.count << " lines\n"
                                           << note);
      std::vector<index_t> offsets(due.size());
      ndx::cpu::tuple_request<Index> request{tuples, tuple_step, coordinate_step, axes.data(), coordinates, start,
                                             step,   count};
      bool const found = ndx::cpu::resolver<Index>(instructions, mode)(request, lines, offsets.data());
      bool const clean = upper_halves_are_clean();
      CHECK(clean);
      CHECK(found == bad);
      bool const same = (bad && mode == ndx::bounds::check) || offsets == due;
      REQUIRE(same);

      if (lines.count > 1 || packing_of(request) == ndx::cpu::packing::none || !is_short(request)) continue;
      request.start = request.step = 0;
      std::vector<std::uint32_t> short_offsets(static_cast<std::size_t>(count) + 1, 77);
      auto* const kernel = ndx::cpu::short_resolver<ndx::cpu::kernel_index<Index>>(instructions, checked);
      bool const short_found = kernel(for_kernels(request), short_offsets.data());
      bool const short_clean = upper_halves_are_clean();
      CHECK(short_clean);
      CHECK(short_found == bad);
      CHECK(short_offsets.back() == 77);
      for (index_t t = 0; t < count && !bad; ++t)
        REQUIRE(short_offsets[static_cast<std::size_t>(t)] == due[static_cast<std::size_t>(t)] - start - t * step);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("tuples are resolved as plain arithmetic has it", "", std::int32_t, std::int64_t, std::uint32_t,
                   std::uint64_t) {
  for_each_seed(cases(1500),
                [](random_source& random, std::string const& note) { verify_resolving<TestType>(random, note); });
}

namespace {

/// Some indices along one axis, anywhere in a cache line; bad if one of them is. Sometimes so many that they are looked
/// at in parts.
template <class Index>
struct some_indices {
  index_t extent;
  std::vector<Index> memory;
  std::span<Index> numbers;
  bool bad;

  some_indices(some_indices const&) = delete;
  some_indices& operator=(some_indices const&) = delete;
  some_indices(index_t longest, random_source& random)
      : extent(random.chance(20) ? longest : random.between(1, longest)),
        memory(static_cast<std::size_t>(random.between(16, random.one_of(std::array{85, 85, 85, 3015, 3015, 40015})))),
        numbers(std::span(memory).subspan(static_cast<std::size_t>(random.between(0, 15)))),
        bad(random.chance(50)) {
    for (Index& number : numbers)
      number = static_cast<Index>(random.between(std::is_signed_v<Index> ? -extent : 0, extent - 1));
    if (!bad) return;
    auto const last = static_cast<index_t>(numbers.size()) - 1;
    Index& number = numbers[static_cast<std::size_t>(
        random.one_of(std::array<index_t, 4>{0, last, random.between(0, last), random.between(0, last)}))];
    number = random.one_of(std::array<Index, 5>{
        std::numeric_limits<Index>::max(), static_cast<Index>(extent), static_cast<Index>(-extent - 1),
        static_cast<Index>(-(index_t{1} << 20)), static_cast<Index>(index_t{1} << (sizeof(Index) == 8 ? 40 : 20))});
  }
};

}  // namespace

TEMPLATE_TEST_CASE("packed indices are found good or bad", "", std::int32_t, std::int64_t, std::uint32_t,
                   std::uint64_t) {
  for_each_seed(cases(1500), [](random_source& random, std::string const& note) {
    some_indices<TestType> const some(random.one_of(std::array<index_t, 3>{9, 65536, 500000}), random);
    for_each_instruction_set([&](ndx::instruction_set instructions) {
      INFO(ndx::cpu::name_of(instructions) << ", " << some.numbers.size() << " of " << some.extent << "\n" << note);
      bool const good = ndx::cpu::verifier<TestType>(instructions)(
          some.numbers.data(), static_cast<index_t>(some.numbers.size()), some.extent);
      bool const clean = upper_halves_are_clean();
      CHECK(clean);
      REQUIRE(good == !some.bad);
    });
  });
}

TEMPLATE_TEST_CASE("packed indices are kept as 16 bits or found bad, and nothing else is touched", "", std::int64_t,
                   std::uint64_t) {
  for_each_seed(cases(1500), [](random_source& random, std::string const& note) {
    some_indices<TestType> const some(random.one_of(std::array<index_t, 3>{9, 300, 65536}), random);
    constexpr std::uint16_t untouched = 0xabcd;
    constexpr std::size_t around = 72;
    std::vector<std::uint16_t> kept(some.numbers.size() + around);
    // Half of the time a line begins with the number that is kept of an index with which one does: only such are
    // streamed.
    auto const address = [](void const* place) { return reinterpret_cast<std::uintptr_t>(place); };
    std::size_t const to_line = (64 - address(some.numbers.data()) % 64) % 64 / sizeof(TestType);
    auto before = static_cast<std::size_t>(random.between(4, 40));
    bool const aligned = random.chance(50);
    while (aligned && address(kept.data() + before + to_line) % 64 != 0) before = before % 40 + 1;
    std::vector<std::uint16_t> due(kept.size(), untouched);
    for (std::size_t i = 0; i < some.numbers.size(); ++i) {
      auto const number = static_cast<index_t>(some.numbers[i]);
      due[before + i] = static_cast<std::uint16_t>(number < 0 ? number + some.extent : number);
    }
    bool const streams = random.chance(50);
    for_each_instruction_set([&](ndx::instruction_set instructions) {
      INFO(ndx::cpu::name_of(instructions) << ", " << some.numbers.size() << " of " << some.extent << "\n" << note);
      std::fill(kept.begin(), kept.end(), untouched);
      bool const good = ndx::cpu::narrower<TestType>(instructions)(
          kept.data() + before, some.numbers.data(), static_cast<index_t>(some.numbers.size()), some.extent, streams);
      bool const clean = upper_halves_are_clean();
      CHECK(clean);
      REQUIRE(good == !some.bad);
      // What stands for a bad index is nobody's business.
      if (some.bad) {
        auto const first = static_cast<std::ptrdiff_t>(before);
        auto const last = first + static_cast<std::ptrdiff_t>(some.numbers.size());
        std::copy(due.begin() + first, due.begin() + last, kept.begin() + first);
      }
      bool const same = kept == due;
      REQUIRE(same);
    });
  });
}

namespace {

/// Gathers by packed tuples with every kernel, and compares with plain loops.
template <class Index>
void verify_gathering(random_source& random, std::string const& note) {
  index_t const size = random.one_of(
      std::array<index_t, 19>{1, 2, 4, 8, 16, 3, 6, 12, 64, 128, 192, 256, 320, 384, 512, 2112, 4096, 100, 700});
  bool const rows = size > 16;
  bool const whole_lines = size % 64 == 0;
  std::size_t const coordinates = rows || random.chance(50) ? 1 : 2;
  std::array<ndx::plan::coordinate, 2> axes{};
  index_t places = 1;
  for (std::size_t c = coordinates; c-- > 0;) {
    index_t const extent = random.between(1, 40);
    axes[c] = {extent, places * size};
    places *= extent;
  }
  index_t const start = random.between(0, 3) * size;
  bytes const table = random.bytes(start + places * size);
  // Elements come in rounds of 4 to 64, the last of which overlaps the one before.
  index_t const least = rows ? 1 : ndx::cpu::least_packed_tuples;
  index_t const count =
      random.chance(50) ? random.between(least, least + 80) : random.between(least, size > 1000 ? 100 : 2000);
  index_t const tuple_step = rows ? random.between(1, 3) : static_cast<index_t>(coordinates);
  std::vector<Index> numbers(static_cast<std::size_t>(count * tuple_step));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    index_t const extent = axes[i % coordinates].extent;
    numbers[i] = static_cast<Index>(random.between(std::is_signed_v<Index> ? -extent : 0, extent - 1));
  }
  bool const bad = random.chance(30);
  if (bad) {
    index_t const tuple = random.one_of(std::array<index_t, 3>{0, count - 1, random.between(0, count - 1)});
    auto const at = static_cast<std::size_t>(tuple * tuple_step + random.between(0, rows ? 0 : tuple_step - 1));
    index_t const extent = axes[at % coordinates].extent;
    numbers[at] =
        random.one_of(std::array<Index, 4>{std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max(),
                                           static_cast<Index>(extent), static_cast<Index>(-extent - 1)});
    // The least unsigned number is a good index.
    if (numbers[at] == 0) numbers[at] = static_cast<Index>(extent);
    // A good index in the lower half, and something in the upper one.
    if constexpr (sizeof(Index) == 8)
      if (random.chance(50))
        numbers[at] = static_cast<Index>(random.between(-extent, extent - 1) ^ random.between(1, 0xfffffffe) << 32);
  }
  reach to;
  to.add(count, size);
  to.high += size;
  bytes const before = surroundings(to, random);
  index_t const part = size & -size;  // what elements are aligned to, those of three parts as well
  index_t const misalignment = whole_lines || random.chance(30) ? 0 : random.between(0, 63) / part * part;
  bytes const due = after(before, to, misalignment, [&](std::byte* first) {
    if (bad) return;
    for (index_t i = 0; i < count; ++i) {
      index_t offset = start;
      for (std::size_t c = 0; c < coordinates; ++c) {
        auto index = static_cast<index_t>(numbers[static_cast<std::size_t>(i * tuple_step) + c]);
        if (index < 0) index += axes[c].extent;
        offset += index * axes[c].stride;
      }
      std::memcpy(first + i * size, table.data() + offset, static_cast<std::size_t>(size));
    }
  });
  ndx::cpu::tuple_request<Index> const request{numbers.data(), tuple_step, 1, axes.data(),
                                               coordinates,    start,      0, count};
  using set = ndx::instruction_set;
  for (set instructions : {set::baseline, set::avx2, set::avx512}) {
    if (!ndx::supported(instructions)) continue;
    auto const& kernels = ndx::cpu::gather_kernels_of<ndx::cpu::kernel_index<Index>, 1>(instructions);
    auto* const kernel = rows ? kernels.rows : kernels.elements[ndx::cpu::element_index(size)];
    for (output_way const& way : output_ways)
      for (bool const prefetch : {false, true}) {
        if (rows && way.stream && !whole_lines) continue;
        bool const checked = bad || random.chance(50);
        INFO(ndx::cpu::name_of(instructions) << ", " << way.name << ", " << (checked ? "checked, " : "trusted, ")
                                             << count << " tuples of " << coordinates << ", " << size << " B\n"
                                             << note);
        bool good = false;
        auto const call = [&](std::byte* first) {
          good = kernel(first, table.data(), for_kernels(request), size, checked,
                        {.stream = way.stream,
                         .fetch_output = way.fetch_output,
                         .prefetch = prefetch,
                         .pace = random.chance(50),
                         .gather = random.chance(50),
                         .first = true});
        };
        bool const same = is_gathered(due, bad, before, to, misalignment, call);
        CHECK(good == !bad);
        REQUIRE(same);
      }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("packed tuples gather what plain loops gather, or are found bad, and touch nothing else", "",
                   std::int32_t, std::int64_t, std::uint32_t, std::uint64_t) {
  for_each_seed(cases(700),
                [](random_source& random, std::string const& note) { verify_gathering<TestType>(random, note); });
}

namespace {

/// Lines of single indices, that follow one another, repeat, or lie apart, with every kernel for lines of them.
template <class Index>
void verify_line_gathering(random_source& random, std::string const& note) {
  index_t const size = random.one_of(std::array<index_t, 8>{1, 2, 4, 8, 16, 3, 6, 12});
  index_t const count = random.chance(50) ? random.between(1, 20) : random.between(1, 200);
  index_t const extent = random.between(1, 300);
  ndx::plan::coordinate const axis{extent, size * random.one_of(std::array<index_t, 3>{1, 1, 5})};
  index_t const step = size * random.one_of(std::array<index_t, 4>{0, 1, 1, 3});
  index_t const to_stride = random.chance(70) ? size : 2 * size;
  ndx::plan::loop lines{random.between(1, 12), 0, size * random.between(0, 40), count};
  lines.destination = count * to_stride + (random.chance(50) ? 0 : size);
  if (random.chance(30)) lines.indices = random.one_of(std::array<index_t, 3>{0, count + 1, count + 30});
  // Exactly those that are addressed: a check that goes too far is seen.
  std::vector<Index> numbers(static_cast<std::size_t>((lines.extent - 1) * lines.indices + count));
  int const from_end = random.one_of(std::array<int, 4>{0, 0, 2, 50});
  for (auto& number : numbers) {
    bool const negative = std::is_signed_v<Index> && random.chance(from_end);
    number = static_cast<Index>(negative ? random.between(-extent, -1) : random.between(0, extent - 1));
  }
  bool const bad = random.chance(30);
  if (bad) {
    auto const last = static_cast<index_t>(numbers.size()) - 1;
    index_t const at = random.one_of(std::array<index_t, 3>{last, random.between(0, last), last - last % count});
    index_t const addressed = lines.indices == 0 ? at % count : at % lines.indices < count ? at : last;
    numbers[static_cast<std::size_t>(addressed)] = random.one_of(std::array<Index, 3>{
        std::numeric_limits<Index>::max(), static_cast<Index>(extent),
        std::is_signed_v<Index> ? static_cast<Index>(-extent - 1) : static_cast<Index>(~Index{0})});
  }
  index_t const start = random.between(0, 3) * size;
  bytes const table =
      random.bytes(start + (extent - 1) * axis.stride + (count - 1) * step + (lines.extent - 1) * lines.source + size);
  reach to;
  to.add(count, to_stride);
  to.add(lines.extent, lines.destination);
  to.high += size;
  bytes const before = surroundings(to, random);
  index_t const misalignment = random.between(0, 63);
  bytes const due = after(before, to, misalignment, [&](std::byte* first) {
    if (bad) return;
    for (index_t line = 0; line < lines.extent; ++line)
      for (index_t i = 0; i < count; ++i) {
        auto index = static_cast<index_t>(numbers[static_cast<std::size_t>(line * lines.indices + i)]);
        if (index < 0) index += extent;
        std::memcpy(first + line * lines.destination + i * to_stride,
                    table.data() + start + line * lines.source + i * step + index * axis.stride,
                    static_cast<std::size_t>(size));
      }
  });
  ndx::cpu::tuple_request<Index> const request{numbers.data(), 1, 1, &axis, 1, start, step, count};
  for_each_instruction_set([&](ndx::instruction_set set) {
    auto const& kernels = ndx::cpu::gather_kernels_of<ndx::cpu::kernel_index<Index>, 1>(set);
    auto* const kernel = kernels.lines[ndx::cpu::element_index(size)];
    for (bool const checked : {true, false}) {
      if (!checked && bad) continue;
      INFO(ndx::cpu::name_of(set) << (checked ? ", checked, " : ", trusted, ") << lines.extent << " lines of " << count
                                  << " tuples, " << size << " B\n"
                                  << note);
      bool good = false;
      auto const call = [&](std::byte* first) {
        good = kernel(first, to_stride, table.data(), for_kernels(request), lines, checked);
      };
      bool const same = is_gathered(due, bad, before, to, misalignment, call);
      CHECK(good == !bad);
      REQUIRE(same);
    }
  });
}

}  // namespace

TEMPLATE_TEST_CASE("lines of indices gather what plain loops gather, or are found bad, and touch nothing else", "",
                   std::int32_t, std::int64_t, std::uint32_t, std::uint64_t) {
  for_each_seed(cases(1000),
                [](random_source& random, std::string const& note) { verify_line_gathering<TestType>(random, note); });
}

namespace {

/// How many of a chunk's places are in each bucket before it, at the end all of them.
template <class Place>
std::vector<std::uint32_t> starts_of(std::vector<Place> const& places, ndx::cpu::buckets const& all) {
  std::vector<std::uint32_t> starts(static_cast<std::size_t>(all.count) + 1);
  for (Place const place : places)
    for (auto bucket = static_cast<std::size_t>(place >> all.shift) + 1; bucket < starts.size(); ++bucket)
      ++starts[bucket];
  return starts;
}

/// Elements from anywhere by way of the slots of a chunk, with every kernel for them.
template <class Place>
void verify_gathering_by_buckets(random_source& random, std::string const& note) {
  index_t const size = index_t{1} << random.between(0, 4);
  index_t const slot = ndx::cpu::slot_bytes(size);
  int const unit = ndx::cpu::unit_index(size);
  index_t const elements = random.between(1, 900);
  bytes const source = random.bytes(elements * size);
  ndx::cpu::buckets all{.extent = elements * size, .is_packed = true, .shift = static_cast<int>(random.between(4, 13))};
  all.count = ((all.extent - 1) >> all.shift) + 1;
  index_t const count = random.between(1, random.chance(50) ? 40 : 700);
  std::vector<Place> places;
  for (index_t i = 0; i < count; ++i) places.push_back(static_cast<Place>(random.between(0, elements - 1) * size));
  index_t const stride = size * random.one_of(std::array<index_t, 4>{1, 1, 3, -1});
  reach to{0, size};
  to.add(count, stride);
  bytes const before = surroundings(to, random);
  index_t const misalignment = random.chance(50) ? random.between(0, 63) / size * size : random.between(0, 63);
  bytes const due = after(before, to, misalignment, [&](std::byte* first) {
    for (index_t i = 0; i < count; ++i)
      copy_raw(first + i * stride, source.data() + places[static_cast<std::size_t>(i)], static_cast<std::size_t>(size));
  });
  std::vector<std::uint32_t> starts = starts_of(places, all);
  for_each_instruction_set([&](ndx::instruction_set set) {
    auto const& kernels = ndx::cpu::gather_bucket_kernels_of<1>(set);
    ndx::cpu::list_kernels<Place> sorting{};
    if constexpr (sizeof(Place) == 8) sorting = kernels.sort;
    else sorting = kernels.sort_short;
    INFO(ndx::cpu::name_of(set) << ", " << count << " of " << elements << " elements of " << size << " B, in "
                                << all.count << " buckets\n"
                                << note);
    std::vector<std::uint32_t> counts(starts.size());
    std::vector<std::uint32_t> more(starts.size());
    sorting.count(places.data(), count, all.shift, counts.data(), more.data());
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) REQUIRE(counts[i] + more[i] == starts[i + 1] - starts[i]);
    bytes slots(static_cast<std::size_t>(count * slot));
    std::vector<std::uint16_t> numbers(static_cast<std::size_t>(count));
    std::byte const unused{};
    bytes const listed = [&] {
      std::vector<std::uint32_t> positions = starts;
      sorting.list({slots.data(), numbers.data(), ndx::cpu::unit_index(slot), {&unused, 0}}, positions.data(),
                   places.data(), count, all.shift);
      return slots;
    }();
    for (bool const at_once : {false, true})
      for (output_way const& way : output_ways) {
        slots = listed;
        ndx::cpu::sorted_chunks const chunks{slots.data(), 0, starts.data(), all.count, 1};
        for (index_t bucket = 0; bucket < all.count; ++bucket)
          kernels.elements[unit](source.data() + all.begin(bucket), chunks, bucket, {.read = all.bytes(bucket)},
                                 at_once);
        bool const same = comes_out(due, before, to, misalignment, [&](std::byte* first) {
          kernels.deal_elements[unit](first, stride, {slots.data(), numbers.data(), &unused, numbers.data()}, count,
                                      {.stream = way.stream, .gather = at_once});
        });
        INFO(way.name << (at_once ? ", many at once" : ""));
        REQUIRE(same);
      }
  });
}

}  // namespace

TEMPLATE_TEST_CASE("elements gathered by buckets are those of plain loops, and nothing else is touched", "",
                   std::uint32_t, std::uint64_t) {
  for_each_seed(cases(700), [](random_source& random, std::string const& note) {
    verify_gathering_by_buckets<TestType>(random, note);
  });
}
