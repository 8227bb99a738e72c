// KIND serial phase, NAMES merge_counts: threads count words of their own, one merges what they have.
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

constexpr int kThreads = 4, kWords = 2500;
using Counts = std::map<std::string, int>;

static void count_words(Counts& counts, int seed) {
  for (int i = 0; i < kWords; i++)
    counts["word-" + std::to_string((i * 31 + seed * 977) % 1800)]++;
}

static Counts merge_counts(const std::vector<Counts>& parts) {
  Counts all;
#ifdef FIXED
  for (const Counts& part : parts)
    all["size"] += part.size();
#else
  for (const Counts& part : parts)
    for (const auto& [word, count] : part)
      all[word] += count; // CULPRIT
#endif
  return all;
}

int main() {
  std::vector<Counts> parts(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++)
    threads.emplace_back(count_words, std::ref(parts[t]), t);
  for (auto& thread : threads)
    thread.join();
  std::printf("%zu\n", merge_counts(parts).size());
}
