// Matches file names against a pattern of stars by recursion over copies of what is left of both.
// culprit: matches
#include <cstdio>
#include <string>
#include <vector>

#ifdef REPAIRED
static bool matches(const std::string& text, const std::string& pattern) {
  std::vector<char> now(text.size() + 1), next;
  now[0] = 1;
  for (char p : pattern) {
    next.assign(text.size() + 1, 0);
    bool any = false;
    for (size_t i = 0; i <= text.size(); i++) {
      any |= now[i];
      if (p == '*') next[i] = any;
      else if (i > 0) next[i] = now[i - 1] && text[i - 1] == p;
    }
    now.swap(next);
  }
  return now[text.size()];
}
#else
static bool matches(std::string text, std::string pattern) { // CULPRIT
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return matches(text, pattern.substr(1)) || (!text.empty() && matches(text.substr(1), pattern));
  return !text.empty() && text[0] == pattern[0] && matches(text.substr(1), pattern.substr(1));
}
#endif

int main() {
  int found = 0;
  for (int length = 8; length <= 20; length += 2) {
    std::string text(length, 'a');
    found += matches(text, "*a*a*a*a*a*b") + matches(text + "b", "*a*b");
  }
  std::printf("%d\n", found);
}
