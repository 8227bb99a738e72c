// KIND lock, NAMES Directory|find|mutex: look-ups take the lock that only changes would need.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class Directory {
public:
  Directory() {
    for (int i = 0; i < 200; i++)
      names_.push_back("name-" + std::to_string(i));
  }
  int find(const std::string& name) const {
#ifdef FIXED
    std::shared_lock lock(mutex_);
#else
    std::unique_lock lock(mutex_); // CULPRIT
#endif
    for (size_t i = 0; i < names_.size(); i++)
      if (names_[i] == name)
        return i;
    return -1;
  }

private:
  mutable std::shared_mutex mutex_;
  std::vector<std::string> names_;
};

int main() {
  const Directory directory;
  long sums[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 150; i++)
        sums[t] += directory.find("name-" + std::to_string((i * 7 + t) % 200));
    });
  for (auto& thread : threads)
    thread.join();
  std::printf("%ld\n", sums[0]);
}
