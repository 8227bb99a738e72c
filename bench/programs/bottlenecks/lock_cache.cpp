// KIND lock, NAMES Cache|mutex: a cache computes what it does not have while it is locked.
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

class Cache {
public:
  double get(int key) {
#ifdef FIXED
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (auto at = values_.find(key); at != values_.end())
        return at->second;
    }
    const double value = compute(key);
    std::lock_guard<std::mutex> guard(mutex_);
    return values_.emplace(key, value).first->second;
#else
    std::lock_guard<std::mutex> guard(mutex_); // CULPRIT
    auto at = values_.find(key);
    if (at == values_.end())
      at = values_.emplace(key, compute(key)).first;
    return at->second;
#endif
  }

private:
  static double compute(int key) {
    double x = key;
    for (int i = 0; i < 3000; i++)
      x = x * 0.5 + i;
    return x;
  }
  std::mutex mutex_;
  std::map<int, double> values_;
};

int main() {
  Cache cache;
  double sums[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&cache, &sums, t] {
      for (int i = 0; i < 150; i++)
        sums[t] += cache.get(i * 4 + t);
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%g\n", sums[0]);
}
