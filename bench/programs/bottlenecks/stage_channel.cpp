// KIND pipeline, NAMES compress|main: a deque with a condition variable between a producer, a compressor and a writer.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

template <class T> struct Channel {
  std::mutex m;
  std::condition_variable c;
  std::deque<T> d;
  bool closed = false;
  void send(T v) {
    std::lock_guard g(m);
    d.push_back(std::move(v));
    c.notify_one();
  }
  void close() {
    std::lock_guard g(m);
    closed = true;
    c.notify_all();
  }
  bool receive(T& v) {
    std::unique_lock l(m);
    c.wait(l, [&] { return !d.empty() || closed; });
    if (d.empty())
      return false;
    v = std::move(d.front());
    d.pop_front();
    return true;
  }
};

static unsigned mix(unsigned x, int n) {
  for (int i = 0; i < n; i++)
    x = (x ^ i) * 16777619u;
  return x;
}

#ifdef FIXED
constexpr int kLevel = 3500;
#else
constexpr int kLevel = 20000;
#endif

static unsigned compress(unsigned x) { return mix(x, kLevel); } // CULPRIT
int main() {
  Channel<unsigned> raw, packed;
  unsigned sum = 0;
  std::thread r([&] {
    for (int i = 0; i < 40; i++)
      raw.send(mix(i, 3500));
    raw.close();
  });
  std::thread c([&] {
    unsigned x;
    while (raw.receive(x))
      packed.send(compress(x));
    packed.close();
  });
  std::thread w([&] {
    unsigned x;
    while (packed.receive(x))
      sum ^= mix(x, 3500);
  });
  r.join();
  c.join();
  w.join();
  std::printf("%u\n", sum);
}
