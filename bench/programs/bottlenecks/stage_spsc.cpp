// KIND pipeline, NAMES Encoder: lock-free rings of one producer and one consumer; the last stage is slow.
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

template <typename T> class Spsc {
public:
  void push(T v) {
    size_t t = tail_.load(std::memory_order_relaxed);
    while (t - head_.load(std::memory_order_acquire) == 8)
      std::this_thread::yield();
    ring_[t % 8] = v;
    tail_.store(t + 1, std::memory_order_release);
  }
  T pop() {
    size_t h = head_.load(std::memory_order_relaxed);
    while (tail_.load(std::memory_order_acquire) == h)
      std::this_thread::yield();
    T v = ring_[h % 8];
    head_.store(h + 1, std::memory_order_release);
    return v;
  }

private:
  std::array<T, 8> ring_{};
  std::atomic<size_t> head_{0}, tail_{0};
};

using Samples = Spsc<long>;
constexpr int kItems = 80;
struct Source {
  Samples& out;
  void operator()() {
    for (int i = 0; i < kItems; i++) {
      long x = i;
      for (int k = 0; k < 1500; k++)
        x = x * 31 + k;
      out.push(x);
    }
  }
};

struct Mixer {
  Samples &in, &out;
  void operator()() {
    for (int i = 0; i < kItems; i++) {
      long x = in.pop();
      for (int k = 0; k < 1500; k++)
        x = x * 7 + (x >> 9);
      out.push(x);
    }
  }
};

struct Encoder {
  Samples& in;
  long& sum;
  void operator()() {
#ifdef FIXED
    constexpr int kCost = 1500;
#else
    constexpr int kCost = 9000;
#endif
    for (int i = 0; i < kItems; i++) {
      long x = in.pop();
      for (int k = 0; k < kCost; k++)
        x = x * 7 + (x >> 9);
      sum += x; // CULPRIT
    }
  }
};

int main() {
  Samples raw, mixed;
  long sum = 0;
  std::thread s(Source{raw}), m(Mixer{raw, mixed}), e(Encoder{mixed, sum});
  s.join();
  m.join();
  e.join();
  std::printf("%ld\n", sum);
}
