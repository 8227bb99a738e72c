// Listeners that leave one by one; each is looked for among all, and the rest is moved up.
// culprit: unsubscribe, ~Listener, remove, find, _Destroy, __find_if, __remove_if
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <vector>

class Listener;
class Source {
#ifdef REPAIRED
  std::set<Listener*> listeners_;

public:
  void subscribe(Listener* who) { listeners_.insert(who); }
  void unsubscribe(Listener* who) { listeners_.erase(who); }
#else
  std::vector<Listener*> listeners_;

public:
  void subscribe(Listener* who) { listeners_.push_back(who); }
  void unsubscribe(Listener* who) {
    listeners_.erase(std::remove(listeners_.begin(), listeners_.end(), who),
                     listeners_.end()); // CULPRIT
  }
#endif
  size_t size() const { return listeners_.size(); }
};

class Listener {
  Source& source_;

public:
  explicit Listener(Source& source) : source_(source) { source_.subscribe(this); }
  ~Listener() { source_.unsubscribe(this); }
};

int main() {
  Source source;
  {
    std::vector<std::unique_ptr<Listener>> open;
    for (int i = 0; i < 2500; i++)
      open.push_back(std::make_unique<Listener>(source));
    std::printf("%zu\n", source.size());
    while (!open.empty())
      open.pop_back();
  }
  std::printf("%zu\n", source.size());
}
