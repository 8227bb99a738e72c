// Counts a keyword in a text; at each place the rest of the text is copied to see how it starts.
// culprit: starts_at, count_keyword, substr, count
#include <cstdio>
#include <string>
#include <string_view>

#ifdef REPAIRED
static bool starts_at(std::string_view text, size_t at, std::string_view word) {
  return text.substr(at, word.size()) == word;
}
#else
static bool starts_at(const std::string& text, size_t at, const std::string& word) {
  return text.substr(at).rfind(word, 0) == 0; // CULPRIT
}
#endif

static int count_keyword(const std::string& text, const std::string& word) {
  int found = 0;
  for (size_t i = 0; i < text.size(); i++) found += starts_at(text, i, word);
  return found;
}

int main() {
  std::string text;
  for (int i = 0; i < 3000; i++) text += i % 3 ? "return x; " : "if (y) { ";
  std::printf("%d\n", count_keyword(text, "return"));
}
