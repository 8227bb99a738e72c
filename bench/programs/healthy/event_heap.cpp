// A simulation of a shop with a priority queue of events.
#include <cstdio>
#include <queue>
#include <vector>

struct Event {
  long time;
  int customer;
  bool operator<(const Event& other) const { return time > other.time; }
};

int main() {
  std::priority_queue<Event> events;
  unsigned state = 1;
  for (int i = 0; i < 1000; i++) events.push({i * 3 % 501, i});
  long served = 0, now = 0;
  while (served < 12000) {
    Event event = events.top();
    events.pop();
    now = event.time;
    served++;
    state = state * 1664525 + 1013904223;
    events.push({now + 1 + static_cast<long>(state >> 22), event.customer});
  }
  std::printf("%ld\n", now);
}
