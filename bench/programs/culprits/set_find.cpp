// Membership of a set, asked by the algorithm instead of the set.
// culprit: is_blocked, filter
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

class BlockList {
  std::set<std::string> hosts_;

public:
  void block(const std::string& host) { hosts_.insert(host); }
  bool is_blocked(const std::string& host) const {
#ifdef REPAIRED
    return hosts_.find(host) != hosts_.end();
#else
    return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end(); // CULPRIT
#endif
  }
};

static std::string host(int i) { return "host" + std::to_string(i * 7919 % 100003) + ".example.org"; }

static int filter(int n) {
  BlockList list;
  for (int i = 0; i < n; i++) list.block(host(i));
  int passed = 0;
  for (int i = n / 2; i < n + n / 2; i++) passed += !list.is_blocked(host(i));
  return passed;
}

int main() {
  int sum = 0;
  for (int n = 100; n <= 800; n += 100) sum += filter(n);
  std::printf("%d\n", sum);
}
