// SPDX-License-Identifier: MIT
#pragma once

#include "image.hpp"

#include <cstdint>

namespace examples {

/// A round sticker as RGBA, `diameter` pixels wide and high, transparent around it.
image sticker(std::int64_t diameter);

}  // namespace examples
