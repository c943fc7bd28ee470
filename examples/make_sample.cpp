// SPDX-License-Identifier: MIT
// Paints data/sample.jpg, the picture that the demo uses when it is given none: a lake in the mountains at dusk.
// Everything is computed from formulas and a hash, so that it comes out the same each time.
//
// Usage: make_sample [output.jpg] [height]
#include "support/image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

namespace {

struct colour {
  double r = 0, g = 0, b = 0;  // linear light
};

colour operator+(colour a, colour b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
colour operator*(colour a, double s) { return {a.r * s, a.g * s, a.b * s}; }
colour operator*(colour a, colour b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
colour mix(colour a, colour b, double t) { return a * (1 - t) + b * t; }

double mix(double a, double b, double t) { return a + (b - a) * t; }
double clamp01(double t) { return std::clamp(t, 0.0, 1.0); }
double smoothstep(double from, double to, double x) {
  double const t = clamp01((x - from) / (to - from));
  return t * t * (3 - 2 * t);
}

double linear_from_srgb(double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); }
double srgb_from_linear(double l) { return l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055; }

colour hex(std::uint32_t rgb) {
  static auto const linear = [] {
    std::array<double, 256> table{};
    for (std::size_t value = 0; value < 256; ++value) table[value] = linear_from_srgb(static_cast<double>(value) / 255);
    return table;
  }();
  return {linear[rgb >> 16 & 0xFF], linear[rgb >> 8 & 0xFF], linear[rgb & 0xFF]};
}

// ---- noise

double hash(int x, int y, std::uint32_t seed) {
  std::uint32_t h =
      static_cast<std::uint32_t>(x) * 0x8DA6B343u ^ static_cast<std::uint32_t>(y) * 0xD8163841u ^ seed * 0xCB1AB31Fu;
  h = (h ^ h >> 16) * 0x7FEB352Du;
  h = (h ^ h >> 15) * 0x846CA68Bu;
  return static_cast<double>(h ^ h >> 16) / 4294967296.0;
}

double noise(double x, double y, std::uint32_t seed) {
  double const fx = std::floor(x), fy = std::floor(y);
  int const ix = static_cast<int>(fx), iy = static_cast<int>(fy);
  double const u = smoothstep(0, 1, x - fx), v = smoothstep(0, 1, y - fy);
  return mix(mix(hash(ix, iy, seed), hash(ix + 1, iy, seed), u),
             mix(hash(ix, iy + 1, seed), hash(ix + 1, iy + 1, seed), u), v);
}

double fractal(double x, double y, int octaves, std::uint32_t seed) {
  double sum = 0, weight = 0.5;
  for (int octave = 0; octave < octaves; ++octave, weight /= 2, x *= 2.03, y *= 2.03) {
    sum += weight * noise(x, y, seed + static_cast<std::uint32_t>(octave));
  }
  return sum;
}

// Sharp crests instead of round hills.
double ridged(double x, double y, int octaves, std::uint32_t seed) {
  double sum = 0, weight = 0.5;
  for (int octave = 0; octave < octaves; ++octave, weight /= 2, x *= 2.1, y *= 2.1) {
    double const crest = 1 - std::abs(2 * noise(x, y, seed + static_cast<std::uint32_t>(octave)) - 1);
    sum += weight * crest * crest;
  }
  return sum;
}

// ---- the scene: x from 0 to 1.5, y from 0 (top) to 1, the shore at y = shore

constexpr double shore = 0.655;
constexpr double glow_x = 1.02;

struct stop {
  double at;
  std::uint32_t rgb;
};

colour gradient(std::span<stop const> stops, double t) {
  for (std::size_t i = 1; i < stops.size(); ++i) {
    if (t <= stops[i].at) {
      return mix(hex(stops[i - 1].rgb), hex(stops[i].rgb), smoothstep(stops[i - 1].at, stops[i].at, t));
    }
  }
  return hex(stops.back().rgb);
}

colour sky(double x, double y) {
  static constexpr std::array<stop, 7> stops{{{0.00, 0x0D1233},
                                              {0.28, 0x232A63},
                                              {0.50, 0x54478A},
                                              {0.68, 0x9F5F93},
                                              {0.82, 0xE08785},
                                              {0.93, 0xFBB97F},
                                              {1.00, 0xFFDDA0}}};
  double const t = y / shore;
  double const dx = x - glow_x, dy = (y - shore + 0.10) * 1.45;
  double const glow = std::exp(-(dx * dx * 1.2 + dy * dy) / 0.075);
  double const wide_glow = std::exp(-(dx * dx * 0.55 + dy * dy * 0.8) / 0.16);
  colour c = gradient(stops, clamp01(t - 0.10 + 0.13 * wide_glow));
  c = c + hex(0xFFB060) * (0.42 * glow) + hex(0xFF7A66) * (0.12 * wide_glow);

  // Stars: at most one a cell, most of them faint.
  double const night = 1 - smoothstep(0.15, 0.72, t);
  double const cell = 1.0 / 62;
  int const column = static_cast<int>(std::floor(x / cell)), row = static_cast<int>(std::floor(y / cell));
  for (int j = row - 1; j <= row + 1; ++j) {
    for (int i = column - 1; i <= column + 1; ++i) {
      if (hash(i, j, 11) > 0.40) continue;
      double const sx = (i + hash(i, j, 12)) * cell, sy = (j + hash(i, j, 13)) * cell;
      double const brightness = std::pow(hash(i, j, 14), 11.0);
      double const radius = mix(0.00075, 0.0016, brightness);
      double const d2 = (x - sx) * (x - sx) + (y - sy) * (y - sy);
      double const light = (0.16 + 1.5 * brightness) * std::exp(-d2 / (radius * radius)) +
                           0.05 * brightness * std::exp(-d2 / (22 * radius * radius));
      c = c + mix(hex(0xBFD0FF), hex(0xFFE6C8), hash(i, j, 15)) * (light * night);
    }
  }

  // A crescent moon, its dark part faintly lit by the earth.
  double const mx = x - 0.365, my = y - 0.150, radius = 0.036;
  double const from_centre = std::hypot(mx, my);
  double const disc = 1 - smoothstep(radius - 0.0012, radius + 0.0012, from_centre);
  double const shadow = 1 - smoothstep(radius * 0.93, radius * 1.01, std::hypot(mx + 0.0165, my + 0.0085));
  c = mix(c, hex(0x3A4280), 0.55 * disc);
  c = mix(c, hex(0xFFF4DC) * 1.15, disc * (1 - shadow));
  c = c + hex(0xC9CCFF) * (0.16 * std::exp(-from_centre * from_centre / 0.0065) * (1 - disc));

  // Thin clouds, lit from below.
  double const bend = fractal(x * 2.1, y * 3, 3, 40) - 0.5;
  double const streaks = fractal(x * 2.6 + bend, y * 15 + 2.2 * bend, 5, 41);
  double const band = smoothstep(0.30, 0.60, t) * (1 - smoothstep(0.86, 1.02, t));
  double const density = smoothstep(0.47, 0.74, streaks) * band;
  double const under = fractal(x * 2.6 + bend, (y + 0.012) * 15 + 2.2 * bend, 5, 41);
  double const lit = clamp01(0.45 + 5 * (streaks - under)) * (0.5 + 0.8 * wide_glow);
  colour const cloud = mix(hex(0x6A5590), mix(hex(0xF08A84), hex(0xFFCB8E), clamp01(wide_glow)), clamp01(lit));
  return mix(c, cloud, 0.80 * density);
}

// ---- mountains

struct range {
  double base, height, frequency;
  std::uint32_t seed;
  std::uint32_t crest, foot;  // colours
  double trees;               // height of the trees on the crest
};

// From far to near.
constexpr std::array<range, 4> ranges{{{0.555, 0.090, 4.4, 70, 0x8E6497, 0xD98F93, 0},
                                       {0.600, 0.075, 5.2, 80, 0x5B477F, 0xA56C8D, 0},
                                       {0.632, 0.060, 4.1, 90, 0x33315F, 0x644A78, 0.010},
                                       {0.652, 0.036, 3.2, 100, 0x171A3C, 0x2C2750, 0.021}}};

double crest_of(range const& mountains, double x) {
  double const rough = ridged(x * mountains.frequency, 0.5, 6, mountains.seed);
  double y = mountains.base - mountains.height * (1.55 * rough - 0.25);
  // The valley opens towards the glow, so that the lake gets its light.
  double const valley = std::exp(-(x - glow_x) * (x - glow_x) / 0.05);
  y += mountains.height * 0.5 * valley;
  if (mountains.trees > 0) {
    for (int layer = 0; layer < 3; ++layer) {
      double const spacing = mountains.trees * (0.30 + 0.06 * layer);
      double const position = x / spacing + 0.37 * layer;
      int const tree = static_cast<int>(std::floor(position));
      double const height = mountains.trees * mix(0.35, 1.0, hash(tree, layer, mountains.seed + 30));
      double const from_trunk = std::abs(position - std::floor(position) - 0.5) * 2;
      y = std::min(y, y + 0.25 * mountains.trees - height * std::max(0.0, 1 - from_trunk * 1.25));
    }
  }
  return y;
}

// The great peak behind the ranges: a steep pyramid with a shoulder on each side.
double peak_crest(double x) {
  double const rough = ridged(x * 7.0, 3.5, 6, 60) - 0.45;
  double const from_top = x - 0.660;
  double const pyramid = 0.215 + 0.50 * (from_top < 0 ? 1.10 * -from_top : 0.92 * from_top);
  double const bent = pyramid + 0.55 * std::pow(std::abs(from_top), 1.5);
  double const left = 0.345 + 0.62 * std::abs(x - 0.455);
  double const right = 0.375 + 0.55 * std::abs(x - 0.880);
  double const far_left = 0.395 + 0.50 * std::abs(x - 0.190);
  double const far_right = 0.400 + 0.42 * std::abs(x - 1.300);
  double const crest = std::min({bent, left, right, far_left, far_right});
  return crest - 0.060 * rough;
}

colour peak_colour(double x, double y, double crest) {
  double const depth = y - crest;
  // Ribs run down the flanks, spreading from the summit; the slope along x of broad and of fine ribs says how much
  // of the light from the right a place gets.
  double const warp = 0.10 * (fractal(x * 7, y * 7, 4, 50) - 0.5);
  double const spread = (x - 0.66) * (1 - 0.9 * depth) + warp;
  auto const relief = [&](double offset) {
    return 1.0 * ridged((spread + offset) * 4.2 + 0.9 * depth, y * 2.6, 3, 52) +
           0.42 * ridged((spread + offset) * 13 - 2.0 * depth, y * 8.5 + 6 * warp, 5, 56);
  };
  double const slope = (relief(0.0025) - relief(-0.0025)) / 0.0050;
  double const lit = smoothstep(-7.5, 8.5, -slope + 6.5 * (x - 0.66) - 0.4);
  double const snow_line = 0.105 + 0.09 * (fractal(x * 16, y * 16, 4, 55) - 0.45);
  double const snow = 1 - smoothstep(snow_line * 0.7, snow_line * 1.9, depth + 0.10 * (0.75 - relief(0)));
  colour const rock = mix(hex(0x4B3F74), hex(0xB87A84), lit);
  colour const ice = mix(hex(0x7C78B4), hex(0xFFD0B0), lit);
  colour const ground = mix(rock, ice, snow * 0.92);
  return mix(ground, hex(0xD08C97), smoothstep(0.30, 0.56, y) * 0.80);  // haze in the valley
}

// ---- things

// How much of a pixel is inside, for a distance that is negative inside.
double inside(double distance) { return 1 - smoothstep(-0.0008, 0.0008, distance); }

double box(double x, double y, double cx, double cy, double half_width, double half_height) {
  return std::max(std::abs(x - cx) - half_width, std::abs(y - cy) - half_height);
}

colour balloon(colour behind, double x, double y, double cx, double cy, double radius, int palette) {
  static constexpr std::array<std::array<std::uint32_t, 4>, 2> gores{
      {{0xE4483F, 0xFFC857, 0xF4F1E6, 0xFFC857}, {0x2F9C95, 0xF4F1E6, 0x2F9C95, 0xF7A145}}};
  double const u = (x - cx) / radius, v = (y - cy) / radius;
  if (std::abs(u) > 1.2 || v < -1.2 || v > 2.2) return behind;
  double const pixel = 0.0009 / radius;

  // The envelope: a half circle above, tapering to the mouth below.
  double const half_width =
      v < 0 ? std::sqrt(std::max(0.0, 1 - v * v)) : std::sqrt(std::max(0.0, 1 - v * v / 1.96)) * (1 - 0.16 * v * v);
  double const mouth = 1.30;
  colour c = behind;

  double const basket_top = 1.66, basket_bottom = 1.86;
  for (double const side : {-1.0, -0.35, 0.35, 1.0}) {  // ropes
    double const rope = mix(0.30, 0.13, (v - 1.2) / (basket_top - 1.2)) * side;
    if (v > 1.2 && v < basket_top)
      c = mix(c, hex(0x2A1F30), 0.8 * (1 - smoothstep(0.0, 2.2 * pixel, std::abs(u - rope))));
  }
  double const basket =
      std::max(std::abs(u) - 0.15 + 0.12 * (v - basket_top), std::abs(v - (basket_top + basket_bottom) / 2) - 0.10);
  c = mix(c, mix(hex(0x6B4028), hex(0xB9793F), smoothstep(-0.15, 0.15, u)), 1 - smoothstep(-pixel, pixel, basket));

  if (v < mouth && half_width > 0) {
    double const longitude = std::asin(std::clamp(u / half_width, -1.0, 1.0));
    double const gore = (longitude / 3.14159265 + 0.5) * 8 + 0.5;
    int const index = static_cast<int>(std::floor(gore));
    auto const& colours = gores[static_cast<std::size_t>(palette)];
    colour cloth = hex(colours[static_cast<std::size_t>(index) % 4]);
    bool const belt = std::abs(v - 0.28) < 0.10;
    if (belt) cloth = hex(palette == 0 ? 0x2B4C8C : 0xE4483F);
    double const seam = std::abs(gore - std::floor(gore) - 0.5) * 2;
    double const light = 0.42 + 0.62 * clamp01(0.5 + 0.55 * std::sin(longitude) - 0.12 * v);
    colour shaded = cloth * (light * (1 - 0.22 * smoothstep(0.75, 1.0, seam)));
    shaded = shaded * mix(colour{0.92, 0.86, 1.10}, colour{1.10, 0.98, 0.84}, smoothstep(-0.6, 0.8, u));
    double const flame = std::exp(-(u * u * 3.0 + (v - 1.15) * (v - 1.15) * 1.3));
    shaded = shaded + cloth * hex(0xFFC470) * (0.55 * flame);
    double const edge = (std::abs(u) - half_width) * std::min(1.0, half_width + 0.25);
    c = mix(c, shaded, (1 - smoothstep(-1.5 * pixel, pixel, edge)) * (1 - smoothstep(mouth - pixel, mouth + pixel, v)));
  }
  double const fire = std::exp(-(u * u / 0.006 + (v - 1.44) * (v - 1.44) / 0.012));
  return c + hex(0xFFB347) * (0.9 * fire);
}

colour cabin(colour behind, double x, double y) {
  double const cx = 0.300, ground = shore + 0.002, half = 0.034, wall = 0.026, roof = 0.027;
  colour c = behind;
  double const chimney = box(x, y, cx + 0.019, ground - wall - 0.022, 0.0038, 0.012);
  c = mix(c, hex(0x1B1830), inside(chimney));
  c = mix(c, hex(0x35243A), inside(box(x, y, cx, ground - wall / 2, half, wall / 2)));
  double const above = ground - wall - y;
  double const eaves = std::max(-above - 0.002, std::abs(x - cx) - (half + 0.009) * (1 - above / roof));
  c = mix(c, mix(hex(0x1A1530), hex(0x4A3050), smoothstep(cx - 0.02, cx + 0.04, x)), inside(eaves * 0.7));
  for (double const window : {-0.019, 0.002}) {
    double const pane = box(x, y, cx + window, ground - 0.0145, 0.0062, 0.0062);
    double const frame = std::min(std::abs(x - cx - window), std::abs(y - ground + 0.0145));
    c = mix(c, mix(hex(0xA0602A), hex(0xFFD88A) * 1.25, smoothstep(0.0003, 0.0011, frame)), inside(pane));
  }
  c = mix(c, hex(0x20162A), inside(box(x, y, cx + 0.022, ground - 0.009, 0.0050, 0.009)));
  double const d2 = (x - cx + 0.008) * (x - cx + 0.008) + (y - ground + 0.014) * (y - ground + 0.014);
  c = c + hex(0xFFA94D) * (0.16 * std::exp(-d2 / 0.0011));
  // Smoke drifts to the left.
  double const rise = ground - wall - 0.034 - y;
  if (rise > 0 && rise < 0.12) {
    double const path = cx + 0.019 - 0.55 * rise * rise / 0.12 - 0.008 * (noise(rise * 60, 0.5, 120) - 0.5);
    double const width = 0.0022 + 0.10 * rise;
    double const smoke =
        std::exp(-(x - path) * (x - path) / (width * width)) * (1 - rise / 0.12) * smoothstep(0, 0.01, rise);
    c = mix(c, hex(0xC9A9BC), 0.38 * smoke);
  }
  return c;
}

// A conifer: drooping boughs that widen downwards. Negative inside.
double conifer(double x, double y, double trunk, double top, double bottom, double width, std::uint32_t seed) {
  double const t = (y - top) / (bottom - top);
  if (t < 0 || t > 1) return 1;
  double const side = x < trunk ? -1 : 1;
  double const boughs = 19 + 7 * hash(0, 0, seed);
  double const phase = t * boughs + 0.5 * (side > 0) + 0.35 * noise(t * 9, side, seed);
  double const tooth = phase - std::floor(phase);
  int const bough = static_cast<int>(std::floor(phase));
  double const reach = mix(0.72, 1.08, hash(bough, static_cast<int>(side), seed + 1));
  double const ragged = 0.26 * (noise(x * 420, y * 420, seed + 2) - 0.5);
  double const extent = width * std::pow(t, 0.86) * reach * (mix(0.50, 1.0, std::pow(tooth, 1.6)) + ragged);
  return std::abs(x - trunk) - std::max(extent, 0.0011);
}

colour above_water(double x, double y) {
  // What a nearer range hides is not computed.
  std::array<double, ranges.size()> crests{};
  std::size_t first = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    crests[i] = crest_of(ranges[i], x);
    if (inside(crests[i] - y) >= 1) first = i;
  }
  bool const hidden = inside(crests[first] - y) >= 1;
  colour c;
  if (!hidden) {
    double const peak = peak_crest(x);
    double const covered = inside(peak - y);
    if (covered < 1) {
      c = sky(x, y);
      c = balloon(c, x, y, 1.010, 0.172, 0.083, 0);
      c = balloon(c, x, y, 1.262, 0.300, 0.030, 1);
    }
    if (covered > 0) c = mix(c, peak_colour(x, y, peak), covered);
  }
  for (std::size_t i = first; i < ranges.size(); ++i) {
    auto const& mountains = ranges[i];
    double const crest = crests[i];
    if (y < crest - 0.001) continue;
    double const depth = clamp01((y - crest) / (shore - crest + 0.004));
    colour land = mix(hex(mountains.crest), hex(mountains.foot), std::pow(depth, 1.2));
    double const texture = ridged(x * 24, y * 30, 4, mountains.seed + 5) - 0.45;
    land = land * (1 + 0.22 * texture);
    double const near_glow = std::exp(-(x - glow_x) * (x - glow_x) / 0.08);
    land = mix(land, hex(0xFFB07C), 0.30 * near_glow * (mountains.seed < 90 ? 1 : 0.35));
    c = mix(c, land, inside(crest - y));
  }
  // Mist over the far shore.
  double const mist =
      std::exp(-(y - shore + 0.010) * (y - shore + 0.010) / 0.00022) * (0.35 + 0.65 * fractal(x * 5, 2, 4, 130));
  c = mix(c, hex(0xF2B5A6), 0.34 * mist);
  for (int tree = 0; tree < 7 && x < 0.6; ++tree) {  // a few trees around the cabin
    double const trunk =
        0.205 + 0.034 * tree + 0.012 * hash(tree, 0, 140) + (tree > 1 ? 0.035 : 0) + (tree > 3 ? 0.018 : 0);
    double const top = shore - mix(0.045, 0.095, hash(tree, 1, 140));
    c = mix(c, hex(0x12142F),
            inside(conifer(x, y, trunk, top, shore + 0.004, 0.0135, 150 + static_cast<std::uint32_t>(tree))));
  }
  return cabin(c, x, y);
}

colour lake(double x, double y) {
  double const distance = 1 / (y - shore + 0.012);  // perspective: ripples get finer towards the shore
  double const ripple = fractal(x * 3.0 * (1 + 0.06 * distance), 1.15 * distance + 0.3 * x, 4, 160) - 0.47;
  double const fine = noise(x * 14 + 2 * ripple, 3.1 * distance, 170) - 0.5;
  double const near = (y - shore) / (1 - shore);
  double const mirrored = shore - (y - shore) * 0.98 + (0.006 + 0.050 * near) * ripple + 0.008 * near * fine;
  colour reflection =
      above_water(x + (0.004 + 0.022 * near) * ripple + 0.004 * near * fine, std::min(mirrored, shore - 0.001));
  reflection = reflection * mix(colour{0.80, 0.80, 0.88}, colour{0.42, 0.46, 0.66}, std::sqrt(near));
  colour c = mix(reflection, hex(0x0B1236), 0.10 + 0.26 * near);
  // Breaths of wind brighten bands of the water with the sky above.
  double const breath = smoothstep(0.50, 0.70, fractal(x * 1.3, y * 34, 3, 180)) * smoothstep(0.0, 0.08, near);
  c = mix(c, hex(0x9A7FB0), 0.16 * breath);
  double const sparkle =
      smoothstep(0.66, 0.80, ripple + 0.47 + 0.4 * fine) * std::exp(-(x - glow_x) * (x - glow_x) / 0.03);
  c = c + hex(0xFFC890) * (0.10 * sparkle);
  // The waterline.
  return mix(c, hex(0x191633), 0.75 * std::exp(-(y - shore) * (y - shore) / 0.000010));
}

colour scene(double x, double y) {
  colour c = y < shore ? above_water(x, y) : lake(x, y);

  // The near shore, with conifers to frame the view.
  colour const near_ground = hex(0x070A1E);
  double const bank = std::min(0.985 - 0.135 * std::pow(smoothstep(0.42, 0.0, x), 1.3),
                               0.992 - 0.150 * std::pow(smoothstep(1.05, 1.5, x), 1.4)) -
                      0.016 * (fractal(x * 16, 1, 5, 190) - 0.5);
  static constexpr std::array<std::array<double, 4>, 8> trees{{{1.445, 0.235, 1.00, 0.082},
                                                               {1.345, 0.470, 1.00, 0.058},
                                                               {1.505, 0.400, 1.00, 0.084},
                                                               {1.268, 0.690, 1.00, 0.036},
                                                               {0.045, 0.380, 1.00, 0.070},
                                                               {-0.02, 0.480, 1.00, 0.080},
                                                               {0.128, 0.610, 1.00, 0.045},
                                                               {0.192, 0.765, 1.00, 0.028}}};
  for (std::size_t i = 0; i < trees.size(); ++i) {
    auto const& [trunk, top, bottom, width] = trees[i];
    double const depth = inside(conifer(x, y, trunk, top, bottom, width, 200 + 10 * static_cast<std::uint32_t>(i)));
    double const rim = smoothstep(-0.05, 0.05, (x - trunk) * (trunk < glow_x ? 1 : -1));
    c = mix(c, mix(hex(0x080B20), hex(0x1C1A3C), rim), depth);
  }
  c = mix(c, near_ground, smoothstep(-0.0015, 0.0015, y - bank));
  double const blade = hash(static_cast<int>(std::floor(x * 520)), 0, 210);
  double const grass = bank - 0.020 * blade * blade * smoothstep(0.3, 0.7, noise(x * 22, 0.5, 211));
  c = mix(c, near_ground, inside(grass - y));

  double const vignette = 1 - 0.20 * std::pow(std::hypot((x - 0.75) / 0.95, (y - 0.48) / 0.72), 2.6);
  return c * vignette;
}

double tone(double light) {  // keeps the shadows, rolls off the lights
  double const exposed = light * 1.06;
  return exposed < 0.7 ? exposed : 0.7 + 0.3 * (1 - std::exp(-(exposed - 0.7) / 0.3));
}

}  // namespace

int main(int argc, char** argv) {
  std::string const path = argc > 1 ? argv[1] : "sample.jpg";
  int const height = std::clamp(argc > 2 ? std::atoi(argv[2]) : 800, 2, 8000);
  int const width = height * 3 / 2;
  constexpr int samples = 3;

  examples::image picture;
  picture.width = width;
  picture.height = height;
  picture.channels = 3;
  picture.pixels.reserve(std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      colour sum;
      for (int j = 0; j < samples; ++j) {
        for (int i = 0; i < samples; ++i) {
          sum = sum + scene((column + (i + 0.5) / samples) / height, (row + (j + 0.5) / samples) / height);
        }
      }
      sum = sum * (1.0 / (samples * samples));
      double const grain = hash(column, row, 300) - 0.5;  // hides the steps of 8 bit in the sky
      for (double const light : {sum.r, sum.g, sum.b}) {
        double const value = 255 * srgb_from_linear(tone(light)) + 1.2 * grain;
        picture.pixels.push_back(static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)));
      }
    }
  }
  try {
    examples::write_jpeg(path, picture, 94);
  } catch (examples::image_error const& problem) {
    std::fprintf(stderr, "make_sample: %s\n", problem.what());
    return 1;
  }
}
