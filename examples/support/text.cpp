// SPDX-License-Identifier: MIT
// A typeface of our own: every letter is a few strokes of one thickness with round ends, made of lines, elliptical arcs
// and cubic curves. A pixel is as dark as it is close to the nearest stroke, so letters are smooth at every size.
#include "canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace examples {
namespace {

// Units: a capital letter is 66 high, a small one 46; y up from the baseline. Coordinates are the middle of a stroke.
//   L x y x y ...                  line through points
//   A cx cy rx ry from to          arc of an ellipse, degrees, counterclockwise where to > from
//   C x0 y0 x1 y1 x2 y2 x3 y3      cubic curve
//   D x y                          dot
struct glyph {
  char32_t letter;
  double width;
  char const* strokes;
};

constexpr double capital_height = 66;
constexpr double side_bearing = 8.0;
constexpr double space_width = 24;

constexpr glyph glyphs[] = {
    {U'a', 38, "A 19 23 19 23 0 360 L 38 46 38 0"},
    {U'b', 38, "L 0 70 0 0 A 19 23 19 23 0 360"},
    {U'c', 34, "A 20 23 20 23 48 312"},
    {U'd', 38, "L 38 70 38 0 A 19 23 19 23 0 360"},
    {U'e', 39, "L 1 24 39 24 A 19.5 23 19.5 23 2 315"},
    {U'f', 22, "L 8 0 8 56 A 21 56 13 14 180 85 L 0 44 20 44"},
    {U'g', 38, "A 19 23 19 23 0 360 L 38 46 38 -3 A 19 -3 19 16 0 -150"},
    {U'h', 34, "L 0 70 0 0 A 17 28 17 18 180 0 L 34 28 34 0"},
    {U'i', 0, "L 0 46 0 0 D 0 64"},
    {U'j', 6, "L 6 46 6 -8 A -5 -8 11 11 0 -80 D 6 64"},
    {U'k', 31, "L 0 70 0 0 L 29 46 0 17 L 11 27 31 0"},
    {U'l', 8, "L 0 70 0 10 A 10 10 10 10 180 258"},
    {U'm', 58, "L 0 46 0 0 A 14.5 30 14.5 16 180 0 L 29 30 29 0 A 43.5 30 14.5 16 180 0 L 58 30 58 0"},
    {U'n', 34, "L 0 46 0 0 A 17 28 17 18 180 0 L 34 28 34 0"},
    {U'o', 41, "A 20.5 23 20.5 23 0 360"},
    {U'p', 38, "L 0 46 0 -19 A 19 23 19 23 0 360"},
    {U'q', 38, "L 38 46 38 -19 A 19 23 19 23 0 360"},
    {U'r', 20, "L 0 46 0 0 A 18 27 18 19 180 78"},
    {U's', 29, "A 14.5 34.5 13 11.5 35 270 A 14.5 11.5 14.5 11.5 90 -145"},
    {U't', 24, "L 9 62 9 12 A 21 12 12 12 180 275 L 0 46 22 46"},
    {U'u', 34, "L 0 46 0 18 A 17 18 17 18 180 360 L 34 46 34 0"},
    {U'v', 36, "L 0 46 18 0 36 46"},
    {U'w', 58, "L 0 46 14.5 0 29 44 43.5 0 58 46"},
    {U'x', 34, "L 0 46 34 0 L 34 46 0 0"},
    {U'y', 36, "L 36 46 10 -19 L 0 46 18.3 2"},
    {U'z', 32, "L 1 46 31 46 0 0 32 0"},
    {U'A', 52, "L 0 0 26 66 52 0 L 9 23 43 23"},
    {U'B', 42, "L 23 35 0 35 0 66 23 66 A 23 50.5 15.5 15.5 90 -90 L 0 35 0 0 24 0 A 24 17.5 18 17.5 90 -90"},
    {U'C', 53, "A 31 33 31 33 46 314"},
    {U'D', 50, "L 20 66 0 66 0 0 20 0 A 20 33 30 33 90 -90"},
    {U'E', 38, "L 38 66 0 66 0 0 38 0 L 0 34 33 34"},
    {U'F', 37, "L 37 66 0 66 0 0 L 0 33 32 33"},
    {U'G', 60, "A 31 33 31 33 46 355 L 61.5 29 36 29"},
    {U'H', 48, "L 0 0 0 66 L 48 0 48 66 L 0 34 48 34"},
    {U'I', 0, "L 0 0 0 66"},
    {U'J', 28, "L 28 66 28 16 A 13 16 15 16 0 -160"},
    {U'K', 44, "L 0 0 0 66 L 42 66 0 23 L 15 38 44 0"},
    {U'L', 35, "L 0 66 0 0 35 0"},
    {U'M', 58, "L 0 0 0 66 29 16 58 66 58 0"},
    {U'N', 48, "L 0 0 0 66 48 0 48 66"},
    {U'O', 64, "A 32 33 32 33 0 360"},
    {U'P', 41, "L 0 0 0 66 23 66 A 23 48 18 18 90 -90 L 23 30 0 30"},
    {U'Q', 64, "A 32 33 32 33 0 360 L 42 18 60 -4"},
    {U'R', 43, "L 0 0 0 66 23 66 A 23 48 18 18 90 -90 L 0 30 23 30 43 0"},
    {U'S', 41, "A 20.5 49.5 18.5 16.5 32 270 A 20.5 16.5 20.5 16.5 90 -148"},
    {U'T', 46, "L 0 66 46 66 L 23 66 23 0"},
    {U'U', 46, "L 0 66 0 23 A 23 23 23 23 180 360 L 46 23 46 66"},
    {U'V', 50, "L 0 66 25 0 50 66"},
    {U'W', 78, "L 0 66 19.5 0 39 62 58.5 0 78 66"},
    {U'X', 45, "L 0 66 45 0 L 45 66 0 0"},
    {U'Y', 46, "L 0 66 23 32 46 66 L 23 32 23 0"},
    {U'Z', 43, "L 2 66 42 66 0 0 43 0"},
    // All figures are equally wide, so that numbers line up.
    {U'0', 38, "A 19 33 18.5 33 0 360"},
    {U'1', 38, "L 8 54 22 66 22 0"},
    {U'2', 38, "A 19 47 17.5 19 168 -38 L 32.8 35.3 2 0 37 0"},
    {U'3', 38, "A 18 50 15.5 16 152 -90 A 18 17 18.5 17 90 -152 L 15 34 18 34"},
    {U'4', 38, "L 29 0 29 66 0 18 38 18"},
    {U'5', 38, "L 34 66 7 66 3.5 35 A 18 21.5 19.5 21.5 138 -150"},
    {U'6', 38, "A 19 20.5 18.5 20.5 0 360 C 30 66 12 56 0.5 40 0.5 20.5"},
    {U'7', 38, "L 1 66 37 66 13 0"},
    {U'8', 38, "A 19 50 15.5 16 0 360 A 19 17 18.5 17 0 360"},
    {U'9', 38, "A 19 45.5 18.5 20.5 0 360 C 8 0 26 10 37.5 26 37.5 45.5"},
    {U'.', 0, "D 0 0"},
    {U',', 2, "L 2 1 -1 -11"},
    {U':', 0, "D 0 2 D 0 38"},
    {U';', 2, "L 2 1 -1 -11 D 2 38"},
    {U'!', 0, "L 0 66 0 20 D 0 0"},
    {U'?', 32, "A 16 50 15.5 16 168 -45 C 27 38.7 19 31 16 28 16 19 D 16 0"},
    {U'-', 22, "L 0 25 22 25"},
    {U'+', 34, "L 0 30 34 30 L 17 47 17 13"},
    {U'=', 34, "L 0 39 34 39 L 0 21 34 21"},
    {U'_', 34, "L 0 -8 34 -8"},
    {U'*', 24, "L 12 66 12 40 L 1 59.5 23 46.5 L 23 59.5 1 46.5"},
    {U'/', 26, "L 0 -8 26 72"},
    {U'\\', 26, "L 0 72 26 -8"},
    {U'|', 0, "L 0 -14 0 74"},
    {U'(', 12, "C 12 74 -4 50 -4 10 12 -14"},
    {U')', 12, "C 0 74 16 50 16 10 0 -14"},
    {U'[', 12, "L 12 74 0 74 0 -14 12 -14"},
    {U']', 12, "L 0 74 12 74 12 -14 0 -14"},
    {U'{', 15, "C 15 74 -1 74 14 34 0 30 C 0 30 14 26 -1 -14 15 -14"},
    {U'}', 15, "C 0 74 16 74 1 34 15 30 C 15 30 1 26 16 -14 0 -14"},
    {U'<', 30, "L 30 48 0 30 30 12"},
    {U'>', 30, "L 0 48 30 30 0 12"},
    {U'\'', 0, "L 0 68 0 52"},
    {U'"', 13, "L 0 68 0 52 L 13 68 13 52"},
    {U'`', 8, "L 0 70 8 58"},
    {U'~', 34, "C 0 26 8 44 24 16 34 34"},
    {U'^', 26, "L 0 48 13 66 26 48"},
    {U'#', 44, "L 11 0 18 66 L 27 0 34 66 L 2 46 44 46 L 0 20 42 20"},
    {U'$', 41, "A 20.5 47 18.5 14 32 270 A 20.5 18.5 20.5 14.5 90 -148 L 20.5 72 20.5 -6"},
    {U'%', 56, "A 12 52 12 14 0 360 A 44 14 12 14 0 360 L 46 66 10 0"},
    {U'&', 48, "A 20 51 13 15 -40 220 L 10 41 46 0 A 19 18 19 18 110 318 L 33 5.5 46 28 L 30 41 13 35"},
    {U'@', 66, "A 33 27 33 37 -60 300 A 33 27 14 15 0 360 L 47 42 47 20"},
    {U'\u00B7', 0, "D 0 28"},
    {U'\u00D7', 30, "L 2 43 28 17 L 28 43 2 17"},
    {U'\u2013', 36, "L 0 25 36 25"},
    {U'\u2026', 44, "D 0 0 D 22 0 D 44 0"},
    {U'\u2192', 46, "L 0 30 46 30 L 31 45 46 30 31 15"},
    {U'\u2713', 40, "L 0 27 14 8 40 54"},
};

struct segment {
  double x0, y0, x1, y1;
};

struct outline {
  double width = 0;
  std::vector<segment> segments;
};

outline outline_of(glyph const& letter) {
  outline result{letter.width, {}};
  auto& segments = result.segments;
  std::istringstream strokes(letter.strokes);
  auto const number = [&] {
    double value = 0;
    strokes >> value;
    return value;
  };
  auto const curve = [&](int pieces, auto point) {
    for (int i = 0; i < pieces; ++i) {
      auto const [x0, y0] = point(static_cast<double>(i) / pieces);
      auto const [x1, y1] = point(static_cast<double>(i + 1) / pieces);
      segments.push_back({x0, y0, x1, y1});
    }
  };
  using point = std::array<double, 2>;
  for (char stroke = 0; strokes >> stroke;) {
    if (stroke == 'L') {
      point last{number(), number()};
      for (point next; strokes >> next[0] >> next[1]; last = next) {
        segments.push_back({last[0], last[1], next[0], next[1]});
      }
      strokes.clear();
    } else if (stroke == 'D') {
      point const dot{number(), number()};
      segments.push_back({dot[0], dot[1], dot[0], dot[1]});
    } else if (stroke == 'A') {
      point const centre{number(), number()}, radius{number(), number()};
      double const degree = 3.14159265358979 / 180;
      double const from = number() * degree, to = number() * degree;
      curve(1 + static_cast<int>(std::abs(to - from) * 8), [&](double t) {
        double const angle = from + t * (to - from);
        return point{centre[0] + radius[0] * std::cos(angle), centre[1] + radius[1] * std::sin(angle)};
      });
    } else {
      std::array<double, 8> c{};
      for (double& coordinate : c) coordinate = number();
      curve(20, [&](double t) {
        double const s = 1 - t;
        auto const blend = [&](std::size_t d) {
          return s * s * s * c[d] + 3 * s * s * t * c[d + 2] + 3 * s * t * t * c[d + 4] + t * t * t * c[d + 6];
        };
        return point{blend(0), blend(1)};
      });
    }
  }
  return result;
}

outline const& find_outline(char32_t letter) {
  static auto const outlines = [] {
    std::map<char32_t, outline> all;
    for (auto const& each : glyphs) all.emplace(each.letter, outline_of(each));
    return all;
  }();
  auto const found = outlines.find(letter);
  return found == outlines.end() ? outlines.at(U'?') : found->second;
}

std::u32string letters_of(std::string_view utf8) {
  std::u32string letters;
  for (std::size_t i = 0; i < utf8.size();) {
    auto const lead = static_cast<unsigned char>(utf8[i++]);
    int const more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t letter = more == 0 ? lead : lead & (0x3Fu >> more);
    for (int k = 0; k < more && i < utf8.size() && (static_cast<unsigned char>(utf8[i]) & 0xC0) == 0x80; ++k, ++i) {
      letter = letter << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3Fu);
    }
    letters.push_back(letter);
  }
  return letters;
}

