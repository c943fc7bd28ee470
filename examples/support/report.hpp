// SPDX-License-Identifier: MIT
#pragma once

#include "image.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace examples {

struct timing {
  std::string policy;
  double seconds = 0;      ///< median of several runs
  std::string difference;  ///< where the output differs from that of the first policy; empty: nowhere
};

/// What one job did, for the table and for the contact sheet.
struct result {
  std::string operator_name;
  std::string what;
  std::string shapes;      ///< "input -> output", as source code would spell the extents
  std::int64_t bytes = 0;  ///< read and written by one run
  image picture;
  std::vector<timing> timings;
};

/// The median time of one call in seconds: at least three calls, more of them while they are quick.
double median_seconds(std::function<void()> const& call);

/// Three digits and a unit.
std::string readable_time(double seconds);
std::string readable_rate(std::int64_t bytes, double seconds);

void print_table(std::vector<result> const& results);

struct policy_note {
  std::string policy;
  std::string note;
};

/// The results around the picture they were made from.
image contact_sheet(image const& original, std::string const& title, std::string const& facts,
                    std::vector<policy_note> const& policies, std::vector<result> const& results);

}  // namespace examples
