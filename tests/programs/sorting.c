// Sorts arrays of 60 sizes by insertion, by a heap and by the library's qsort: in random order, or
// with the argument `sorted` in order already; with `both`, a thread for each.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kSizes = 60, kStep = 20, kMost = kSizes * kStep };

static void swap(int* a, int* b) {
  const int t = *a;
  *a = *b;
  *b = t;
}

__attribute__((noinline, noipa)) void insertion_sort(int* values, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && values[j - 1] > values[j]; j--)
      swap(&values[j - 1], &values[j]);
}

static void sift_down(int* values, int root, int n) {
  for (int child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && values[child + 1] > values[child])
      child++;
    if (values[root] >= values[child])
      return;
    swap(&values[root], &values[child]);
  }
}

__attribute__((noinline, noipa)) void heap_sort(int* values, int n) {
  for (int root = n / 2; root-- > 0;)
    sift_down(values, root, n);
  while (n-- > 1) {
    swap(&values[0], &values[n]);
    sift_down(values, 0, n);
  }
}

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* sort_all(void* order) {
  static _Thread_local int input[kMost], work[kMost];
  const int sorted = strcmp(order, "sorted") == 0;
  unsigned random = 1;
  pthread_setname_np(pthread_self(), order);
  for (int n = kStep; n <= kMost; n += kStep) {
    for (int i = 0; i < n; i++) {
      random = random * 1103515245u + 12345u;
      input[i] = sorted ? i : (int)(random >> 8 & 0xFFFF);
    }
    insertion_sort(memcpy(work, input, sizeof work), n);
    heap_sort(memcpy(work, input, sizeof work), n);
    qsort(memcpy(work, input, sizeof work), (size_t)n, sizeof *work, compare);
  }
  return NULL;
}

int main(int argc, char** argv) {
  const int both = argc > 1 && strcmp(argv[1], "both") == 0;
  pthread_t threads[2];
  if (!both)
    return sort_all(argc > 1 ? argv[1] : "random") != NULL;
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, sort_all, i == 0 ? "random" : "sorted") != 0)
      return 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
