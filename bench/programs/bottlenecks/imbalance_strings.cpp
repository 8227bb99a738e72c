// KIND imbalance, NAMES main|count_words|Range: std::async counts words in as many lines each; later lines are longer.
#include <cstdio>
#include <future>
#include <string>
#include <vector>

using Lines = std::vector<std::string>;

static int count_words(const Lines& lines, size_t begin, size_t end, size_t step) {
  int words = 0;
  for (size_t i = begin; i < end; i += step) { // CULPRIT
    bool inside = false;
    for (char c : lines[i]) {
      words += c != ' ' && !inside;
      inside = c != ' ';
    }
  }
  return words;
}

int main() {
  Lines lines;
  for (int i = 0; i < 800; i++)
    lines.push_back(std::string(i < 600 ? 20 : 20 + (i - 600) * 8, "ab "[i % 3]));
  constexpr size_t kParts = 4;
  std::vector<std::future<int>> parts;
  for (size_t p = 0; p < kParts; p++)
#ifdef FIXED
    parts.push_back(std::async(std::launch::async, count_words, std::cref(lines), p, lines.size(), kParts));
#else
    parts.push_back(std::async(std::launch::async, count_words, std::cref(lines), lines.size() * p / kParts,
                               lines.size() * (p + 1) / kParts, 1));
#endif
  int words = 0;
  for (auto& part : parts)
    words += part.get();
  std::printf("%d\n", words);
}
