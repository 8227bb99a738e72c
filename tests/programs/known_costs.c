/* Routines of known complexity, each on inputs of growing size that it has not seen before. */

#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static int* input(int n, unsigned seed) {
  int* cells = malloc(n * sizeof *cells);
  for (int i = 0; i < n; ++i) {
    seed = seed * 1103515245u + 12345u;
    cells[i] = (int)(seed >> 8);
  }
  return cells;
}

NOINLINE void bubble_sort(int* a, int n) {
  for (int end = n; end > 1; --end)
    for (int i = 1; i < end; ++i)
      if (a[i - 1] > a[i]) {
        int greater = a[i - 1];
        a[i - 1] = a[i];
        a[i] = greater;
      }
}

/* Reads about log2 n cells, so that its cost grows as n in the cells it reads. */
NOINLINE int binary_search(const int* a, int n, int wanted) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* k^3 steps on 2 k^2 cells: n^1.5. */
NOINLINE void multiply_naive(const float* a, const float* b, float* c, int k) {
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      float sum = 0;
      for (int m = 0; m < k; ++m) sum += a[i * k + m] * b[m * k + j];
      c[i * k + j] = sum;
    }
}

enum { kBlock = 8 };

/* The same steps in another order. */
NOINLINE void multiply_blocked(const float* a, const float* b, float* c, int k) {
  memset(c, 0, sizeof *c * k * k);
  for (int i0 = 0; i0 < k; i0 += kBlock)
    for (int j0 = 0; j0 < k; j0 += kBlock)
      for (int m0 = 0; m0 < k; m0 += kBlock)
        for (int i = i0; i < i0 + kBlock && i < k; ++i)
          for (int j = j0; j < j0 + kBlock && j < k; ++j) {
            float sum = c[i * k + j];
            for (int m = m0; m < m0 + kBlock && m < k; ++m) sum += a[i * k + m] * b[m * k + j];
            c[i * k + j] = sum;
          }
}

static int compare(const void* one, const void* other) {
  int a = *(const int*)one, b = *(const int*)other;
  return (a > b) - (a < b);
}

/* glibc's qsort under a name of its own, whatever libc's symbols are. */
NOINLINE void sort_with_qsort(int* a, int n) {
  qsort(a, n, sizeof *a, compare);
}

NOINLINE void copy_with_memcpy(void* to, const void* from, size_t bytes) {
  memcpy(to, from, bytes);
}

int main(void) {
  int sink = 0;
  for (int n = 8; n <= 400; n += n / 4) bubble_sort(input(n, n), n);
  for (int n = 2; n <= 1 << 20; n *= 2) {
    int* sorted = malloc(n * sizeof *sorted);
    for (int i = 0; i < n; ++i) sorted[i] = i;
    for (int i = 0; i < 20; ++i) sink += binary_search(sorted, n, (int)(i * 7919L % n));
  }
  for (int k = 2; k <= 60; k += 2) {
    float* a = (float*)input(k * k, 1);
    float* b = (float*)input(k * k, 2);
    multiply_naive(a, b, malloc(sizeof(float) * k * k), k);
    multiply_blocked(a, b, malloc(sizeof(float) * k * k), k);
  }
  for (int n = 10; n <= 20000; n += n / 3) {
    sort_with_qsort(input(n, n), n);
    copy_with_memcpy(malloc(n * sizeof(int)), input(n, n), n * sizeof(int));
  }
  return sink == 42;
}
