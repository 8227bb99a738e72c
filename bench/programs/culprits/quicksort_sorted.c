// A quicksort that splits at the first element; the measurements arrive nearly sorted.
// culprit: quicksort, partition
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double time;
  int sensor;
} Sample;

static void swap(Sample* a, Sample* b) {
  Sample kept = *a;
  *a = *b;
  *b = kept;
}

static int partition(Sample* s, int low, int high) {
#ifdef REPAIRED
  swap(&s[low], &s[low + (high - low) / 2]);
#endif
  double pivot = s[low].time;
  int last = low;
  for (int i = low + 1; i <= high; i++) // CULPRIT
    if (s[i].time < pivot)
      swap(&s[++last], &s[i]);
  swap(&s[low], &s[last]);
  return last;
}

static void quicksort(Sample* s, int low, int high) {
  if (low >= high)
    return;
  int middle = partition(s, low, high);
  quicksort(s, low, middle - 1);
  quicksort(s, middle + 1, high);
}

static double median(int number) {
  Sample* s = malloc(number * sizeof *s);
  for (int i = 0; i < number; i++)
    s[i] = (Sample){i + (i % 10 == 3 ? -2.5 : 0.0), i % 8};
  quicksort(s, 0, number - 1);
  double result = s[number / 2].time;
  free(s);
  return result;
}

int main(void) {
  double sum = 0;
  for (int number = 250; number <= 3000; number += 250)
    sum += median(number);
  printf("%g\n", sum);
}
