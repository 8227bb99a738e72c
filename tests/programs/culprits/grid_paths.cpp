// Counts the ways through a grid by recursion. -DREPAIRED:
// the results are kept in a map; the grid is larger.
#include <cstdio>
#include <map>
#include <utility>

#ifdef REPAIRED
static std::map<std::pair<int, int>, double> known;
enum { SIDE = 45 };
#else
enum { SIDE = 9 };
#endif

__attribute__((noinline)) double ways(int x, int y) {
  if (x == 0 || y == 0)
    return 1;
#ifdef REPAIRED
  auto found = known.find({x, y});
  if (found != known.end())
    return found->second;
  return known[{x, y}] = ways(x - 1, y) + ways(x, y - 1);
#else
  return ways(x - 1, y) + ways(x, y - 1);
#endif
}

int main() { std::printf("%g\n", ways(SIDE, SIDE)); }
