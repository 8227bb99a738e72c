// Joins orders to customers and these to cities, each by a search through the whole list.
// culprit: find, find_if, name_of, city_of, region_of, totals, operator()
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

struct City {
  int id;
  std::string region;
};
struct Customer {
  int id, city;
};
struct Order {
  int customer;
  long cents;
};

template <class Row> struct Rows {
  std::vector<Row> rows;
  std::unordered_map<int, size_t> places;
  void add(Row row) {
    places[row.id] = rows.size();
    rows.push_back(std::move(row));
  }
  const Row& find(int id) const {
#ifdef REPAIRED
    return rows[places.at(id)];
#else
    return *std::find_if(rows.begin(), rows.end(),
                         [id](const Row& row) { return row.id == id; }); // CULPRIT
#endif
  }
};

struct Shop {
  Rows<City> cities;
  Rows<Customer> customers;
  std::vector<Order> orders;
  const std::string& region_of(const Order& order) const {
    return cities.find(customers.find(order.customer).city).region;
  }
  std::unordered_map<std::string, long> totals() const {
    std::unordered_map<std::string, long> sums;
    for (const Order& order : orders)
      sums[region_of(order)] += order.cents; // CULPRIT
    return sums;
  }
};

static Shop shop_of(int n) {
  Shop shop;
  for (int i = 0; i < n; i++)
    shop.cities.add({i * 17, "r" + std::to_string(i % 9)});
  for (int i = 0; i < n; i++)
    shop.customers.add({i * 3, i * 7919 % n * 17});
  for (int i = 0; i < 2 * n; i++)
    shop.orders.push_back({i * 31 % n * 3, i % 1000});
  return shop;
}

int main() {
  long sum = 0;
  for (int n = 60; n <= 960; n *= 2)
    for (const auto& [region, cents] : shop_of(n).totals())
      sum += cents * region.size();
  std::printf("%ld\n", sum);
}
