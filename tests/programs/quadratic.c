/* A list with how many of its numbers were there before: each is looked for among all others. */
#include <stdio.h>

#define MOST 1000
static int list[MOST];
static char is_in[10 * MOST];
static int size;

static int contains(int wanted) {
  for (int i = 0; i < size; i++)
    if (list[i] == wanted)
      return 1;
  return 0;
}

int main(void) {
  int again = 0;
  for (int i = 0; i < MOST; i++) {
    int number = i * 7 % (10 * MOST);
#ifdef REPAIRED
    again += is_in[number];
#else
    again += contains(number);
#endif
    is_in[number] = 1;
    list[size++] = number;
  }
  printf("%d %d\n", size, again);
}
