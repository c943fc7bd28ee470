// SPDX-License-Identifier: MIT
#pragma once

#include "image.hpp"

#include <cstdint>
#include <vector>

namespace examples {

/// How often each of 256 levels occurs, as a picture: the levels of one colour after those of the other.
image drawn_histogram(std::vector<std::uint32_t> const& counts, double aspect);

}  // namespace examples
