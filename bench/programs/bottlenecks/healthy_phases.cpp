// HEALTHY: threads meet at a barrier after equal phases.
#include <barrier>
#include <cstdio>
#include <thread>
#include <vector>
int main() {
  std::barrier b(4);
  std::vector<std::vector<double>> c(4, std::vector<double>(1000, 1));
  std::vector<std::jthread> t;
  for (int n = 0; n < 4; n++)
    t.emplace_back([&, n] {
      for (int p = 0; p < 40; p++) {
        for (int k = 0; k < 5; k++)
          for (int i = 1; i < 999; i++)
            c[n][i] = 0.25 * c[n][i - 1] + 0.5 * c[n][i] + 0.25 * c[n][i + 1];
        b.arrive_and_wait();
      }
    });
  t.clear();
  std::printf("%g\n", c[0][5]);
}
