// Counts ways to pay; results are kept by a key that never comes again.
// culprit: ways
#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

static const std::vector<int> kCoins = {50, 20, 10, 5, 2, 1};

#ifdef REPAIRED
using Key = std::pair<int, size_t>;
#define KEY {amount, coin}
#else
using Key = std::tuple<int, size_t, int>;
#define KEY {amount, coin, path}
#endif
static std::map<Key, long> known;
static int calls;

static long ways(int amount, size_t coin, int path) { // CULPRIT
  calls++;
  if (amount == 0) return 1;
  if (amount < 0 || coin == kCoins.size()) return 0;
  Key key KEY;
  auto place = known.find(key);
  if (place != known.end()) return place->second;
  long all = ways(amount - kCoins[coin], coin, path * 2 + 1) + ways(amount, coin + 1, path * 2);
  known[key] = all;
  return all;
}

static long bill(int cents) {
  long sum = 0;
  for (int i = 0; i < cents; i++) sum += (i * 31) % 19;
  return sum % 20;
}

int main() {
  long sum = 0;
  for (int cents = 5; cents <= 60; cents += 5) sum += ways(cents, 0, 1) + bill(cents);
  std::printf("%ld ways, %d calls\n", sum, calls);
}
