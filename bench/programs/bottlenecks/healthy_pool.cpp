// HEALTHY: a thread pool whose jobs are independent and long.
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
class Pool {
public:
  explicit Pool(int n) {
    for (int i = 0; i < n; i++)
      threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(m_);
      done_ = true;
    }
    c_.notify_all();
    for (auto& t : threads_)
      t.join();
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard lock(m_);
      jobs_.push(std::move(job));
    }
    c_.notify_one();
  }

private:
  void run() {
    for (;;) {
      std::unique_lock lock(m_);
      c_.wait(lock, [this] { return done_ || !jobs_.empty(); });
      if (jobs_.empty())
        return;
      auto job = std::move(jobs_.front());
      jobs_.pop();
      lock.unlock();
      job();
    }
  }
  std::mutex m_;
  std::condition_variable c_;
  std::queue<std::function<void()>> jobs_;
  bool done_ = false;
  std::vector<std::thread> threads_;
};
int main() {
  std::vector<double> sums(200);
  {
    Pool pool(4);
    for (size_t i = 0; i < sums.size(); i++)
      pool.add([i, &sums] {
        double x = i;
        for (int k = 0; k < 20000; k++)
          x = x * 0.99 + k;
        sums[i] = x;
      });
  }
  std::printf("%g\n", sums[17]);
}
