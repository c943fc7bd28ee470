// SPDX-License-Identifier: MIT
#include "canvas.hpp"
#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace examples {
namespace {

// The dark colours are those of a light table at night; text has a contrast of at least 7 to 1 on them.
constexpr rgb background{17, 19, 28};
constexpr rgb mat{27, 30, 42};
constexpr rgb track{36, 40, 55};
constexpr rgb bright{240, 242, 248};
constexpr rgb soft{166, 173, 192};
constexpr rgb good{126, 214, 160};
constexpr rgb bad{255, 122, 112};
constexpr std::array<rgb, 5> policy_colours{
    {{139, 147, 170}, {86, 190, 214}, {247, 178, 92}, {226, 120, 170}, {160, 140, 240}}};

constexpr double margin = 84, gap = 48, cell_width = 522;
constexpr std::size_t columns = 4;
constexpr double sheet_width = 2 * margin + columns * cell_width + (columns - 1) * gap;
constexpr double corner = 8;
constexpr double most_times_the_first = 4;

// Below a panel: the baselines of its lines, from its lower edge.
constexpr double name_line = 44, what_line = 76, shapes_line = 105, first_policy_line = 145, policy_step = 28;

rectangle fitted(image const& picture, rectangle area) {
  auto const width = static_cast<double>(picture.width), height = static_cast<double>(picture.height);
  double const scale = std::min(area.width / width, area.height / height);
  double const w = std::max(1.0, width * scale), h = std::max(1.0, height * scale);
  return {area.x + (area.width - w) / 2, area.y + (area.height - h) / 2, w, h};
}

void write_right(canvas& sheet, std::string const& text, double right, double baseline, typeface const& face) {
  sheet.write(text, right - text_width(text, face), baseline, face);
}

std::string with_arrows(std::string text) {
  for (std::size_t at; (at = text.find("->")) != std::string::npos;) text.replace(at, 2, "\u2192");
  return text;
}

void draw_panel(canvas& sheet, result const& job, rectangle area) {
  typeface const name_face{18, bright, 0.155}, what_face{14, soft, 0.12}, shapes_face{11.5, soft, 0.115};
  typeface const policy_face{11.5, soft, 0.125}, time_face{11.5, bright, 0.125};

  sheet.fill(area, mat, corner);
  sheet.draw(job.picture, fitted(job.picture, area), corner);

  double const bottom = area.y + area.height, right = area.x + area.width;
  sheet.write(job.operator_name, area.x, bottom + name_line, name_face);
  sheet.write(shortened(job.what, what_face, area.width), area.x, bottom + what_line, what_face);
  sheet.write(shortened(with_arrows(job.shapes), shapes_face, area.width), area.x, bottom + shapes_line, shapes_face);

  // The first policy is what the others are compared with; a bar that dwarfs it is cut, and shows that by a gap.
  double slowest = 0;
  for (auto const& each : job.timings) slowest = std::max(slowest, each.seconds);
  double const longest = std::min(slowest, most_times_the_first * job.timings.front().seconds);
  double const bar_left = area.x + 92, bar_right = right - 204;
  for (std::size_t i = 0; i < job.timings.size(); ++i) {
    auto const& [policy, seconds, difference] = job.timings[i];
    double const baseline = bottom + first_policy_line + static_cast<double>(i) * policy_step;
    rgb const colour = policy_colours[i % policy_colours.size()];
    sheet.write(policy, area.x, baseline, difference.empty() ? policy_face : typeface{11.5, bad, 0.15});
    sheet.fill({bar_left, baseline - 10, bar_right - bar_left, 8}, track, 4);
    double const share = std::min(1.0, seconds / longest);
    sheet.fill({bar_left, baseline - 10, std::max(8.0, (bar_right - bar_left) * share), 8}, colour, 4);
    if (seconds > longest) sheet.fill({bar_right - 26, baseline - 12, 7, 12}, background);
    write_right(sheet, readable_time(seconds), right - 104, baseline, time_face);
    write_right(sheet, readable_rate(job.bytes, seconds), right, baseline, policy_face);
  }
}

std::string verdict(std::vector<result> const& results, bool& same) {
  std::string differing;
  for (auto const& job : results) {
    for (auto const& each : job.timings) {
      if (each.difference.empty()) continue;
      differing += (differing.empty() ? "" : ", ") + job.operator_name + " on " + each.policy;
    }
  }
  same = differing.empty();
  return same ? "\u2713 every policy wrote the same bits" : "\u00D7 the bits differ: " + differing;
}

}  // namespace

