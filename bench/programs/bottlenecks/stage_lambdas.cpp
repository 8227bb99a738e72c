// KIND pipeline, NAMES main: three lambdas in a row, of which the second has most to do.
#include "queue.hpp"
#include <cstdio>
#include <thread>

static unsigned spin(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1664525 + (x >> 7);
  return x;
}

int main() {
  constexpr int kItems = 60;
#ifdef FIXED
  constexpr int kSlow = 4000;
#else
  constexpr int kSlow = 24000;
#endif
  Queue<unsigned> raw, done;
  std::thread source([&] {
    for (int i = 0; i < kItems; i++)
      raw.push(spin(i, 4000));
  });
  std::thread middle([&] {
    for (int i = 0; i < kItems; i++)
      done.push(spin(raw.pop(), kSlow)); // CULPRIT
  });
  std::thread sink([&] {
    unsigned sum = 0;
    for (int i = 0; i < kItems; i++)
      sum += spin(done.pop(), 4000);
    std::printf("%u\n", sum);
  });
  source.join();
  middle.join();
  sink.join();
}
