// KIND imbalance, NAMES compress|channel|main: the channels of pictures are compressed in sections, but brightness has four times as many values.
#include <stdio.h>

enum { kSize = 6000 };

static unsigned char pixels[4][4 * kSize];
static unsigned sums[4];

static void channel(int number, int size) {
  unsigned sum = 0;
  for (int i = 1; i < size; i++)
    sum = sum * 31 + (unsigned char)(pixels[number][i] - pixels[number][i - 1]);
  sums[number] = sum;
}

#ifdef FIXED
static const int brightness = kSize;
#else
static const int brightness = 4 * kSize;
#endif

static void compress(void) {
#pragma omp parallel sections
  {
#pragma omp section
    channel(0, brightness); // CULPRIT
#pragma omp section
    channel(1, kSize);
#pragma omp section
    channel(2, kSize);
#pragma omp section
    channel(3, kSize);
  }
}

int main(void) {
  for (int picture = 0; picture < 5; picture++) {
    pixels[0][picture] = picture;
    compress();
  }
  printf("%u\n", sums[0]);
}
