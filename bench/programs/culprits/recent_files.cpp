// A least-recently-used cache in a vector that moves entries to its front.
// culprit: use, touch, replay
#include <algorithm>
#include <cstdio>
#include <list>
#include <unordered_map>
#include <vector>

class Recent {
#ifdef REPAIRED
  std::list<int> files_;
  std::unordered_map<int, std::list<int>::iterator> places_;
#else
  std::vector<int> files_;
#endif

public:
  bool use(int file) {
#ifdef REPAIRED
    auto place = places_.find(file);
    bool known = place != places_.end();
    if (known) files_.splice(files_.begin(), files_, place->second);
    else {
      files_.push_front(file);
      places_[file] = files_.begin();
    }
    return known;
#else
    auto place = std::find(files_.begin(), files_.end(), file); // CULPRIT
    bool known = place != files_.end();
    if (known) files_.erase(place);
    files_.insert(files_.begin(), file);
    return known;
#endif
  }
};

static int replay(int n) {
  Recent recent;
  int hits = 0;
  for (int i = 0; i < 4 * n; i++) hits += recent.use(static_cast<int>(i * 2654435761u % n));
  return hits;
}

int main() {
  int hits = 0;
  for (int n = 100; n <= 800; n += 100) hits += replay(n);
  std::printf("%d\n", hits);
}
