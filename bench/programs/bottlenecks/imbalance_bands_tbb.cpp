// KIND imbalance, NAMES main|trace|run: a band of a picture for each thread, of which the last shows the object.
#include <cstdio>
#include <tbb/info.h>
#include <tbb/task_group.h>
#include <vector>

constexpr int kWidth = 80, kHeight = 96;

static int trace(int x, int y) {
  const int steps = y > 72 ? 150 : 12;
  int hits = 0;
  for (int i = 0; i < steps; i++)
    hits += (x * i + y) % 7 == 3;
  return hits;
}

int main() {
  std::vector<int> picture(kWidth * kHeight);
#ifdef FIXED
  const int rows = 2;
#else
  const int rows = kHeight / tbb::info::default_concurrency();
#endif
  tbb::task_group bands;
  for (int first = 0; first < kHeight; first += rows)
    bands.run([&, first] {
      for (int y = first; y < first + rows && y < kHeight; y++)
        for (int x = 0; x < kWidth; x++)
          picture[y * kWidth + x] = trace(x, y); // CULPRIT
    });
  bands.wait();
  std::printf("%d\n", picture[99]);
}
