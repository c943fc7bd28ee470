// SPDX-License-Identifier: MIT
// rejected with: conversion from 'tensor_view<const float,.*tensor_view<float,
#include <ndx/ndx.hpp>

void run(ndx::tensor_view<float const, 2> view) {
  ndx::tensor_view<float, 2> const other = view;
  static_cast<void>(other);
}
