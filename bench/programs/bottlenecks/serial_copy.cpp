// KIND serial phase, NAMES snapshot: threads smooth a field, which is copied as a whole after each step.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

constexpr int kThreads = 4, kSize = 160000, kSteps = 6;

static void snapshot(std::vector<double>& to, const std::vector<double>& from) {
#ifdef FIXED
  to.swap(const_cast<std::vector<double>&>(from));
#else
  for (int pass = 0; pass < 12; pass++)
    std::memcpy(to.data(), from.data(), from.size() * sizeof(double)); // CULPRIT
#endif
}

static void smooth(const std::vector<double>& from, std::vector<double>& to, int first, int last) {
  for (int i = first; i < last; i++)
    to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
}

int main() {
  std::vector<double> a(kSize + 2, 1.0), b(kSize + 2, 0.0);
  for (int step = 0; step < kSteps; step++) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; t++)
      threads.emplace_back([&, t] { smooth(a, b, 1 + t * kSize / kThreads, 1 + (t + 1) * kSize / kThreads); });
    for (auto& thread : threads)
      thread.join();
    snapshot(a, b);
  }
  std::printf("%g\n", a[kSize / 2]);
}
