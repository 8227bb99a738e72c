// Numbers the events of each name in a multiset, which counts those that are equal one by one.
// culprit: number_of, add, count, distance
#include <cstdio>
#include <map>
#include <set>
#include <string>

class Events {
#ifdef REPAIRED
  std::map<std::string, long> seen_;
#else
  std::multiset<std::string> seen_;
#endif

  long number_of(const std::string& name) {
#ifdef REPAIRED
    return seen_[name]++;
#else
    long number = seen_.count(name); // CULPRIT
    seen_.insert(name);
    return number;
#endif
  }

public:
  long add(const std::string& name) { return number_of(name) * 31 % 1009; }
};

int main() {
  static const char* const names[] = {"login", "logout", "read", "write", "ping"};
  Events events;
  long sum = 0;
  for (int i = 0; i < 6000; i++)
    sum += events.add(names[i * 31 % 5]);
  std::printf("%ld\n", sum);
}
