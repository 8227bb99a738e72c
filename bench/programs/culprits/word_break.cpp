// Whether a text can be cut into known words, by trying each first word and the rest of the text.
// culprit: can_cut
#include <cstdio>
#include <set>
#include <string>
#include <vector>

static const std::set<std::string> kWords = {"a", "aa", "aaa", "aaaa", "ab", "ba"};

#ifdef REPAIRED
static bool can_cut(const std::string& text) {
  std::vector<bool> can(text.size() + 1);
  can[0] = true;
  for (size_t end = 1; end <= text.size(); end++)
    for (size_t length = 1; length <= 4 && length <= end && !can[end]; length++)
      can[end] = can[end - length] && kWords.count(text.substr(end - length, length));
  return can[text.size()];
}
#else
static bool can_cut(const std::string& text) { // CULPRIT
  if (text.empty()) return true;
  for (size_t length = 1; length <= 4 && length <= text.size(); length++)
    if (kWords.count(text.substr(0, length)) && can_cut(text.substr(length))) return true;
  return false;
}
#endif

int main() {
  int found = 0;
  for (int length = 3; length <= 16; length++) found += can_cut(std::string(length, 'a') + "c");
  std::printf("%d\n", found);
}
