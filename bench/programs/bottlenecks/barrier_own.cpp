// KIND barrier, NAMES agent|Agent: a hand-made barrier of a mutex and a condition; agents take turns to be late.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Rendezvous {
public:
  explicit Rendezvous(int parties) : parties_(parties), left_(parties) {}
  void meet() {
    std::unique_lock<std::mutex> lock(mutex_);
    const int round = round_;
    if (--left_ == 0) {
      round_++;
      left_ = parties_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int parties_, left_, round_ = 0;
};

static unsigned paths[4];

static void agent(int own, Rendezvous& rendezvous) {
  unsigned x = own;
  for (int step = 0; step < 32; step++) {
    for (int i = 0; i < (step % 4 == own ? 15000 : 1500); i++)
      x = x * 22695477 + 1;
#ifndef FIXED
    rendezvous.meet(); // CULPRIT
#endif
  }
  paths[own] = x;
}

int main() {
  Rendezvous rendezvous(4);
  std::vector<std::thread> threads;
  for (int own = 0; own < 4; own++)
    threads.emplace_back(agent, own, std::ref(rendezvous));
  for (auto& thread : threads)
    thread.join();
  std::printf("%u\n", paths[0]);
}
