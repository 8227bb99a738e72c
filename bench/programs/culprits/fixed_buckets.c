// A symbol table with 64 buckets, whatever it holds.
// culprit: lookup, define, index_words
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Symbol {
  struct Symbol *next;
  char name[16];
  int value;
} Symbol;

typedef struct {
  Symbol **buckets;
  unsigned size, used;
} Table;

static unsigned hash(const char *name) {
  unsigned h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

#ifdef REPAIRED
static void rehash(Table *t) {
  Symbol **old = t->buckets;
  unsigned size = t->size;
  t->size *= 2;
  t->buckets = calloc(t->size, sizeof *t->buckets);
  for (unsigned i = 0; i < size; i++)
    for (Symbol *s = old[i], *next; s; s = next) {
      next = s->next;
      s->next = t->buckets[hash(s->name) % t->size];
      t->buckets[hash(s->name) % t->size] = s;
    }
  free(old);
}
#endif

static Symbol *lookup(Table *t, const char *name) {
  for (Symbol *s = t->buckets[hash(name) % t->size]; s; s = s->next) // CULPRIT
    if (strcmp(s->name, name) == 0) return s;
  return NULL;
}

static void define(Table *t, const char *name, int value) {
  Symbol *s = lookup(t, name);
  if (!s) {
    s = malloc(sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", name);
#ifdef REPAIRED
    if (t->used == t->size) rehash(t);
#endif
    unsigned at = hash(name) % t->size;
    s->next = t->buckets[at];
    t->buckets[at] = s;
    t->used++;
  }
  s->value = value;
}

int main(void) {
  Table table = {calloc(64, sizeof(Symbol *)), 64, 0};
  char name[16];
  long sum = 0;
  for (int i = 0; i < 12000; i++) {
    snprintf(name, sizeof name, "sym%d", i);
    define(&table, name, i);
  }
  for (int i = 0; i < 12000; i += 7) {
    snprintf(name, sizeof name, "sym%d", i);
    sum += lookup(&table, name)->value;
  }
  printf("%ld\n", sum);
}
