// KIND lock, NAMES record|totals_mutex|totals: workers add what they found to totals, and digest it under the mutex.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex totals_mutex;
static unsigned totals[64];

static unsigned digest(unsigned x) {
  for (int i = 0; i < 300; i++)
    x = x * 31 + 7;
  return x;
}

static void record(unsigned found) {
#ifdef FIXED
  const unsigned digested = digest(found);
  std::lock_guard<std::mutex> guard(totals_mutex);
  totals[found % 64] += digested;
#else
  std::lock_guard<std::mutex> guard(totals_mutex); // CULPRIT
  totals[found % 64] += digest(found);
#endif
}

static void scan(int worker) {
  for (int i = 0; i < 200; i++) {
    unsigned x = worker * 977 + i;
    for (int k = 0; k < 120; k++)
      x = x * 69069 + 1;
    record(x);
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; i++)
    workers.emplace_back(scan, i);
  for (std::thread& worker : workers)
    worker.join();
  std::printf("%u\n", totals[5]);
}
