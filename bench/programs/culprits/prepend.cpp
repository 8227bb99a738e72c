// The way back from the goal, as text that each step is put in front of.
// culprit: way_text, main
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

static std::string way_text(const std::vector<int>& from, int goal) {
  std::string text;
#ifdef REPAIRED
  std::vector<int> way;
  for (int at = goal; at >= 0; at = from[at]) way.push_back(at);
  for (auto at = way.rbegin(); at != way.rend(); ++at) text += " > " + std::to_string(*at);
#else
  for (int at = goal; at >= 0; at = from[at]) text.insert(0, " > " + std::to_string(at)); // CULPRIT
#endif
  return text;
}

int main() {
  size_t all = 0;
  for (int n = 500; n <= 5000; n += 500) {
    std::vector<int> from(n);
    for (int i = 0; i < n; i++) from[i] = i - 1;
    all += way_text(from, n - 1).size();
  }
  std::printf("%zu characters\n", all);
}
