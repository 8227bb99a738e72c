// KIND barrier, NAMES main|Body|step: threads spin at a barrier of std::atomic; bodies are hard in turn.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<int> arrived{0}, phase{0};

static void await_all(int parties) {
  const int now = phase.load();
  if (arrived.fetch_add(1) + 1 == parties) {
    arrived.store(0);
    phase.store(now + 1);
  } else {
    while (phase.load() == now)
      std::this_thread::yield();
  }
}

int main() {
  constexpr int kThreads = 4;
  double ends[kThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++)
    threads.emplace_back([t, &ends] {
      double x = t + 1;
      for (int step = 0; step < 28; step++) {
        for (int i = 0; i < ((step * 3 + t) % kThreads ? 1000 : 11000); i++)
          x = x * 0.5 + 1 / x;
#ifndef FIXED
        await_all(kThreads); // CULPRIT
#endif
      }
      ends[t] = x;
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%g\n", ends[0]);
}
