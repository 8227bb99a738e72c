// Counts the ways through a grid with obstacles by a recursive lambda that keeps nothing.
// culprit: ways, operator(), _M_invoke, go
#include <cstdio>
#include <functional>
#include <vector>

static long ways(int width, int height) {
#ifdef REPAIRED
  std::vector<std::vector<long>> known(height, std::vector<long>(width, -1));
#endif
  std::function<long(int, int)> go = [&](int x, int y) -> long { // CULPRIT
    if (x >= width || y >= height || (x * 7 + y * 5) % 11 == 3) return 0;
    if (x == width - 1 && y == height - 1) return 1;
#ifdef REPAIRED
    if (known[y][x] >= 0) return known[y][x];
    return known[y][x] = go(x + 1, y) + go(x, y + 1);
#else
    return go(x + 1, y) + go(x, y + 1);
#endif
  };
  return go(0, 0);
}

int main() {
  long sum = 0;
  for (int size = 4; size <= 13; size++) sum += ways(size, size);
  std::printf("%ld\n", sum);
}
