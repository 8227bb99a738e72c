// Three stages, of which the second has as much to do as the others together.
#include "../bottlenecks/queue.hpp"
#include "churn.h"
#include <cstdio>
#include <cstdlib>
#include <thread>

int main(int argc, char** argv) {
  const long size = std::atol(argv[argc - 1]);
  constexpr int kItems = 50;
  Queue<unsigned> raw, done;
  std::thread source([&] {
    for (int i = 0; i < kItems; i++)
      raw.push(churn(i, 250 * size));
  });
  std::thread middle([&] {
    for (int i = 0; i < kItems; i++)
      done.push(churn(raw.pop(), 750 * size));
  });
  unsigned sum = 0;
  for (int i = 0; i < kItems; i++)
    sum += churn(done.pop(), 250 * size);
  source.join();
  middle.join();
  std::printf("%u\n", sum);
}
