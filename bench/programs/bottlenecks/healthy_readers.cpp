// HEALTHY: readers share a lock; a writer comes rarely.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
static std::shared_mutex m;
static std::vector<unsigned> table(500, 3);
int main() {
  unsigned sums[4] = {};
  {
    std::vector<std::jthread> ts;
    for (unsigned t = 0; t < 4; t++)
      ts.emplace_back([t, &sums] {
        unsigned s = t;
        for (int r = 0; r < 300; r++) {
          if (r % 100 == 99) {
            std::unique_lock l(m);
            table[r] = s;
          }
          std::shared_lock l(m);
          for (unsigned x : table)
            for (int k = 0; k < 8; k++)
              s = s * 31 + x;
        }
        sums[t] = s;
      });
  }
  std::printf("%u\n", sums[0]);
}
