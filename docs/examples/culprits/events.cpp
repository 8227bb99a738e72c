// Keeps events in the order of time as they arrive. -DREPAIRED: sorts them once all have arrived.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Event {
  long time;
  int kind;
  bool operator<(const Event& other) const { return time < other.time; }
};

class Calendar {
public:
  void add(Event event) {
#ifdef REPAIRED
    events_.push_back(event);
#else
    events_.insert(std::upper_bound(events_.begin(), events_.end(), event), event);
#endif
  }
  const Event& first() {
#ifdef REPAIRED
    std::sort(events_.begin(), events_.end());
#endif
    return events_.front();
  }

private:
  std::vector<Event> events_;
};

int main() {
  Calendar calendar;
  long time = 1;
  for (int i = 0; i < 20000; i++) {
    time = time * 48271 % 2147483647;
    calendar.add({time, i});
  }
  std::printf("the first at %ld\n", calendar.first().time);
}
