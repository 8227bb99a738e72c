// KIND lock, NAMES stats|add|mutex|record: threads parse records, and add each one to statistics that one mutex guards.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Statistics {
  std::mutex mutex;
  std::map<std::string, long> totals;

public:
  void add(const std::string& key, long value) {
    std::lock_guard<std::mutex> guard(mutex); // CULPRIT
    totals[key] += value;
    totals["all"] += value;
  }
  void merge(const std::map<std::string, long>& other) {
    std::lock_guard<std::mutex> guard(mutex);
    for (const auto& [key, value] : other)
      totals[key] += value;
  }
  long of(const std::string& key) { return totals[key]; }
};

static long parse(unsigned number) {
  long value = number;
  for (int i = 0; i < 60; i++)
    value = (value * 31 + i) % 1000003;
  return value;
}

int main() {
  Statistics statistics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([t, &statistics] {
#ifdef FIXED
      std::map<std::string, long> own;
#endif
      for (unsigned i = 0; i < 400; i++) {
        const long value = parse(t * 400 + i);
        const std::string key = "host-with-a-long-name-" + std::to_string(value % 50);
#ifdef FIXED
        own[key] += value;
        own["all"] += value;
#else
        statistics.add(key, value);
#endif
      }
#ifdef FIXED
      statistics.merge(own);
#endif
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%ld\n", statistics.of("all"));
}
