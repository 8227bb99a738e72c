// An order book whose prices are kept sorted in a vector; each order moves up those behind it.
// culprit: insert, add, trade
#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

struct Order {
  long price;
  int id, amount;
  char client[40];
  bool operator<(const Order& other) const { return price < other.price; }
};

class Book {
#ifdef REPAIRED
  std::multiset<Order> orders_;
#else
  std::vector<Order> orders_;
#endif

public:
  void add(const Order& order) {
#ifdef REPAIRED
    orders_.insert(order);
#else
    orders_.insert(std::upper_bound(orders_.begin(), orders_.end(), order), order); // CULPRIT
#endif
  }
  long volume() const {
    long sum = 0;
    for (const auto& order : orders_) sum += order.amount * order.price;
    return sum;
  }
};

static long trade(int orders, std::mt19937& random) {
  Book book;
  for (int i = 0; i < orders; i++) book.add({long(random() % 100000), i, int(random() % 50), "client"});
  return book.volume();
}

int main() {
  std::mt19937 random(3);
  long sum = 0;
  for (int orders = 200; orders <= 3000; orders += 200) sum += trade(orders, random);
  std::printf("%ld\n", sum);
}
