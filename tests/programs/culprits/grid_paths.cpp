// The ways through a grid, counted by recursion. -DREPAIRED: each place's are kept in a map; a
// larger grid.
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
