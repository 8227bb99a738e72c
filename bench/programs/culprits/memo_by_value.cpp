// Partitions of a number; what is known is handed down by value, so that it is lost on the way back.
// culprit: partitions
#include <cstdio>
#include <map>
#include <utility>

using Known = std::map<std::pair<int, int>, long>;
#ifdef REPAIRED
#define BY_REFERENCE &
#else
#define BY_REFERENCE
#endif

static long partitions(int number, int largest, Known BY_REFERENCE known) { // CULPRIT
  if (number == 0) return 1;
  if (number < 0 || largest == 0) return 0;
  auto at = known.find({number, largest});
  if (at != known.end()) return at->second;
  long all = partitions(number - largest, largest, known) + partitions(number, largest - 1, known);
  known[{number, largest}] = all;
  return all;
}

int main() {
  long sum = 0;
  for (int number = 4; number <= 36; number += 4) {
    Known known;
    sum += partitions(number, number, known);
  }
  std::printf("%ld\n", sum);
}
