// Threads of the C++ library meet at a barrier; each time
// another thread is late. FIXED: no thread is late.
#include <cstdio>
#include <pthread.h>
#include <thread>
#include <vector>

enum { kThreads = 4, kSteps = 24 };

static pthread_barrier_t barrier;
static unsigned results[kThreads];

struct Simulation {
  int id;
  void operator()() const {
    unsigned x = id;
    for (int step = 0; step < kSteps; step++) {
      for (int i = 0; i < (step % kThreads == id ? 24000 : 2000); i++)
        x = x * 1664525 + (x >> 3);
#ifndef FIXED
      pthread_barrier_wait(&barrier);
#endif
    }
    results[id] = x;
  }
};

int main() {
  pthread_barrier_init(&barrier, nullptr, kThreads);
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; id++)
    threads.emplace_back(Simulation{id});
  for (std::thread& thread : threads)
    thread.join();
  std::printf("%u\n", results[0]);
}
