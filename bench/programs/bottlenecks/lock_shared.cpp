// KIND lock, NAMES routes_mutex|Router|route: a shared_mutex that every look-up takes for writing, to count its uses.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

struct Router {
  std::shared_mutex routes_mutex;
  std::vector<unsigned> prefixes;
  std::atomic<long> uses{0};

  int route(unsigned address) {
#ifdef FIXED
    std::shared_lock lock(routes_mutex);
#else
    std::unique_lock lock(routes_mutex); // CULPRIT
#endif
    uses++;
    int best = -1;
    for (size_t i = 0; i < prefixes.size(); i++)
      if ((address ^ prefixes[i]) >> 24 == 0)
        best = i;
    return best;
  }
};

int main() {
  Router router;
  for (unsigned i = 0; i < 200; i++)
    router.prefixes.push_back(i * 2654435761u);
  std::vector<std::thread> threads;
  std::atomic<long> sum{0};
  for (unsigned t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      unsigned x = t;
      long found = 0;
      for (int packet = 0; packet < 400; packet++) {
        for (int k = 0; k < 60; k++)
          x = x * 1664525 + 1013904223;
        found += router.route(x);
      }
      sum += found;
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%ld\n", sum.load());
}
