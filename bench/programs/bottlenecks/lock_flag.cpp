// KIND lock, NAMES SpinLock|lock|guard|add|Histogram: a spin lock of std::atomic_flag around the update of a shared histogram.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class SpinLock {
public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire))
      std::this_thread::yield();
  }
  void unlock() { flag_.clear(std::memory_order_release); }

private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

struct Histogram {
  SpinLock guard;
  std::vector<double> edges, sums;
  void add(double value) {
#ifdef FIXED
    size_t bin = 0;
    while (bin + 1 < edges.size() && edges[bin] < value)
      bin++;
    std::lock_guard<SpinLock> hold(guard);
#else
    std::lock_guard<SpinLock> hold(guard); // CULPRIT
    size_t bin = 0;
    while (bin + 1 < edges.size() && edges[bin] < value)
      bin++;
#endif
    sums[bin] += value;
  }
};

int main() {
  Histogram histogram;
  for (int i = 0; i < 200; i++)
    histogram.edges.push_back(i * 5);
  histogram.sums.resize(200);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&histogram, t] {
      unsigned x = t;
      for (int i = 0; i < 4000; i++) {
        for (int k = 0; k < 40; k++)
          x = x * 1664525 + 1013904223;
        histogram.add(x % 1000);
      }
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%g\n", histogram.sums[10]);
}
