// A getter that returns a copy, asked for in a loop over what it returns.
// culprit: total, items, price_of
#include <cstdio>
#include <string>
#include <vector>

struct Item {
  std::string name;
  int cents;
};

class Basket {
  std::vector<Item> items_;

public:
  void add(std::string name, int cents) { items_.push_back({std::move(name), cents}); }
#ifdef REPAIRED
  const std::vector<Item>& items() const { return items_; }
#else
  std::vector<Item> items() const { return items_; }
#endif
};

static long total(const Basket& basket) {
  long sum = 0;
  for (size_t i = 0; i < basket.items().size(); i++) sum += basket.items()[i].cents; // CULPRIT
  return sum;
}

int main() {
  long sum = 0;
  for (int n = 20; n <= 240; n += 20) {
    Basket basket;
    for (int i = 0; i < n; i++) basket.add("article number " + std::to_string(i), 99 + i * 13 % 500);
    sum += total(basket);
  }
  std::printf("%ld\n", sum);
}
