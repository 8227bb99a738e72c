/* mergesort N serial|parallel: sorts N numbers; the halves are merged serially, in linear span, or
   in parallel, in polylogarithmic span. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static int parallel;

static void merge(const long* a, long na, const long* b, long nb, long* to) {
  while (na && nb)
    if (*a <= *b) {
      *to++ = *a++;
      --na;
    } else {
      *to++ = *b++;
      --nb;
    }
  memcpy(to, a, na * sizeof(long));
  memcpy(to + na, b, nb * sizeof(long));
}

/* How many of the n sorted numbers are less than x. */
static long rank(const long* numbers, long n, long x) {
  long low = 0;
  while (low < n) {
    long middle = low + (n - low) / 2;
    if (numbers[middle] < x)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

/* Halves the longer list, and the shorter one where the middle of the longer belongs. */
static void parallel_merge(const long* a, long na, const long* b, long nb, long* to) {
  if (na < nb) {
    parallel_merge(b, nb, a, na, to);
    return;
  }
  if (na + nb <= 16) {
    merge(a, na, b, nb, to);
    return;
  }
  long ha = na / 2, hb = rank(b, nb, a[ha]);
  cilk_spawn parallel_merge(a, ha, b, hb, to);
  parallel_merge(a + ha, na - ha, b + hb, nb - hb, to + ha + hb);
  cilk_sync;
}

/* Sorts numbers[0..n) into itself, or into the space if `away`: each level merges back from where
   the one below has left its halves, so that nothing is copied between levels. */
static void mergesort(long* numbers, long n, long* space, int away) {
  if (n < 2) {
    if (away && n)
      *space = *numbers;
    return;
  }
  long h = n / 2, *from = away ? numbers : space, *to = away ? space : numbers;
  cilk_spawn mergesort(numbers, h, space, !away);
  mergesort(numbers + h, n - h, space + h, !away);
  cilk_sync;
  if (parallel)
    parallel_merge(from, h, from + h, n - h, to);
  else
    merge(from, h, from + h, n - h, to);
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000, checksum = 0;
  parallel = argc > 2 && !strcmp(argv[2], "parallel");
  long *numbers = malloc(n * sizeof(long)), *space = malloc(n * sizeof(long));
  for (long i = 0; i < n; ++i)
    numbers[i] = random_number() % 1000000;
  mergesort(numbers, n, space, 0);
  for (long i = 0; i < n; ++i)
    checksum = (checksum * 31 + numbers[i]) % 1000000007;
  printf("mergesort %ld\n%ld\n", n, checksum);
  free(numbers);
  free(space);
  return 0;
}
