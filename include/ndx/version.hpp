// SPDX-License-Identifier: MIT
#ifndef NDX_VERSION_HPP
#define NDX_VERSION_HPP

#define NDX_VERSION_MAJOR 0
#define NDX_VERSION_MINOR 1
#define NDX_VERSION_PATCH 0

#endif
