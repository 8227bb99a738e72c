// Counts words in a map, looking each one up twice; prints the most frequent.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

int main() {
  std::map<std::string, int> counts;
  unsigned state = 1;
  for (int i = 0; i < 20000; i++) {
    state = state * 1664525 + 1013904223;
    std::string word = "w" + std::to_string((state >> 12) % 3000);
    if (counts.find(word) == counts.end()) counts[word] = 0;
    counts[word]++;
  }
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [word, count] : counts) order.push_back({-count, word});
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 3; i++) std::printf("%s %d\n", order[i].second.c_str(), -order[i].first);
}
