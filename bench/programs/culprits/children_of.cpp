// Lists a directory tree; the children of each folder are looked for in the table of all entries.
// culprit: walk, children_of
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Entry {
  int id, parent;
  std::string name;
};

class Disk {
  std::vector<Entry> entries_;
  std::map<int, std::vector<int>> children_;

public:
  explicit Disk(int number) {
    for (int i = 0; i < number; i++)
      add({i, i ? (i * 37 % 1009) % i : -1, "f" + std::to_string(i)});
  }
  void add(Entry entry) {
    children_[entry.parent].push_back(entry.id);
    entries_.push_back(std::move(entry));
  }
  size_t walk(int parent, const std::string& path, int level = 0) const {
    size_t sum = 0;
#ifdef REPAIRED
    auto of = children_.find(parent);
    if (of == children_.end())
      return 0;
    for (int id : of->second) {
      const Entry& entry = entries_[id];
#else
    for (const Entry& entry : entries_) { // CULPRIT
      if (entry.parent != parent)
        continue;
#endif
      std::string name = path + '/' + entry.name;
      sum += name.size() + walk(entry.id, level % 4 == 3 ? "..." : name, level + 1);
    }
    return sum;
  }
};

int main() {
  Disk disk(1500);
  std::printf("%zu\n", disk.walk(-1, ""));
}
