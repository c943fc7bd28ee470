#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What ndx costs a compilation, in processor time (user and system): the compiler runs on one thread, so this way other
# work on the machine counts least.
#
# - `#include <ndx/ndx.hpp>`, -O0, next to the standard headers that it includes, by turns, medians of 9. Exit status 1
#   above the limit, which is a ratio of the two: seconds depend on the machine.
# - Files that call an operator, -O2, the median of 5: with the kernels in them, and one with NDX_COMPILED_KERNELS, where
#   they are in a file of their own; and that file, once, as it takes minutes.
# - Where a build has generated the kernels for Vulkan: <ndx/vulkan.hpp>, and a file that calls an operator with a
#   device.
#
# Usage: bench/include_cost.sh [compiler [folder of the generated headers]]
# What it prints is kept in bench/results/compile_time.
set -euo pipefail

limit=2
compiler=${1:-g++}
generated=${2:-$(dirname "${BASH_SOURCE[0]}")/../build/bench/generated/include}
include=$(cd "$(dirname "${BASH_SOURCE[0]}")/../include" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

seconds() {  # of one compilation of $1 with the options behind it
  local TIMEFORMAT='%U %S' file=$1
  shift
  { time "$compiler" -std=c++20 -I "$include" "$@" -c "$file" -o "$folder/object.o"; } 2>&1 | awk '{ print $1 + $2 }'
}

middle() { sort -n | sed -n "$(($1 / 2 + 1))p"; }  # of an odd number of lines

median() {  # of $1 compilations, an odd number, of $2 with the options behind it
  local times=$1
  shift
  seconds "$@" >/dev/null  # once uncounted: from then on the files are in memory
  for _ in $(seq "$times"); do seconds "$@"; done | middle "$times"
}

kibibytes() { echo "$(($(size "$folder/object.o" | awk 'NR == 2 { print $4 }') / 1024))"; }  # of code and data

echo '#include <ndx/ndx.hpp>' >"$folder/ndx.cpp"
"$compiler" -std=c++20 -O0 -I "$include" -c "$folder/ndx.cpp" -o "$folder/object.o"  # errors belong on the screen
# The compiler lists what it opens, by depth: these are the headers that a file of ndx is the first to include.
"$compiler" -std=c++20 -I "$include" -H -fsyntax-only "$folder/ndx.cpp" 2>&1 |
  awk -v include="$include/" '
    /^\.+ / { depth = length($1); file[depth] = $2
              if (index($2, include) != 1 && (depth == 1 || index(file[depth - 1], include) == 1))
                print "#include \"" $2 "\"" }' >"$folder/standard.cpp"

export LC_ALL=C
printf '%s; %s, %s processors; %s\n\n' "$("$compiler" --version | head -n 1)" \
  "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)" "$(nproc)" "$(date -u +%F)"
for _ in $(seq 9); do
  for program in standard ndx; do seconds "$folder/$program.cpp" -O0 >>"$folder/$program.seconds"; done
done
cost=$(middle 9 <"$folder/ndx.seconds")
standard=$(middle 9 <"$folder/standard.seconds")
ratio=$(awk "BEGIN { printf \"%.2f\", $cost / $standard }")
printf '#include <ndx/ndx.hpp>, -O0: %.2f s; the standard headers that it includes: %.2f s; ratio %s\n' \
  "$cost" "$standard" "$ratio"
status=0
if awk "BEGIN { exit !($ratio > $limit) }"; then
  echo "error: more than $limit times the standard headers" >&2
  status=1
fi

file_that_calls() {  # an operator of that name, by the arguments behind it
  cat >"$folder/$1.cpp" <<END
#include <ndx/ndx.hpp>
using table = ndx::tensor_view<float, 2>;
void call(table const& a, table const& b, ndx::tensor_view<int const, 2> const& indices) {
  ndx::$1(ndx::par_simd, $2);
}
END
}
file_that_calls gather_nd 'a, indices, b'
file_that_calls scatter_nd 'a, indices, b, a'
file_that_calls slice1 'a, b, {{0, 0}, {2, 2}}'
cp "$include/ndx/compiled_kernels.cpp" "$folder/kernels.cpp"
optimized() {  # the same as median, with -O2: seconds, and KiB of code and data
  printf '%.1f s, %d KiB' "$(median "$@" -O2)" "$(kibibytes)"
}
for operator in gather_nd scatter_nd slice1; do
  printf 'a file that calls %s, -O2: %s\n' "$operator" "$(optimized 5 "$folder/$operator.cpp")"
done
printf 'the first with NDX_COMPILED_KERNELS: %s\n' "$(optimized 5 "$folder/gather_nd.cpp" -DNDX_COMPILED_KERNELS)"
cost=$(seconds "$folder/kernels.cpp" -O2)
printf 'compiled_kernels.cpp, -O2: %.1f s, %d KiB\n' "$cost" "$(kibibytes)"

if [ -f "$generated/ndx/vulkan/spirv.hpp" ]; then
  echo '#include <ndx/vulkan.hpp>' >"$folder/vulkan.cpp"
  cat >"$folder/call.cpp" <<'END'
#include <ndx/vulkan.hpp>
void call(ndx::vulkan::device const& gpu, ndx::tensor_view<float const, 2> table,
          ndx::tensor_view<int const, 2> indices, ndx::tensor_view<float, 2> rows) {
  ndx::gather_nd(gpu, table, indices, rows);
}
END
  for program in vulkan call; do
    cost=$(median 7 "$folder/$program.cpp" -O0 -I "$generated")
    seconds "$folder/$program.cpp" -O2 -I "$generated" >/dev/null
    what='#include <ndx/vulkan.hpp>'
    if [ $program = call ]; then what='a file that calls gather_nd with a device'; fi
    printf '%s, -O0: %.2f s; -O2: %d KiB\n' "$what" "$cost" "$(kibibytes)"
  done
fi
exit $status
