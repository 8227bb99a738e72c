// KIND grain|lock, NAMES main|brighten|submit|work|Pool|mutex_: a job of a thread pool for each handful of pixels.
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

static void brighten(std::vector<unsigned char>& image, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++)
    image[i] = image[i] + (255 - image[i]) / 4;
}

int main() {
  std::vector<unsigned char> image(80000, 17);
#ifdef FIXED
  constexpr size_t kPiece = 2500;
#else
  constexpr size_t kPiece = 10;
#endif
  Pool pool(4);
  for (size_t i = 0; i < image.size(); i += kPiece)
    pool.submit([&image, i] { brighten(image, i, i + kPiece); }); // CULPRIT
  pool.finish();
  std::printf("%d\n", image[9]);
}
