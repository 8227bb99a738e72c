// Loops with a static schedule: one with rising costs, or several in one parallel region, by the first argument.
#include <string.h>

static volatile long sum;

__attribute__((noinline)) static void work(long units) {
  for (long i = 0; i < units; i++)
    sum += i;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "triangle") == 0) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 512; i++)
      work(2 * i);
    return 0;
  }
#pragma omp parallel
  for (int step = 0; step < 3; step++) {
#pragma omp for schedule(static)
    for (int i = 0; i < 200; i++)
      work(500);
#pragma omp for schedule(static)
    for (int i = 0; i < 200; i++)
      work(4 * i);
  }
  return 0;
}
