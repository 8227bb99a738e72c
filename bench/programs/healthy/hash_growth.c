// A hash set by open addressing that doubles when it is half full.
#include <stdio.h>
#include <stdlib.h>

static unsigned *slots, size, used;

static int insert(unsigned key) {
  if (2 * used >= size) {
    unsigned *old = slots, old_size = size;
    size = size ? 2 * size : 16;
    slots = calloc(size, sizeof *slots);
    used = 0;
    for (unsigned i = 0; i < old_size; i++)
      if (old[i]) insert(old[i]);
    free(old);
  }
  unsigned at = key * 2654435761u & (size - 1);
  while (slots[at] && slots[at] != key) at = (at + 1) & (size - 1);
  if (slots[at]) return 0;
  slots[at] = key;
  used++;
  return 1;
}

int main(void) {
  unsigned state = 1, fresh = 0;
  for (int i = 0; i < 60000; i++) {
    state = state * 1664525 + 1013904223;
    fresh += insert((state >> 10) % 30000 + 1);
  }
  printf("%u\n", fresh);
}
