// KIND barrier, NAMES main: lambdas of std::thread meet at a std::barrier; the load moves from one to the next.
#include <barrier>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  constexpr int kThreads = 4, kSteps = 32;
  std::barrier barrier(kThreads);
  double results[kThreads] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++)
    threads.emplace_back([&, t] {
      double x = t;
      for (int step = 0; step < kSteps; step++) {
        const int cells = (step + t) % kThreads ? 1500 : 12000;
        for (int i = 0; i < cells; i++)
          x = x * 0.999 + i * 1e-3;
#ifndef FIXED
        barrier.arrive_and_wait(); // CULPRIT
#endif
      }
      results[t] = x;
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%g\n", results[0]);
}
