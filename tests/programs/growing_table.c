// Inserts words into a hash table that doubles when it is three quarters full: an insertion reads
// its word, but for the few that move all entries to a larger table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLongest = 120, kWords = 20000 };

struct table {
  unsigned* slots; // hashes; 0: free
  unsigned size, used;
};

static unsigned* slots_for(unsigned size) {
  unsigned* slots = aligned_alloc(64, size * sizeof *slots);
  return memset(slots, 0, size * sizeof *slots);
}

static void put(struct table* table, unsigned hash) {
  unsigned at = hash % table->size;
  while (table->slots[at] != 0)
    at = (at + 1) % table->size;
  table->slots[at] = hash;
}

__attribute__((noinline, noipa)) void insert(struct table* table, const char* word) {
  unsigned hash = 2166136261u;
  for (; *word != 0; word++)
    hash = (hash ^ (unsigned char)*word) * 16777619u;
  if (4 * table->used >= 3 * table->size) {
    const struct table old = *table;
    table->size *= 2;
    table->slots = slots_for(table->size);
    for (unsigned i = 0; i < old.size; i++)
      if (old.slots[i] != 0)
        put(table, old.slots[i]);
    free(old.slots);
  }
  put(table, hash | 1u << 31);
  table->used++;
}

int main(void) {
  struct table table = {slots_for(16), 16, 0};
  char word[kLongest + 1];
  for (unsigned i = 0; i < kWords; i++) {
    const unsigned length = 4 + i * 7919u % (kLongest - 3);
    for (unsigned at = 0; at < length; at++)
      word[at] = (char)('a' + (i >> at % 16) % 26);
    word[length] = 0;
    insert(&table, word);
  }
  printf("%u of %u\n", table.used, table.size);
  return 0;
}
