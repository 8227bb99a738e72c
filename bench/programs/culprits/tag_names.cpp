// Numbers the distinct words of a log; looks for each in the list of all names so far.
// culprit: intern, number_words
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

static std::vector<std::string> make_log(int words) {
  std::vector<std::string> log;
  unsigned state = 7;
  for (int i = 0; i < words; i++) {
    state = state * 1103515245 + 12345;
    log.push_back("user" + std::to_string((state >> 8) % (words / 2)));
  }
  return log;
}

struct Names {
  std::vector<std::string> all;
#ifdef REPAIRED
  std::unordered_map<std::string, int> numbers;
  int intern(const std::string& name) {
    auto [place, is_new] = numbers.try_emplace(name, static_cast<int>(all.size()));
    if (is_new) all.push_back(name);
    return place->second;
  }
#else
  int intern(const std::string& name) {
    auto place = std::find(all.begin(), all.end(), name); // CULPRIT
    if (place == all.end()) {
      all.push_back(name);
      return static_cast<int>(all.size()) - 1;
    }
    return static_cast<int>(place - all.begin());
  }
#endif
};

static std::vector<int> number_words(const std::vector<std::string>& log, Names& names) {
  std::vector<int> numbers;
  for (const auto& word : log) numbers.push_back(names.intern(word));
  return numbers;
}

int main() {
  Names names;
  auto log = make_log(3000);
  auto numbers = number_words(log, names);
  std::vector<int> uses(names.all.size());
  for (int number : numbers) uses[number]++;
  std::printf("%zu names, at most %d uses\n", names.all.size(), *std::max_element(uses.begin(), uses.end()));
}