double advance(char32_t letter) { return letter == U' ' ? space_width : find_outline(letter).width + 2 * side_bearing; }

double distance(segment const& s, double x, double y) {
  double const dx = s.x1 - s.x0, dy = s.y1 - s.y0;
  double const length = dx * dx + dy * dy;
  double const t = length > 0 ? std::clamp(((x - s.x0) * dx + (y - s.y0) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

double width_of(std::u32string const& letters, double unit) {
  double width = 0;
  for (char32_t const letter : letters) width += advance(letter);
  return width * unit;
}

}  // namespace

double text_width(std::string_view text, typeface const& face) {
  return width_of(letters_of(text), face.size / capital_height);
}

double canvas::write(std::string_view text, double x, double baseline, typeface const& face) {
  double const unit = face.size / capital_height;
  double const half = std::max(face.weight * face.size, 1.1) / 2;
  for (char32_t const letter : letters_of(text)) {
    if (letter != U' ') {
      auto const& [width, segments] = find_outline(letter);
      double const origin = x + side_bearing * unit;
      // Dots are a little larger than strokes are thick, or they would look smaller.
      auto const depth = [&](segment const& s, double px, double py) {
        bool const dot = s.x0 == s.x1 && s.y0 == s.y1;
        return half * (dot ? 1.3 : 1.0) - distance(s, px, py) * unit;
      };
      double const reach = half + 2;
      auto const left = static_cast<std::int64_t>(origin - reach - 16 * unit);
      auto const right = static_cast<std::int64_t>(origin + width * unit + reach + 1);
      auto const top = static_cast<std::int64_t>(baseline - 78 * unit - reach);
      auto const bottom = static_cast<std::int64_t>(baseline + 20 * unit + reach + 1);
      for (std::int64_t py = top; py <= bottom; ++py) {
        for (std::int64_t px = left; px <= right; ++px) {
          double const ux = (static_cast<double>(px) + 0.5 - origin) / unit;
          double const uy = (baseline - static_cast<double>(py) - 0.5) / unit;
          double deepest = -1;
          for (auto const& s : segments) deepest = std::max(deepest, depth(s, ux, uy));
          if (deepest > -0.5) blend(px, py, face.colour, std::min(1.0, deepest + 0.5));
        }
      }
    }
    x += advance(letter) * unit;
  }
  return x;
}

std::string shortened(std::string_view text, typeface const& face, double width) {
  if (text_width(text, face) <= width) return std::string(text);
  auto const is_continuation = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  for (std::size_t kept = text.size(); kept > 1; --kept) {
    std::size_t head = kept / 2;
    std::size_t tail = text.size() - (kept - head);
    while (head > 0 && is_continuation(head)) --head;
    while (is_continuation(tail)) ++tail;
    std::string const candidate = std::string(text.substr(0, head)) + "\u2026" + std::string(text.substr(tail));
    if (text_width(candidate, face) <= width) return candidate;
  }
  return "\u2026";
}

}  // namespace examples
