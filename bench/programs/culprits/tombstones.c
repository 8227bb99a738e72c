// An open hash table keeps the slots of what was deleted, so that searches pass ever more of them.
// culprit: find, slot_of, insert, erase, serve
#include <stdio.h>

enum { SLOTS = 1 << 12, FREE = 0, TOMB = -1 };

static int slots[SLOTS];

static unsigned hash(unsigned key) {
  key = (key ^ key >> 16) * 0x45d9f3b;
  key = (key ^ key >> 15) * 0x2c1b3c6d;
  return (key ^ key >> 13) % SLOTS;
}

static int* find(int key) {
  for (unsigned at = hash(key);; at = (at + 1) % SLOTS) { // CULPRIT
    if (slots[at] == key)
      return &slots[at];
    if (slots[at] == FREE)
      return NULL;
  }
}

static void insert(int key) {
  if (find(key))
    return;
  unsigned at = hash(key);
  while (slots[at] > 0)
    at = (at + 1) % SLOTS;
  slots[at] = key;
}

static void erase(int key) {
  int* slot = find(key);
  if (!slot)
    return;
#ifdef REPAIRED
  unsigned hole = slot - slots;
  slots[hole] = FREE;
  for (unsigned at = (hole + 1) % SLOTS; slots[at] != FREE; at = (at + 1) % SLOTS)
    if ((at - hash(slots[at])) % SLOTS >= (at - hole) % SLOTS) {
      slots[hole] = slots[at];
      slots[at] = FREE;
      hole = at;
    }
#else
  *slot = TOMB;
#endif
}

int main(void) {
  int next = 1;
  for (; next <= 300; next++)
    insert(next * 7);
  long open = 0;
  for (int i = 0; i < 18000; i++, next++) {
    insert(next * 7);
    erase((next - 300) * 7);
    open += find((next - i % 300) * 7) != NULL;
  }
  printf("%ld\n", open);
}
