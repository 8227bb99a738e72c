// An event bus that offers each event to every handler, which then looks whether the topic is its own.
// culprit: publish, operator()
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

struct Event {
  int topic;
  int value;
};

class Bus {
  using Handler = std::function<void(const Event&)>;
#ifdef REPAIRED
  std::map<int, std::vector<Handler>> handlers_;
#else
  struct Entry {
    int topic;
    Handler handler;
  };
  std::vector<Entry> handlers_;
#endif

public:
  void subscribe(int topic, Handler handler) {
#ifdef REPAIRED
    handlers_[topic].push_back(std::move(handler));
#else
    handlers_.push_back({topic, std::move(handler)});
#endif
  }
  void publish(const Event& event) const {
#ifdef REPAIRED
    auto place = handlers_.find(event.topic);
    if (place == handlers_.end()) return;
    for (const auto& handler : place->second) handler(event);
#else
    for (const auto& entry : handlers_) // CULPRIT
      if (entry.topic == event.topic) entry.handler(event);
#endif
  }
};

static long simulate(int devices) {
  Bus bus;
  std::vector<long> sums(devices);
  for (int i = 0; i < devices; i++) bus.subscribe(i, [&sums, i](const Event& event) { sums[i] += event.value; });
  for (int i = 0; i < 2 * devices; i++) bus.publish({i % devices, i % 11});
  long all = 0;
  for (long sum : sums) all += sum;
  return all;
}

int main() {
  long sum = 0;
  for (int devices = 100; devices <= 1000; devices += 100) sum += simulate(devices);
  std::printf("%ld\n", sum);
}
