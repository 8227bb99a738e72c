// KIND lock, NAMES Pool|run|main|mutex_: a pool runs its jobs while it still holds the lock of its
// queue.
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; i++)
      threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_)
      thread.join();
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push(std::move(job));
    }
    changed_.notify_one();
  }

private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_); // CULPRIT
      changed_.wait(lock, [this] { return is_done_ || !jobs_.empty(); });
      if (jobs_.empty())
        return;
      auto job = std::move(jobs_.front());
      jobs_.pop();
#ifdef FIXED
      lock.unlock();
#endif
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> jobs_;
  bool is_done_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  std::vector<double> sums(200);
  {
    Pool pool(4);
    for (size_t i = 0; i < sums.size(); i++)
      pool.add([i, &sums] {
        double x = i;
        for (int k = 0; k < 3000; k++)
          x = x * 0.99 + k;
        sums[i] = x;
      });
  }
  std::printf("%g\n", sums[17]);
}
