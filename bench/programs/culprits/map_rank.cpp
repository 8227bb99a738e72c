// The rank of each price among those so far, counted from the cheapest.
// culprit: rank, rank_all
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <vector>

class Prices {
#ifdef REPAIRED
  std::vector<int> counts_ = std::vector<int>(1 << 16);
#else
  std::map<int, int> seen_;
#endif

public:
  void add(int price) {
#ifdef REPAIRED
    for (int i = price + 1; i < static_cast<int>(counts_.size()); i += i & -i) counts_[i]++;
#else
    seen_[price]++;
#endif
  }
  long rank(int price) const {
#ifdef REPAIRED
    long sum = 0;
    for (int i = price; i > 0; i -= i & -i) sum += counts_[i];
    return sum;
#else
    return std::distance(seen_.begin(), seen_.lower_bound(price)); // CULPRIT
#endif
  }
};

static long rank_all(int n) {
  Prices prices;
  long sum = 0;
  for (int i = 0; i < n; i++) {
    int price = static_cast<int>(i * 2654435761u % 60013);
    prices.add(price);
    sum += prices.rank(price);
  }
  return sum;
}

int main() { std::printf("%ld\n", rank_all(2500)); }
