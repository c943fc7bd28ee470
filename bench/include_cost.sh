#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `#include <ndx/ndx.hpp>` costs a compilation: processor time of `g++ -std=c++20 -O0 -c`, the median of 7, next to
# that of an empty file. Exit status 1 above the limit. Processor time, because the compiler runs on one thread and this
# way other work on the machine hardly counts.
#
# Usage: bench/include_cost.sh [compiler]
set -euo pipefail

limit=0.5
compiler=${1:-g++}
include=$(cd "$(dirname "${BASH_SOURCE[0]}")/../include" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

seconds() {  # of one compilation of $1
  local TIMEFORMAT='%U %S'
  { time "$compiler" -std=c++20 -O0 -I "$include" -c "$1" -o "$folder/object.o"; } 2>&1 | awk '{ print $1 + $2 }'
}

median() {
  seconds "$1" >/dev/null  # once uncounted: from then on the files are in memory
  for _ in 1 2 3 4 5 6 7; do seconds "$1"; done | sort -n | sed -n 4p
}

: >"$folder/empty.cpp"
echo '#include <ndx/ndx.hpp>' >"$folder/ndx.cpp"
"$compiler" -std=c++20 -O0 -I "$include" -c "$folder/ndx.cpp" -o "$folder/object.o"  # errors belong on the screen

export LC_ALL=C
cost=$(median "$folder/ndx.cpp")
printf '#include <ndx/ndx.hpp>: %.2f s, an empty file: %.2f s (%s -O0)\n' "$cost" "$(median "$folder/empty.cpp")" "$compiler"
if awk "BEGIN { exit !($cost > $limit) }"; then
  echo "error: more than $limit s" >&2
  exit 1
fi
