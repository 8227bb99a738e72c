// Threads take jobs of several sizes from a queue and add up what they compute.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<std::vector<int>> jobs;
static bool done;
static long total;

static void work() {
  while (true) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return done || !jobs.empty(); });
    if (jobs.empty()) return;
    std::vector<int> job = std::move(jobs.front());
    jobs.pop_front();
    lock.unlock();
    long sum = 0;
    for (int value : job) sum += value * value % 7;
    lock.lock();
    total += sum;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(work);
  for (int i = 0; i < 300; i++) {
    std::vector<int> job(10 * (i % 40 + 1), i);
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push_back(std::move(job));
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  changed.notify_all();
  for (auto& thread : threads) thread.join();
  std::printf("%ld\n", total);
}
