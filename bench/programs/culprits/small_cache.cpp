// Ways to make a sum of coins; results are kept in a cache that is emptied before it can help.
// culprit: ways, change, operator()
#include <cstdio>
#include <functional>
#include <unordered_map>
#include <vector>

static long change(const std::vector<int>& coins, int amount) {
  std::unordered_map<long, long> cache;
#ifdef REPAIRED
  const size_t most = 1'000'000;
#else
  const size_t most = 16;
#endif
  std::function<long(int, int)> ways = [&](int first, int left) -> long {
    if (left == 0)
      return 1;
    if (left < 0 || first == (int)coins.size())
      return 0;
    long key = first * 100'000L + left;
    if (auto found = cache.find(key); found != cache.end())
      return found->second;
    long result = ways(first, left - coins[first]) + ways(first + 1, left);
    if (cache.size() >= most)
      cache.clear(); // CULPRIT
    return cache[key] = result;
  };
  return ways(0, amount);
}

int main() {
  const std::vector<int> coins = {50, 25, 10, 5, 3, 2, 1};
  long sum = 0;
  for (int amount = 10; amount <= 130; amount += 10)
    sum += change(coins, amount);
  std::printf("%ld\n", sum);
}
