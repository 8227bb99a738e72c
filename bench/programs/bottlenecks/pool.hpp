// A pool of threads that take jobs from a queue, as the programs here have it.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; i++)
      threads_.emplace_back(&Pool::work, this);
  }
  void submit(std::function<void()> job) {
    std::lock_guard lock(mutex_);
    jobs_.push(std::move(job));
    ready_.notify_one();
  }
  void finish() {
    {
      std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    ready_.notify_all();
    for (auto& thread : threads_)
      thread.join();
  }

private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return is_closed_ || !jobs_.empty(); });
      if (jobs_.empty())
        return;
      auto job = std::move(jobs_.front());
      jobs_.pop();
      lock.unlock();
      job();
    }
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  bool is_closed_ = false;
};
