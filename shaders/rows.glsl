// SPDX-License-Identifier: MIT
//
// Contiguous rows, of which a workgroup moves POINTS units each invocation: its invocations find the rows together, one
// each, and keep them in shared memory. There are never more rows than invocations. KEEPS_ROW(place, tuple) may drop
// one, FETCH_ENDS(place) is for those that are moved. To be included after common.glsl with a BLOCK of 1.

shared uvec4 row_places[gl_WorkGroupSize.x];  // destination, source
shared bool row_is_good[gl_WorkGroupSize.x];

// The first point of this workgroup, and how many the grid takes at once.
uint first_of_group() { return group_number() * gl_WorkGroupSize.x * POINTS; }
uint points_of_groups() { return groups() * gl_WorkGroupSize.x * POINTS; }

uint row_of(uint point) { return quotient(point, parameters.tail_divisor.x, parameters.tail_divisor.y); }

// Finds the rows of the points from `begin` on. A row that two workgroups find is reported once all the same.
void find_rows(uint begin) {
  uint last = min(begin + gl_WorkGroupSize.x * POINTS, parameters.points) - 1;
  uint tuple[1] = uint[1](row_of(begin) + gl_LocalInvocationID.x);
  if (tuple[0] <= row_of(last)) {
    place at[1];
    start(at);
    walk(at, tuple, 0, parameters.tuple_rank, true);
    bool reports[1] = bool[1](true);
    bool good[1];
    resolve(at, tuple, reports, good);
    row_places[gl_LocalInvocationID.x] = uvec4(at[0].destination, at[0].source);
    good[0] = good[0] && KEEPS_ROW(at[0], tuple[0]);
    row_is_good[gl_LocalInvocationID.x] = good[0];
    if (good[0]) FETCH_ENDS(at[0]);
  }
  barrier();
}

// The points of this invocation, as `points_of_block` and `find` do it. They are a workgroup apart.
void points_of_rows(uint begin, out place at[POINTS], out bool own[POINTS], out bool good[POINTS]) {
  uint first_row = row_of(begin);
  [[unroll]] for (uint i = 0; i < POINTS; ++i) {
    uint point = begin + i * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    own[i] = point < parameters.points;
    point = min(point, parameters.points - 1);
    uint row = row_of(point);
    uint column = point - row * parameters.tail_units;
    uvec4 found = row_places[row - first_row];
    good[i] = row_is_good[row - first_row];
    at[i].destination = advance(found.xy, column, uvec2(1, 0), wide);
    at[i].source = advance(found.zw, column, uvec2(1, 0), wide);
  }
}
