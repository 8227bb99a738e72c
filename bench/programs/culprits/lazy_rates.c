// Converts amounts by the rate of their day; the table is loaded at the first one, and gone through
// for each. culprit: rate_of, convert, main
#include <stdio.h>
#include <stdlib.h>

struct rate {
  int from_day;
  int millis;
};

struct rates {
  int number;
  struct rate* of;
};

static void load(struct rates* rates, int number) {
  rates->number = number;
  rates->of = malloc(number * sizeof *rates->of);
  for (int i = 0; i < number; i++)
    rates->of[i] = (struct rate){3 * i, 900 + i * 7919 % 211};
}

static int rate_of(struct rates* rates, int day) {
  if (!rates->of)
    load(rates, 1200);
#ifdef REPAIRED
  int first = 0, last = rates->number;
  while (last - first > 1) {
    int middle = (first + last) / 2;
    if (rates->of[middle].from_day <= day)
      first = middle;
    else
      last = middle;
  }
  return rates->of[first].millis;
#else
  int millis = 0;
  for (int i = 0; i < rates->number; i++) // CULPRIT
    if (rates->of[i].from_day <= day)
      millis = rates->of[i].millis;
  return millis;
#endif
}

int main(void) {
  struct rates rates = {0, NULL};
  long sum = 0;
  for (int i = 0; i < 1210; i++)
    sum += (100 + i % 37) * (long)rate_of(&rates, i * 31 % 3600);
  printf("%ld\n", sum);
  free(rates.of);
  return 0;
}
