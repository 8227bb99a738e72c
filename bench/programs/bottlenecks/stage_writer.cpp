// KIND pipeline, NAMES Writer|write: three workers hand what they have made to a slow writer.
#include "queue.hpp"
#include <cstdio>
#include <thread>
#include <vector>

struct Writer {
  Queue<int>& results;
  int count;
  void operator()() {
    unsigned crc = 0;
    for (int i = 0; i < count; i++) {
      crc ^= results.pop();
#ifdef FIXED
      for (int bit = 0; bit < 32; bit++)
#else
      for (int bit = 0; bit < 4000; bit++) // CULPRIT
#endif
        crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    std::printf("%u\n", crc);
  }
};

static void produce(Queue<int>& results, int items, int seed) {
  for (int i = 0; i < items; i++) {
    int x = seed + i;
    for (int k = 0; k < 2000; k++)
      x = x * 25173 + 13849;
    results.push(x);
  }
}

int main() {
  Queue<int> results;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back(produce, std::ref(results), 60, t);
  threads.emplace_back(Writer{results, 180});
  for (auto& thread : threads)
    thread.join();
}
