// A day of a bank: customers arrive, wait in a queue of priorities, and are served; accounts are in a hash table.
#include <cstdio>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

struct Event {
  int time, customer;
  bool operator<(const Event& other) const { return time > other.time; }
};

static long day(int customers) {
  std::priority_queue<Event> events;
  std::unordered_map<std::string, long> accounts;
  unsigned seed = 11;
  for (int i = 0; i < customers; i++) {
    seed = seed * 1664525 + 1013904223;
    events.push({static_cast<int>(seed >> 12) % 10000, i});
  }
  long served = 0;
  while (!events.empty()) {
    Event event = events.top();
    events.pop();
    long& account = accounts["customer " + std::to_string(event.customer % (customers / 4))];
    account += event.time % 97 - 40;
    if (account < -100 && event.time < 20000) events.push({event.time + 500, event.customer});
    served++;
  }
  return served;
}

int main() {
  long sum = 0;
  for (int customers = 200; customers <= 2000; customers += 200) sum += day(customers);
  std::printf("%ld served\n", sum);
}
