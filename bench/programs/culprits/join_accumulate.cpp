// Joins words by std::accumulate, which copies the text so far for each of them (before C++20).
// culprit: join, accumulate
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

static std::string join(const Words& words) {
#ifdef REPAIRED
  std::string all;
  for (const auto& word : words)
    (all += ',') += word;
  return all;
#else
  return std::accumulate(
      words.begin(), words.end(), std::string(),
      [](const std::string& all, const std::string& word) { return all + ',' + word; }); // CULPRIT
#endif
}

static size_t letters(const std::string& text) {
  size_t sum = 0;
  for (char each : text)
    sum += each != ',';
  return sum;
}

int main() {
  Words words;
  for (int i = 0; i < 3000; i++)
    words.push_back("w" + std::to_string(i * 7919 % 5003));
  std::string text = join(words);
  std::printf("%zu %zu\n", text.size(), letters(text));
}
