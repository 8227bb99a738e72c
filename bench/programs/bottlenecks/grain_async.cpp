// KIND grain, NAMES score|main: a thread for each tiny call.
#include <cstdio>
#include <future>
#include <vector>

static int score(int from, int to) {
  int sum = 0;
  for (int i = from; i < to; i++)
    sum += i * i % 7; // CULPRIT
  return sum;
}

int main() {
#ifdef FIXED
  constexpr int kPieces = 4, kEach = 100000;
#else
  constexpr int kPieces = 400, kEach = 10;
#endif
  std::vector<std::future<int>> parts;
  for (int i = 0; i < kPieces; i++)
    parts.push_back(std::async(std::launch::async, score, i * kEach, (i + 1) * kEach));
  int total = 0;
  for (auto& part : parts)
    total += part.get();
  std::printf("%d\n", total);
}
