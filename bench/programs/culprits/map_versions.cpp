// A document with versions: each change makes a new version from a copy of the last one's whole map.
// culprit: set, edit, Version, _M_copy, with
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Change {
  std::string key;
  int value, before;
};

class Document {
  std::map<std::string, int> values_;
#ifdef REPAIRED
  std::vector<Change> changes_;
#else
  std::vector<std::shared_ptr<const std::map<std::string, int>>> versions_;
#endif

public:
  void set(const std::string& key, int value) {
#ifdef REPAIRED
    changes_.push_back({key, value, values_[key]});
#else
    versions_.push_back(std::make_shared<std::map<std::string, int>>(values_)); // CULPRIT
#endif
    values_[key] = value;
  }
  size_t size() const { return values_.size(); }
};

static size_t edit(int changes) {
  Document document;
  for (int i = 0; i < changes; i++) document.set("section" + std::to_string(i * 17 % changes), i);
  return document.size();
}

int main() {
  size_t sum = 0;
  for (int changes = 25; changes <= 300; changes += 25) sum += edit(changes);
  std::printf("%zu\n", sum);
}
