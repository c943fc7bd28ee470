#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `#include <ndx/ndx.hpp>` costs a compilation: processor time of `g++ -std=c++20 -O0 -c`, the median of 7, next to
# that of an empty file. Exit status 1 above the limit. Processor time, because the compiler runs on one thread and this
# way other work on the machine hardly counts. Then what a file costs with -O2 that calls an operator, with the kernels in
# it and with NDX_COMPILED_KERNELS, where they are in a file of their own. Where a build has generated the kernels, the cost of <ndx/vulkan.hpp> and
# the size of the object of a program that includes it, and of one that calls an operator with a device, are told too.
#
# Usage: bench/include_cost.sh [compiler [folder of the generated headers]]
set -euo pipefail

limit=0.5
compiler=${1:-g++}
generated=${2:-$(dirname "${BASH_SOURCE[0]}")/../build/bench/generated/include}
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

cat >"$folder/operator.cpp" <<'END'
#include <ndx/ndx.hpp>
void call(ndx::tensor_view<float const, 2> table, ndx::tensor_view<int const, 2> indices,
          ndx::tensor_view<float, 2> rows) {
  ndx::gather_nd(ndx::par_simd, table, indices, rows);
}
END
cp "$include/ndx/compiled_kernels.cpp" "$folder/kernels.cpp"
optimized() {  # $1 with the options behind it: seconds, and KiB of code and data
  local TIMEFORMAT='%U %S' file=$1 time
  shift
  time=$({ time "$compiler" -std=c++20 -O2 -I "$include" "$@" -c "$file" -o "$folder/object.o"; } 2>&1 | awk '{ print $1 + $2 }')
  printf '%.1f s, %d KiB' "$time" "$(($(size "$folder/object.o" | awk 'NR == 2 { print $4 }') / 1024))"
}
printf 'a file that calls gather_nd, -O2: %s; with NDX_COMPILED_KERNELS: %s; compiled_kernels.cpp: %s\n' \
  "$(optimized "$folder/operator.cpp")" "$(optimized "$folder/operator.cpp" -DNDX_COMPILED_KERNELS)" \
  "$(optimized "$folder/kernels.cpp")"

if [ -f "$generated/ndx/vulkan/spirv.hpp" ]; then
  compiler_alone=$compiler
  includes_generated() { "$compiler_alone" -I "$generated" "$@"; }
  compiler=includes_generated
  echo '#include <ndx/vulkan.hpp>' >"$folder/vulkan.cpp"
  cat >"$folder/call.cpp" <<'END'
#include <ndx/vulkan.hpp>
void call(ndx::vulkan::device const& gpu, ndx::tensor_view<float const, 2> table,
          ndx::tensor_view<int const, 2> indices, ndx::tensor_view<float, 2> rows) {
  ndx::gather_nd(gpu, table, indices, rows);
}
END
  for program in vulkan call; do
    cost=$(median "$folder/$program.cpp")
    includes_generated -std=c++20 -O2 -I "$include" -c "$folder/$program.cpp" -o "$folder/object.o"
    printf '%s: %.2f s (%s -O0), an object of %d KiB (-O2)\n' \
      "$([ $program = vulkan ] && echo '#include <ndx/vulkan.hpp>' || echo 'the same and a call with a device')" \
      "$cost" "$compiler_alone" "$(($(size "$folder/object.o" | awk 'NR == 2 { print $4 }') / 1024))"
  done
fi