image contact_sheet(image const& original, std::string const& title, std::string const& facts,
                    std::vector<policy_note> const& policies, std::vector<result> const& results) {
  double const aspect = static_cast<double>(original.width) / static_cast<double>(original.height);
  double const panel_height = std::round(cell_width / std::clamp(aspect, 0.8, 2.2));
  double const last_line = panel_height + first_policy_line + (static_cast<double>(policies.size()) - 1) * policy_step;
  double const row_gap = 68;
  double const cell_height = last_line + row_gap;
  // The original takes two by two cells, the results the rest.
  std::size_t const rows = std::max<std::size_t>(2, (results.size() + 4 + columns - 1) / columns);
  double const height = 2 * margin + static_cast<double>(rows) * cell_height - row_gap;
  canvas sheet(static_cast<std::int64_t>(sheet_width), static_cast<std::int64_t>(height), background);

  // Heading.
  double const wide = 2 * cell_width + gap;
  typeface const tagline{20, soft, 0.12};
  sheet.write("ndx", margin - 8, margin + 84, {84, bright, 0.165});
  sheet.write("five operators that move elements by index,", margin + 280, margin + 46, tagline);
  sheet.write("at work on one picture", margin + 280, margin + 84, tagline);

  // The original, as large as the heading above and the explanations below leave room for.
  double const top = margin + 146;
  double const policies_top = margin + cell_height + panel_height + first_policy_line;
  rectangle area = fitted(original, {margin, top, wide, policies_top - top - 178});
  area.x = margin;
  sheet.draw(original, area, corner);

  double const below = area.y + area.height;
  typeface const title_face{18, bright, 0.155}, facts_face{14, soft, 0.12}, note_face{11.5, soft, 0.125};
  sheet.write(shortened(title, title_face, wide), margin, below + name_line, title_face);
  sheet.write(shortened(facts, facts_face, wide), margin, below + what_line, facts_face);
  bool same = true;
  std::string const bits = verdict(results, same);
  sheet.write(shortened(bits, facts_face, wide), margin, below + what_line + 32, {14, same ? good : bad, 0.135});

  // What the names beside the bars mean, on the lines of the bars next to it.
  double const notes = margin + 92, explanation = margin + cell_width + gap + 60;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    double const baseline = policies_top + static_cast<double>(i) * policy_step;
    sheet.write(policies[i].policy, margin, baseline, {11.5, policy_colours[i % policy_colours.size()], 0.15});
    sheet.write(shortened(policies[i].note, note_face, explanation - notes - 20), notes, baseline, note_face);
  }
  sheet.write("bars: time of one run, shorter is better", explanation, policies_top, note_face);
  sheet.write("with a gap: cut off at 4 times the first", explanation, policies_top + policy_step, note_face);
  sheet.write("time: the median of several runs", explanation, policies_top + 2 * policy_step, note_face);
  sheet.write("GB/s: bytes read and written in that time", explanation, policies_top + 3 * policy_step, note_face);

  for (std::size_t i = 0; i < results.size(); ++i) {
    // Two panels beside the original in each of the first two rows, then full rows.
    std::size_t const row = i < 4 ? i / 2 : 2 + (i - 4) / columns;
    std::size_t const column = i < 4 ? 2 + i % 2 : (i - 4) % columns;
    draw_panel(sheet, results[i],
               {margin + static_cast<double>(column) * (cell_width + gap),
                margin + static_cast<double>(row) * cell_height, cell_width, panel_height});
  }
  return sheet.picture();
}

}  // namespace examples
