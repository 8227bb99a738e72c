// Counts the ways through a grid with obstacles. -DREPAIRED: stores the result for each place.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

static std::map<std::pair<int, int>, long> known;

static bool is_blocked(int x, int y) { return (x * 7 + y * 3) % 11 == 4; }

__attribute__((noinline)) long routes(int x, int y) {
  if (x == 0 || y == 0)
    return 1;
#ifdef REPAIRED
  if (auto found = known.find({x, y}); found != known.end())
    return found->second;
#endif
  long ways = is_blocked(x, y) ? 0 : routes(x - 1, y) + routes(x, y - 1);
#ifdef REPAIRED
  known[{x, y}] = ways;
#endif
  return ways;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 14;
  std::printf("%ld routes\n", routes(n, n));
}
