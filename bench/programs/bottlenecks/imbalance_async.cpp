// KIND imbalance, NAMES index_file|main: a task for each file, of which the last is larger than all others.
#include <cstdio>
#include <future>
#include <string>
#include <unordered_map>
#include <vector>

static size_t index_file(const std::string& text) {
  std::unordered_map<std::string, int> words;
  std::string word;
  for (char c : text) // CULPRIT
    if (c == ' ')
      words[std::move(word)]++, word.clear();
    else
      word += c;
  return words.size();
}

int main() {
  std::vector<std::string> files;
  for (int i = 0; i < 12; i++) {
#ifdef FIXED
    const int words = 700;
#else
    const int words = i == 11 ? 6000 : 200;
#endif
    std::string text(words * 8, 'x');
    for (int k = 0; k < words; k++)
      text[k * 8] = 'a' + k % 26, text[k * 8 + 7] = ' ';
    files.push_back(std::move(text));
  }
  std::vector<std::future<size_t>> sizes;
  for (const auto& file : files)
    sizes.push_back(std::async(std::launch::async, index_file, file));
  size_t total = 0;
  for (auto& size : sizes)
    total += size.get();
  std::printf("%zu\n", total);
}
