// The median after each measurement, of a copy of all so far.
// culprit: median, watch, add
#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

class Medians {
#ifdef REPAIRED
  std::multiset<int> low_, high_;

public:
  int add(int value) {
    if (low_.empty() || value <= *low_.rbegin()) low_.insert(value);
    else high_.insert(value);
    if (low_.size() > high_.size() + 1) {
      high_.insert(*low_.rbegin());
      low_.erase(std::prev(low_.end()));
    } else if (high_.size() > low_.size()) {
      low_.insert(*high_.begin());
      high_.erase(high_.begin());
    }
    return *low_.rbegin();
  }
#else
  std::vector<int> all_;
  static int median(std::vector<int> values) { // CULPRIT
    auto middle = values.begin() + static_cast<long>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

public:
  int add(int value) {
    all_.push_back(value);
    return median(all_);
  }
#endif
};

int main() {
  Medians medians;
  unsigned seed = 1;
  long sum = 0;
  for (int i = 0; i < 3000; i++) {
    seed = seed * 1103515245 + 12345;
    sum += medians.add(static_cast<int>(seed >> 8) % 10000);
  }
  std::printf("%ld\n", sum);
}
