// HEALTHY: a pipeline of four stages; the two slowest run the same function, and take as long.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>
using Block = std::vector<unsigned>;
class Channel {
public:
  void put(Block b) {
    std::unique_lock l(m_);
    space_.wait(l, [this] { return q_.size() < 8; });
    q_.push_back(std::move(b));
    filled_.notify_one();
  }
  Block get() {
    std::unique_lock l(m_);
    filled_.wait(l, [this] { return !q_.empty(); });
    Block b = std::move(q_.front());
    q_.pop_front();
    space_.notify_one();
    return b;
  }

private:
  std::mutex m_;
  std::condition_variable space_, filled_;
  std::deque<Block> q_;
};
static void work(Block& b, unsigned f) {
  for (int k = 0; k < 10; k++)
    for (unsigned& x : b)
      x = x * f + 1;
}
static Channel c[3];
static void make() {
  for (int i = 0; i < 100; i++) {
    Block b(1000, i);
    work(b, 3);
    c[0].put(std::move(b));
  }
  c[0].put({});
}
static void middle(int n) {
  for (;;) {
    Block b = c[n].get();
    const bool end = b.empty();
    work(b, 5 + n);
    c[n + 1].put(std::move(b));
    if (end)
      return;
  }
}
static unsigned total;
static void sink() {
  for (;;) {
    Block b = c[2].get();
    if (b.empty())
      return;
    work(b, 9);
    total += b[7];
  }
}
int main() {
  std::thread a(make), b(middle, 0), d(middle, 1), e(sink);
  a.join();
  b.join();
  d.join();
  e.join();
  std::printf("%u\n", total);
}
