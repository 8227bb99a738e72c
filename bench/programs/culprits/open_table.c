// An open hash table whose hash is the key itself; the keys are addresses of pages.
// culprit: slot_of, put, index_pages
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned long key;
  int value;
} Slot;

typedef struct {
  Slot *slots;
  unsigned long mask;
} Table;

static unsigned long hash(unsigned long key) {
#ifdef REPAIRED
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdUL;
  return key ^ key >> 29;
#else
  return key;
#endif
}

static Slot *slot_of(const Table *table, unsigned long key) {
  unsigned long at = hash(key) & table->mask;
  while (table->slots[at].key && table->slots[at].key != key) at = (at + 1) & table->mask; // CULPRIT
  return &table->slots[at];
}

static void put(Table *table, unsigned long key, int value) {
  Slot *slot = slot_of(table, key);
  slot->key = key;
  slot->value += value;
}

static int index_pages(int pages) {
  unsigned long size = 64;
  while (size < 2 * (unsigned long)pages) size *= 2;
  Table table = {calloc(size, sizeof(Slot)), size - 1};
  for (int i = 0; i < pages; i++) put(&table, 0x7f0000000000UL + (unsigned long)i * 4096, i);
  int sum = 0;
  for (int i = 0; i < pages; i += 3) sum += slot_of(&table, 0x7f0000000000UL + (unsigned long)i * 4096)->value % 7;
  free(table.slots);
  return sum;
}

int main(void) {
  int sum = 0;
  for (int pages = 100; pages <= 1200; pages += 100) sum += index_pages(pages);
  printf("%d\n", sum);
}
