// Radix sort of several sizes, and a check that the result is sorted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void radix_sort(unsigned *values, unsigned *other, int n) {
  for (int shift = 0; shift < 32; shift += 8) {
    int first[257] = {0};
    for (int i = 0; i < n; i++) first[(values[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++) first[i + 1] += first[i];
    for (int i = 0; i < n; i++) other[first[values[i] >> shift & 255]++] = values[i];
    memcpy(values, other, (size_t)n * sizeof *values);
  }
}

int main(void) {
  int sorted = 0;
  for (int n = 500; n <= 8000; n += 500) {
    unsigned *values = malloc((size_t)n * sizeof *values), *other = malloc((size_t)n * sizeof *other), seed = 9;
    for (int i = 0; i < n; i++) values[i] = seed = seed * 1664525 + 1013904223;
    radix_sort(values, other, n);
    for (int i = 1; i < n; i++) sorted += values[i - 1] <= values[i];
    free(values), free(other);
  }
  printf("%d\n", sorted);
}
