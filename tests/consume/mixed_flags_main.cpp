// SPDX-License-Identifier: MIT
#include <ndx/ndx.hpp>

#include <cstdio>
#include <string_view>

long sum_wide(long rows);
long sum_narrow(long rows);

// What the units compute: row r of the gathered table is row n-1-r of the table, added to row n-1-r; then reversed, so
// that row r is twice row n-1-r of the table; columns 0, 2 and 4.
long due(long rows) {
  long sum = 0;
  for (long row = 0; row < rows; ++row)
    for (long column = 0; column < 5; column += 2) sum += (row + 1) * 2 * (rows - 1 - row + column);
  return sum;
}

// "supports avx2" returns 0 if this processor does; without arguments: 0 if both units give the right result.
int main(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == "supports") {
    std::string_view const set = arguments[2];
    if (set == "avx2") return ndx::supported(ndx::instruction_set::avx2) ? 0 : 1;
    if (set == "avx512") return ndx::supported(ndx::instruction_set::avx512) ? 0 : 1;
    return 0;
  }
  for (long rows : {1, 7, 1000}) {
    std::printf("%ld rows: wide %ld, narrow %ld, due %ld\n", rows, sum_wide(rows), sum_narrow(rows), due(rows));
    if (sum_wide(rows) != due(rows) || sum_narrow(rows) != due(rows)) return 1;
  }
  return 0;
}
