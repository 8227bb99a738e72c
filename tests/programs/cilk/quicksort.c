/* quicksort N: sorts N numbers. Its partition is serial, so that the parallelism is logarithmic. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static long* partition(long* left, long* right) {
  long pivot = right[-1], *boundary = left;
  for (long* next = left; next < right; ++next)
    if (*next < pivot) {
      long value = *next;
      *next = *boundary;
      *boundary++ = value;
    }
  right[-1] = *boundary;
  *boundary = pivot;
  return boundary;
}

static void quicksort(long* left, long* right) {
  if (right - left < 2)
    return;
  long* middle = partition(left, right);
  cilk_spawn quicksort(left, middle);
  quicksort(middle + 1, right);
  cilk_sync;
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000, checksum = 0;
  long* numbers = malloc(n * sizeof(long));
  for (long i = 0; i < n; ++i)
    numbers[i] = random_number() % 1000000;
  quicksort(numbers, numbers + n);
  for (long i = 0; i < n; ++i)
    checksum = (checksum * 31 + numbers[i]) % 1000000007;
  printf("quicksort %ld\n%ld\n", n, checksum);
  free(numbers);
  return 0;
}
