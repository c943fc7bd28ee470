// SPDX-License-Identifier: MIT
#include "expectation.hpp"

#include <numeric>
#include <string>

namespace ndx_bench {
namespace {

template <class T>
void gather_rows(session& run, std::string const& name, words& table, index_t rows, index_t width,
                 std::vector<index_t> const& indices, words& output, std::string const& order = "") {
  auto const count = static_cast<index_t>(indices.size());
  index_t const row_bytes = width * static_cast<index_t>(sizeof(T));
  auto const measure = [&](std::string const& key, auto const& uploaded, index_t index_bytes) {
    auto const from = seen_as<T const, 2>(table, {rows, width});
    auto const to = seen_as<T, 2>(output, {count, width});
    run.measure(
        key, count * (2 * row_bytes + index_bytes), [&](auto& policy) { ndx::gather_nd(policy, from, uploaded, to); },
        [&] {
          return mistake_in_copy(run, output, count * row_bytes / 4, [&](index_t byte) {
            return indices[static_cast<std::size_t>(byte / row_bytes)] * row_bytes + byte % row_bytes;
          });
        });
  };
  // The names of the rows of other elements, or in another order, tell that behind the index.
  std::string const element = sizeof(T) == 1 ? "/u8" : sizeof(T) == 2 ? "/f16" : sizeof(T) == 8 ? "/f64" : "";
  std::string const kind = element + order;
  if (run.wanted(name + "/i64" + kind))
    measure(name + "/i64" + kind, run.gpu.upload(ndx::tensor_view<index_t const, 2>(indices.data(), {count, 1})), 8);
  if (kind.empty() && rows < index_t{1} << 31 && run.wanted(name + "/i32")) {
    std::vector<std::int32_t> const narrow(indices.begin(), indices.end());
    measure(name + "/i32", run.gpu.upload(ndx::tensor_view<std::int32_t const, 2>(narrow.data(), {count, 1})), 4);
  }
}

/// In place, into another tensor, in place where the last of duplicates counts, and added in place. What has no name is
/// not measured.
struct scatter_names {
  std::string replace;
  std::string copy = replace + "/copy";
  std::string last = replace + "/last";
  std::string add;
};

void scatter_rows(session& run, scatter_names const& names, index_t rows, index_t width,
                  std::vector<index_t> const& indices) {
  auto const count = static_cast<index_t>(indices.size());
  index_t const bytes = count * (width * 8 + 8);
  auto const places = run.gpu.upload(ndx::tensor_view<index_t const, 2>(indices.data(), {count, 1}));
  words updates = run.allocate_filled(count * width, update_pattern);
  auto const from = seen_as<float const, 2>(updates, {count, width});
  auto const slot_of = [&](index_t tuple) { return indices[static_cast<std::size_t>(tuple)]; };
  auto const measure = [&](std::string const& name, index_t moved, words* copy, scatter kind,
                           ndx::scatter_nd_options const& with) {
    if (name.empty() || !run.wanted(name)) return;
    words& table = run.table();
    words& output = copy != nullptr ? *copy : table;
    auto const input = seen_as<float const, 2>(table, {rows, width});
    auto const to = seen_as<float, 2>(output, {rows, width});
    run.measure(
        name, moved, [&](auto& policy) { ndx::scatter_nd(policy, input, places, from, to, with); },
        [&] { return mistake_in_scatter(run, output, rows, width, count, kind, slot_of); });
  };
  measure(names.replace, bytes, nullptr, scatter::replaces, {});
  if (!names.copy.empty() && run.wanted(names.copy)) {
    words copy = run.allocate_blank(rows * width);
    measure(names.copy, bytes + 2 * run.table_bytes(), &copy, scatter::replaces, {});
  }
  measure(names.last, bytes, nullptr, scatter::replaces_by_last, {.duplicates = ndx::duplicates::last});
  measure(names.add, bytes + count * width * 4, nullptr, scatter::adds, {.reduction = ndx::reduction::add});
}

enum class scatters : unsigned char { all, in_place };

void rows_of_floats(session& run, index_t width, scatters which) {
  std::string const bytes = ndx::detail::text("_rows/", 4 * width, "B");
  std::string const gather = "gather" + bytes;
  scatter_names names{.replace = "scatter" + bytes + "/i64", .add = "scatter_add" + bytes + "/i64"};
  if (which == scatters::in_place) names.copy = names.add = "";
  index_t const rows = run.table_words() / width;
  index_t const count = run.table_words() / 4 / width / (width == 1 ? 4 : 1);
  index_t const needed = run.table_bytes() + count * (4 * width + 16);
  run.group({gather + "/i64", gather + "/i32"}, needed, [&] {
    auto const indices = random_numbers_below(rows, count, 1);
    words output = run.allocate_blank(count * width);
    gather_rows<float>(run, gather, run.table(), rows, width, indices, output);
  });
  std::vector<std::string> measured{names.replace, names.last};
  if (which == scatters::all) measured.insert(measured.end(), {names.copy, names.add});
  run.group(measured, needed + run.table_bytes(), [&] {
    // Above that the peers' workloads have duplicates, as a permutation would not fit beside the rest.
    bool const different = rows <= run.scaled(index_t{1} << 28);
    scatter_rows(run, names, rows, width,
                 different ? different_numbers_below(rows, count, 2) : random_numbers_below(rows, count, 2));
  });
}

/// The first quarter of the table, row after row: nothing but indices tells it from a copy. What rows from all over the
/// table take beyond that is the memory's, and not the kernel's.
void rows_in_order(session& run, index_t width) {
  std::string const bytes = ndx::detail::text("_rows/", 4 * width, "B");
  scatter_names const scatters{.replace = "scatter" + bytes + "/i64/in_order", .copy = "", .last = "", .add = ""};
  index_t const rows = run.table_words() / width;
  run.group({"gather" + bytes + "/i64/in_order", scatters.replace}, run.table_bytes() / 2 * 3 + rows * 4, [&] {
    std::vector<index_t> indices(static_cast<std::size_t>(rows / 4));
    std::iota(indices.begin(), indices.end(), index_t{0});
    words output = run.allocate_blank(rows / 4 * width);
    gather_rows<float>(run, "gather" + bytes, run.table(), rows, width, indices, output, "/in_order");
    scatter_rows(run, scatters, rows, width, indices);
  });
}

/// As few as a step of a program changes in a table that it keeps.
void few_rows(session& run, index_t width, index_t count) {
  scatter_names const names{
      .replace = ndx::detail::text("scatter_few_rows/", 4 * width, "B/i64"), .copy = "", .add = ""};
  run.group({names.replace, names.last}, run.table_bytes() + count * (4 * width + 16), [&] {
    index_t const rows = run.table_words() / width;
    scatter_rows(run, names, rows, width, different_numbers_below(rows, count, 5));
  });
}

template <class T>
void rows_of(session& run, char const* element) {
  for (index_t row_bytes : {64, 256, 1024}) {
    std::string const name = ndx::detail::text("gather_rows/", row_bytes, "B");
    index_t const rows = run.table_bytes() / row_bytes;
    index_t const count = rows / 4;
    run.group({name + "/i64/" + element}, run.table_bytes() + count * (row_bytes + 8), [&] {
      words output = run.allocate_blank(count * row_bytes / 4);
      gather_rows<T>(run, name, run.table(), rows, row_bytes / static_cast<index_t>(sizeof(T)),
                     random_numbers_below(rows, count, 3), output);
    });
  }
}

/// A table of another size than the others'.
void gather_from(session& run, std::string const& key, index_t rows, index_t width, index_t count) {
  run.group({key}, run.table_bytes() + (rows + count) * width * 4 + count * 8, [&] {
    words table = run.allocate_filled(rows * width, table_pattern);
    words output = run.allocate_blank(count * width);
    auto const indices = random_numbers_below(rows, count, 4);
    auto const uploaded = run.gpu.upload(ndx::tensor_view<index_t const, 2>(indices.data(), {count, 1}));
    auto const from = seen_as<float const, 2>(table, {rows, width});
    auto const to = seen_as<float, 2>(output, {count, width});
    run.measure(
        key, count * (width * 8 + 8), [&](auto& policy) { ndx::gather_nd(policy, from, uploaded, to); },
        [&] {
          return mistake_in_copy(run, output, count * width, [&](index_t byte) {
            return indices[static_cast<std::size_t>(byte / (4 * width))] * 4 * width + byte % (4 * width);
          });
        });
  });
}

}  // namespace

void measure_rows(session& run) {
  for (index_t width : {1, 3, 4, 5, 16, 25, 64, 256, 1024}) rows_of_floats(run, width, scatters::all);
  // By units of 4, 8 and 16 bytes, where most rows begin and end within a sector of memory.
  for (index_t width : {12, 14, 65, 66, 68}) rows_of_floats(run, width, scatters::in_place);
  rows_in_order(run, 256);
  few_rows(run, 64, 1024);
  gather_from(run, "gather_rows/4B/i64/32GiB", run.scaled(index_t{8} << 30), 1, run.scaled(index_t{1} << 26));
  gather_from(run, "gather_rows/256B/i64/16MiB_table", run.scaled(index_t{1} << 16), 64, run.scaled(index_t{1} << 22));
  rows_of<std::uint8_t>(run, "u8");
  rows_of<ndx::float16>(run, "f16");
  rows_of<double>(run, "f64");
}

}  // namespace ndx_bench
