// A cache of results that grows and is looked through from its start.
// culprit: cached, price, quote_all
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  unsigned key;
  int value;
} Entry;

static Entry *cache;
static int used, room;

static int compute(unsigned key) {
  int value = 0;
  for (int i = 0; i < 40; i++) value = (int)((unsigned)value * 31 + (key ^ (unsigned)i)) & 0xffff;
  return value;
}

#ifdef REPAIRED
static int price(unsigned key) {
  if (!cache) cache = calloc(room = 65536, sizeof *cache);
  Entry *e = &cache[key * 2654435761u >> 16];
  if (e->key != key + 1) *e = (Entry){key + 1, compute(key)};
  return e->value;
}
#else
static int price(unsigned key) {
  for (int i = 0; i < used; i++) // CULPRIT
    if (cache[i].key == key) return cache[i].value;
  if (used == room) cache = realloc(cache, (size_t)(room = room ? 2 * room : 16) * sizeof *cache);
  cache[used] = (Entry){key, compute(key)};
  return cache[used++].value;
}
#endif

static long quote_all(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += price((unsigned)i * 7919u % (unsigned)n);
  return sum;
}

int main(void) { printf("%ld\n", quote_all(3000)); }
