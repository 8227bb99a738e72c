// HEALTHY: items of uneven cost, taken from an atomic counter.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>
int main() {
  std::atomic<int> next = 0;
  std::vector<double> r(300);
  std::vector<std::thread> t;
  for (int n = 0; n < 4; n++)
    t.emplace_back([&] {
      for (int i; (i = next++) < 300;) {
        double x = i;
        for (int k = 0; k < 2000 + (i * 37 % 100) * 100; k++)
          x = x * 0.5 + k;
        r[i] = x;
      }
    });
  for (auto& x : t)
    x.join();
  std::printf("%g\n", r[5]);
}
