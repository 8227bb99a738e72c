// A dynamic loop over a set of Mandelbrot's, whose rows differ.
#include <stdio.h>
#include <stdlib.h>

static int row_of(int y, int width) {
  int count = 0;
  for (int x = 0; x < width; x++) {
    double a = 0, b = 0;
    int i = 0;
    for (; i < 200 && a * a + b * b < 4; i++) {
      const double t = a * a - b * b + 3.0 * x / width - 2;
      b = 2 * a * b + y * 0.01;
      a = t;
    }
    count += i == 200;
  }
  return count;
}

int main(int argc, char **argv) {
  const int width = atoi(argv[argc - 1]) * 4;
  int count = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : count)
  for (int y = 0; y < 100; y++)
    count += row_of(y, width);
  printf("%d\n", count);
}
