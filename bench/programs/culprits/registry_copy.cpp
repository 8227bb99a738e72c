// A registry that hands out a copy of all its entries for each look-up.
// culprit: entries, price_of, bill
#include <cstdio>
#include <map>
#include <string>

class Registry {
  std::map<std::string, int> entries_;

public:
  void add(const std::string& name, int price) { entries_[name] = price; }
#ifdef REPAIRED
  const std::map<std::string, int>& entries() const { return entries_; }
#else
  std::map<std::string, int> entries() const { return entries_; }
#endif
};

static int price_of(const Registry& registry, const std::string& name) {
#ifdef REPAIRED
  const auto& entries = registry.entries();
#else
  auto entries = registry.entries(); // CULPRIT
#endif
  auto place = entries.find(name);
  return place == entries.end() ? 0 : place->second;
}

int main() {
  Registry registry;
  long sum = 0;
  for (int i = 0; i < 400; i++) {
    registry.add("article " + std::to_string(i * 7919 % 1000), i % 90);
    sum += price_of(registry, "article " + std::to_string(i * 31 % 1000));
  }
  std::printf("%ld\n", sum);
}
