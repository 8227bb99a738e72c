// Joins two tables by a hash index and groups the result.
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

struct Order {
  int customer, cents;
};

int main() {
  std::unordered_map<int, std::string> names;
  std::vector<Order> orders;
  for (int i = 0; i < 4000; i++) names[i * 37] = "customer " + std::to_string(i % 300);
  for (int i = 0; i < 20000; i++) orders.push_back({i % 5000 * 37, i % 997});
  std::unordered_map<std::string, long> sums;
  for (const Order& order : orders) {
    auto name = names.find(order.customer);
    if (name != names.end()) sums[name->second] += order.cents;
  }
  std::printf("%zu %ld\n", sums.size(), sums["customer 7"]);
}
