// Groups words by their letters; the letters of each group are sorted again for each word.
// culprit: find_group, key_of, same_letters, operator(), find_if, __find_if, groups_of
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

static std::string key_of(std::string word) {
  std::sort(word.begin(), word.end());
  return word;
}

static std::vector<std::vector<std::string>> groups_of(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> groups;
#ifdef REPAIRED
  std::unordered_map<std::string, size_t> place;
  for (const auto& word : words) {
    auto [at, fresh] = place.try_emplace(key_of(word), groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(word);
  }
#else
  for (const auto& word : words) {
    auto group = std::find_if(groups.begin(), groups.end(), // CULPRIT
                              [&](const auto& other) { return key_of(other.front()) == key_of(word); });
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<std::string>());
    group->push_back(word);
  }
#endif
  return groups;
}

int main() {
  size_t sum = 0;
  for (int number = 15; number <= 210; number += 15) {
    std::vector<std::string> words;
    for (int i = 0; i < number; i++) words.push_back(std::to_string(100000 + i * 7919L * 31 % 899999));
    sum += groups_of(words).size();
  }
  std::printf("%zu\n", sum);
}
