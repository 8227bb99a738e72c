// Numbers the prefixes of a path; each is looked up by its whole text.
// culprit: number_prefixes, intern
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

class Prefixes {
#ifdef REPAIRED
  std::map<std::pair<int, std::string>, int> numbers_;
#else
  std::unordered_map<std::string, int> numbers_;
  std::string path_;
#endif

public:
  int enter(int parent, const std::string& name) {
#ifdef REPAIRED
    return numbers_.try_emplace({parent, name}, int(numbers_.size()) + 1).first->second;
#else
    if (parent == 0) path_.clear();
    path_ += "/" + name;
    auto [at, fresh] = numbers_.try_emplace(path_, int(numbers_.size()) + 1); // CULPRIT
    return at->second;
#endif
  }
};

static long number_prefixes(int depth) {
  Prefixes prefixes;
  long sum = 0;
  for (int round = 0; round < 3; round++) {
    int at = 0;
    for (int i = 0; i < depth; i++) sum += at = prefixes.enter(at, "folder" + std::to_string(i % 10));
  }
  return sum;
}

int main() {
  long sum = 0;
  for (int depth = 50; depth <= 800; depth += 50) sum += number_prefixes(depth);
  std::printf("%ld\n", sum);
}
