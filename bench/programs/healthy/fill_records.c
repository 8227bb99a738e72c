// Fills a record for each key, by some settings, which are all that is read again.
#include <stdio.h>

enum { KEYS = 300, SETTINGS = 48, LONGEST = 400 };

static int keys[KEYS], settings[SETTINGS], record[LONGEST];

int main(void) {
  for (int i = 0; i < KEYS; i++)
    keys[i] = 7 * i % 101;
  for (int i = 0; i < SETTINGS; i++)
    settings[i] = i;
  long total = 0;
  for (int i = 0; i < KEYS; i++) {
    int value = keys[i];
    for (int j = 0; j < SETTINGS; j++)
      value += settings[j];
    int length = 10 * (value % 40 + 1);
    for (int j = 0; j < length; j++)
      record[j] = value ^ i * j;
    total += record[i % 10];
  }
  printf("%ld\n", total);
}
