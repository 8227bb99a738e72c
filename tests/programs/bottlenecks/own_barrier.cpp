// A barrier of a mutex and a condition, for which another thread is late each time; FIXED: without.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

enum { kThreads = 4, kSteps = 24 };

class Barrier {
public:
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    const unsigned round = round_;
    if (++arrived_ == kThreads) {
      arrived_ = 0;
      round_++;
      all_arrived_.notify_all();
    } else {
      all_arrived_.wait(lock, [&] { return round != round_; });
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable all_arrived_;
  int arrived_ = 0;
  unsigned round_ = 0;
};

static Barrier barrier;
static unsigned results[kThreads];

struct Simulation {
  int id;
  void operator()() const {
    unsigned x = id;
    for (int step = 0; step < kSteps; step++) {
      for (int i = 0; i < (step % kThreads == id ? 24000 : 2000); i++)
        x = x * 1664525 + (x >> 3);
#ifndef FIXED
      barrier.wait();
#endif
    }
    results[id] = x;
  }
};

int main() {
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; id++)
    threads.emplace_back(Simulation{id});
  for (std::thread& thread : threads)
    thread.join();
  std::printf("%u\n", results[0]);
}
