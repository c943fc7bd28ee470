// SPDX-License-Identifier: MIT
#ifndef NDX_VERSION_HPP
#define NDX_VERSION_HPP

#define NDX_VERSION_MAJOR 0
#define NDX_VERSION_MINOR 1
#define NDX_VERSION_PATCH 0

/// One number that grows with every version, for `#if`: 0.1.0 is 100, 1.2.3 is 10203.
#define NDX_VERSION (NDX_VERSION_MAJOR * 10000 + NDX_VERSION_MINOR * 100 + NDX_VERSION_PATCH)

#endif
