// Collects orders, each number once.
#include <cstdio>
#include <string>
#include <vector>

struct Order {
  int number;
  std::string customer;
};

class Store {
public:
  bool exists(int number) const {
    for (const Order& order : orders_)
      if (order.number == number)
        return true;
    return false;
  }

  void add(const Order& order) {
    if (!exists(order.number))
      orders_.push_back(order);
  }

  std::size_t size() const { return orders_.size(); }

private:
  std::vector<Order> orders_;
};

int main() {
  Store store;
  for (int i = 0; i < 3000; i++)
    store.add({i * 7919 % 3001, "customer " + std::to_string(i % 200)});
  std::printf("%zu orders\n", store.size());
}
