// The size of a package with all it needs, without keeping what is known.
// culprit: levels, size_of
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

struct Package {
  std::string name;
  std::vector<std::string> needs;
};

class Packages {
  std::unordered_map<std::string, Package> all_;
  mutable std::unordered_map<std::string, int> known_;

public:
  explicit Packages(int layers) {
    for (int layer = 0; layer < layers; layer++)
      for (char which : {'a', 'b'}) {
        Package package{which + std::to_string(layer), {}};
        if (layer)
          package.needs = {"a" + std::to_string(layer - 1), "b" + std::to_string(layer - 1)};
        all_[package.name] = package;
      }
  }
  int levels(const std::string& name) const { // CULPRIT
#ifdef REPAIRED
    auto known = known_.find(name);
    if (known != known_.end())
      return known->second;
#endif
    int most = 0;
    for (const auto& need : all_.at(name).needs)
      most = std::max(most, levels(need));
#ifdef REPAIRED
    known_[name] = most + 1;
#endif
    return most + 1;
  }
};

int main() {
  long sum = 0;
  for (int layers = 2; layers <= 15; layers++)
    sum += Packages(layers).levels("a" + std::to_string(layers - 1));
  std::printf("%ld\n", sum);
}
