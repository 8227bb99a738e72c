// A dictionary that sorts its words before each query, though few are new.
// culprit: by_text, lookup, find_word, load, compare
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char word[24];
  int uses;
};

struct dictionary {
  struct entry* entries;
  int number;
  int sorted;
};

static int by_text(const void* a, const void* b) {
  return strcmp(((const struct entry*)a)->word, ((const struct entry*)b)->word);
}

static struct entry* find_word(struct dictionary* d, const char* word) {
  struct entry key;
  strncpy(key.word, word, sizeof key.word);
#ifdef REPAIRED
  if (!d->sorted)
#endif
    qsort(d->entries, d->number, sizeof *d->entries, by_text); // CULPRIT
  d->sorted = 1;
  return bsearch(&key, d->entries, d->number, sizeof *d->entries, by_text);
}

static int use_all(int words) {
  struct dictionary d = {malloc(words * sizeof *d.entries), words, 0};
  char word[24];
  for (int i = 0; i < words; i++) {
    snprintf(d.entries[i].word, sizeof word, "w%d", i * 37 % words);
    d.entries[i].uses = 0;
  }
  int found = 0;
  for (int i = 0; i < words; i++) {
    snprintf(word, sizeof word, "w%d", i);
    struct entry* entry = find_word(&d, word);
    found += entry && ++entry->uses;
  }
  free(d.entries);
  return found;
}

int main(void) {
  int sum = 0;
  for (int words = 20; words <= 240; words += 20)
    sum += use_all(words);
  printf("%d\n", sum);
}
