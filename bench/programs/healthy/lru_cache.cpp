// A least-recently-used cache by list and hash map.
#include <cstdio>
#include <list>
#include <string>
#include <unordered_map>

class Cache {
  size_t room_;
  std::list<std::pair<int, std::string>> entries_;
  std::unordered_map<int, std::list<std::pair<int, std::string>>::iterator> places_;

public:
  explicit Cache(size_t room) : room_(room) {}
  const std::string& get(int key) {
    auto place = places_.find(key);
    if (place != places_.end()) {
      entries_.splice(entries_.begin(), entries_, place->second);
      return place->second->second;
    }
    if (entries_.size() == room_) {
      places_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, "value " + std::to_string(key));
    places_[key] = entries_.begin();
    return entries_.front().second;
  }
};

int main() {
  Cache cache(500);
  size_t bytes = 0;
  unsigned state = 1;
  for (int i = 0; i < 15000; i++) {
    state = state * 1664525 + 1013904223;
    bytes += cache.get(static_cast<int>((state >> 16) % 700)).size();
  }
  std::printf("%zu\n", bytes);
}
