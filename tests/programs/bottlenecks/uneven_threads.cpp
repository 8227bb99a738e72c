// Items of growing length; each thread gets a block of them. FIXED: every fourth item.
#include <cstdio>
#include <thread>
#include <vector>

enum { kThreads = 4, kItems = 2400 };

static unsigned __attribute__((noinline)) churn(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1664525 + (x >> 3);
  return x;
}

int main() {
  std::vector<std::thread> threads;
  unsigned sums[kThreads] = {};
  for (int id = 0; id < kThreads; id++)
    threads.emplace_back([&sums, id] {
#ifdef FIXED
      for (int i = id; i < kItems; i += kThreads)
#else
      for (int i = id * kItems / kThreads; i < (id + 1) * kItems / kThreads; i++)
#endif
        sums[id] ^= churn(i, i);
    });
  for (std::thread& thread : threads)
    thread.join();
  std::printf("%u\n", sums[0] ^ sums[1] ^ sums[2] ^ sums[3]);
}
