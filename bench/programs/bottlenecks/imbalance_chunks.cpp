// KIND imbalance, NAMES main|count_primes: a range of numbers is halved for std::async, but large numbers take longer.
#include <atomic>
#include <cstdio>
#include <future>
#include <vector>

static int count_primes(int from, int to) {
  int count = 0;
  for (int n = from; n < to; n++) {
    bool is_prime = n > 1;
    for (int d = 2; d * d <= n && is_prime; d++)
      is_prime = n % d != 0;
    count += is_prime;
  }
  return count;
}

int main() {
  constexpr int kMost = 40000;
#ifdef FIXED
  constexpr int kParts = 64;
#else
  constexpr int kParts = 4;
#endif
  int total = 0;
#ifdef FIXED
  std::vector<std::future<int>> parts;
  std::atomic<int> next{0};
  for (int t = 0; t < 4; t++)
    parts.push_back(std::async(std::launch::async, [&next] {
      int count = 0;
      for (int p; (p = next++) < kParts;)
        count += count_primes(p * (kMost / kParts), (p + 1) * (kMost / kParts));
      return count;
    }));
#else
  std::vector<std::future<int>> parts;
  for (int p = 0; p < kParts; p++)
    parts.push_back(std::async(std::launch::async, count_primes, p * (kMost / kParts), (p + 1) * (kMost / kParts))); // CULPRIT
#endif
  for (auto& part : parts)
    total += part.get();
  std::printf("%d\n", total);
}
