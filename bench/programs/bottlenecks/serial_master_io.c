// KIND serial, NAMES encode_row|write_image|main: an image is rendered in parallel, then its rows are run-length encoded by main.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWidth = 256, kHeight = 128 };

static unsigned char pixel(int x, int y) {
  double zx = 0, zy = 0, cx = x / 100.0 - 2, cy = y / 50.0 - 1;
  int n = 0;
  for (; n < 24 && zx * zx + zy * zy < 4; n++) {
    double t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = t;
  }
  return n;
}

static size_t encode_row(const unsigned char* row, unsigned char* out) {
  size_t n = 0;
  for (int x = 0; x < kWidth;) {
    unsigned crc = row[x];
    int run = 1;
    while (x + run < kWidth && row[x + run] == row[x] && run < 255)
      run++;
    for (int k = 0; k < 8 * run; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    out[n++] = run;
    out[n++] = row[x] ^ crc;
    x += run;
  }
  return n;
}

static size_t write_image(unsigned char (*image)[kWidth], unsigned char (*out)[2 * kWidth]) {
  size_t total = 0;
#ifdef FIXED
#pragma omp parallel for reduction(+ : total) schedule(dynamic)
#endif
  for (int y = 0; y < kHeight; y++)
    total += encode_row(image[y], out[y]); // CULPRIT
  return total;
}

int main(void) {
  static unsigned char image[kHeight][kWidth], out[kHeight][2 * kWidth];
#pragma omp parallel for collapse(2) schedule(dynamic, 512)
  for (int y = 0; y < kHeight; y++)
    for (int x = 0; x < kWidth; x++)
      image[y][x] = pixel(x, y);
  printf("%zu\n", write_image(image, out));
}
