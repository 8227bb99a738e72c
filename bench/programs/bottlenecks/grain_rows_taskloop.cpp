// KIND grain, NAMES equalise|main: the lines of pictures are equalised by nested task loops, down to a few pixels a task.
#include <cstdio>
#include <vector>

constexpr int kWidth = 240, kHeight = 60;

#ifdef FIXED
constexpr int kGrain = kWidth;
#else
constexpr int kGrain = 2;
#endif

static void equalise(std::vector<unsigned char>& picture, const unsigned char* map) {
#pragma omp taskloop grainsize(4) shared(picture)
  for (int y = 0; y < kHeight; y++) {
#pragma omp taskloop grainsize(kGrain) shared(picture)
    for (int x = 0; x < kWidth; x++)
      picture[y * kWidth + x] = map[picture[y * kWidth + x]]; // CULPRIT
  }
}

int main() {
  std::vector<unsigned char> picture(kWidth * kHeight);
  unsigned char map[256];
  for (int i = 0; i < 256; i++)
    map[i] = i * i / 255;
  for (int i = 0; i < kWidth * kHeight; i++)
    picture[i] = i * 7;
#pragma omp parallel
#pragma omp single
  for (int pass = 0; pass < 4; pass++)
    equalise(picture, map);
  std::printf("%d\n", picture[99]);
}
