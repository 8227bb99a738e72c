// Intersections of sets of several sizes, by nested loops. Repaired:
// by a hash table, whose nodes are in memory that was used before.
#include <cstdio>
#include <unordered_set>
#include <vector>

static int common(const std::vector<int> &a, const std::vector<int> &b) {
  int count = 0;
#ifdef REPAIRED
  const std::unordered_set<int> there(b.begin(), b.end());
  for (int x : a)
    count += there.count(x);
#else
  for (int x : a)
    for (int y : b)
      if (x == y) {
        count++;
        break;
      }
#endif
  return count;
}

int main() {
  long count = 0;
  for (int n = 40; n <= 800; n += 40) {
    std::vector<int> a, b;
    for (int i = 0; i < n; i++) {
      a.push_back(i * 3);
      b.push_back(i * 5 + 1);
    }
    count += common(a, b);
  }
  std::printf("%ld\n", count);
}
