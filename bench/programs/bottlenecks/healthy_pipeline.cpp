// HEALTHY: a pipeline of four stages; the two slowest run the same function, and take as long.
#include "queue.hpp"
#include <cstdio>
#include <thread>
#include <vector>
using Block = std::vector<unsigned>;
static void work(Block& b, unsigned f) {
  for (int k = 0; k < 10; k++)
    for (unsigned& x : b)
      x = x * f + 1;
}
static Queue<Block> c[3];
static void make() {
  for (int i = 0; i < 100; i++) {
    Block b(1000, i);
    work(b, 3);
    c[0].push(std::move(b));
  }
  c[0].push({});
}
static void middle(int n) {
  for (;;) {
    Block b = c[n].pop();
    const bool end = b.empty();
    work(b, 5 + n);
    c[n + 1].push(std::move(b));
    if (end)
      return;
  }
}
static unsigned total;
static void sink() {
  for (;;) {
    Block b = c[2].pop();
    if (b.empty())
      return;
    work(b, 9);
    total += b[7];
  }
}
int main() {
  std::thread a(make), b(middle, 0), d(middle, 1), e(sink);
  a.join();
  b.join();
  d.join();
  e.join();
  std::printf("%u\n", total);
}
