// Waits outside of `hot` by a loop that reads a std::atomic until a thread has set it, after it
// called `hot` and `cold`.
#include <atomic>
#include <thread>

namespace {

volatile int sink;
std::atomic<int> flag;

[[gnu::noinline]] void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}
[[gnu::noinline]] void hot() { leaf(25000); }
[[gnu::noinline]] void cold() { leaf(1000000); }
[[gnu::noinline]] void wait_until_set() {
  while (flag.load() == 0) {
  }
}

} // namespace

int main() {
  std::thread reader([] {
    wait_until_set();
    hot();
  });
  std::thread writer([] {
    hot();
    cold();
    flag.store(1);
  });
  writer.join();
  reader.join();
}
