// KIND barrier, NAMES worker|run: threads add up what is random in each round, and wait for each other twice.
#include <cstdio>
#include <pthread.h>

constexpr int kThreads = 4, kRounds = 30;

class Reduction {
public:
  Reduction() { pthread_barrier_init(&barrier_, nullptr, kThreads); }
  void run(int own) {
    unsigned state = own * 7 + 1;
    for (int round = 0; round < kRounds; round++) {
      state = state * 1103515245 + 12345;
      const int samples = (state >> 16) % 4 == 0 ? 16000 : 1000;
      unsigned x = state;
      for (int i = 0; i < samples; i++)
        x = x * 69069 + 5;
      partial_[own] += x;
#ifndef FIXED
      pthread_barrier_wait(&barrier_); // CULPRIT
      if (own == 0)
        total_ += partial_[0] + partial_[1] + partial_[2] + partial_[3];
      pthread_barrier_wait(&barrier_);
#endif
    }
  }
  unsigned total() const { return total_ + partial_[0]; }

private:
  pthread_barrier_t barrier_;
  unsigned partial_[kThreads] = {}, total_ = 0;
};

static Reduction reduction;

static void* worker(void* arg) {
  reduction.run(static_cast<int>(reinterpret_cast<long>(arg)));
  return nullptr;
}

int main() {
  pthread_t threads[kThreads];
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], nullptr, worker, reinterpret_cast<void*>(t));
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  std::printf("%u\n", reduction.total());
}
