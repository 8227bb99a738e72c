// For each of n keys: preparation that costs the same for all, and a scan of a table of n rows, or with
// -DREPAIRED a look at one row.
#include <stdio.h>

enum { kMost = 1000, kPrepared = 600 };
static int prepared[kPrepared];
static int table[kMost];

__attribute__((noinline)) static int prepare(int key) {
  int sum = key;
  for (int i = 0; i < kPrepared; i++)
    sum += prepared[i];
  return sum;
}

__attribute__((noinline)) static int find(int key, int rows) {
#ifdef REPAIRED
  return table[key % rows];
#else
  int found = 0;
  for (int i = 0; i < rows; i++)
    found += table[i] == key;
  return found;
#endif
}

int main(void) {
  static const int sizes[] = {500, 100, 900, 300, 700, 1000, 200, 800, 400, 600};
  int sum = 0;
  for (int i = 0; i < kMost; i++)
    table[i] = i * 7 % kMost;
  for (int i = 0; i < kPrepared; i++)
    prepared[i] = i;
  for (unsigned at = 0; at < sizeof sizes / sizeof *sizes; at++)
    for (int rows = sizes[at], i = 0; i < rows; i += 5)
      sum += prepare(i) + find(i, rows);
  printf("%d\n", sum);
}
