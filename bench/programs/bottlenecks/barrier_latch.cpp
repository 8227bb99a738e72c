// KIND barrier, NAMES main|explore: rounds end at a std::latch each; what the threads explore differs from round to round.
#include <cstdio>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

static unsigned explore(unsigned state, int depth) {
  for (int i = 0; i < depth * 800; i++)
    state = state * 1664525 + 1013904223;
  return state;
}

int main() {
  constexpr int kThreads = 4, kRounds = 24;
  std::vector<std::unique_ptr<std::latch>> rounds;
  for (int r = 0; r < kRounds; r++)
    rounds.push_back(std::make_unique<std::latch>(kThreads));
  unsigned states[kThreads] = {1, 2, 3, 4};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++)
    threads.emplace_back([&, t] {
      for (int r = 0; r < kRounds; r++) {
        states[t] = explore(states[t], (t + r) % kThreads == 0 ? 8 : 2); // CULPRIT
#ifndef FIXED
        rounds[r]->arrive_and_wait();
#endif
      }
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%u\n", states[0]);
}
