// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_HPP
#define NDX_VULKAN_HPP

/// The Vulkan policy. Needs the Vulkan headers to compile, finds the loader at run time.

#include <ndx/ndx.hpp>
#include <ndx/vulkan/batch.hpp>
#include <ndx/vulkan/device.hpp>
#include <ndx/vulkan/recorder.hpp>
#include <ndx/vulkan/tensor.hpp>

#endif
