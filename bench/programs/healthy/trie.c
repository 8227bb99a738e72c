// A prefix tree of words, and what it suggests.
#include <stdio.h>
#include <stdlib.h>

typedef struct Trie {
  struct Trie *next[26];
  int count;
} Trie;

static void add(Trie *t, unsigned word) {
  for (int i = 0; i < 5; i++, word /= 26) {
    Trie **next = &t->next[word % 26];
    if (!*next) *next = calloc(1, sizeof **next);
    t = *next;
    t->count++;
  }
}

static int below(const Trie *t) {
  int n = 1;
  for (int i = 0; i < 26; i++)
    if (t->next[i]) n += below(t->next[i]);
  return n;
}

int main(void) {
  Trie *root = calloc(1, sizeof *root);
  unsigned state = 1;
  for (int i = 0; i < 5000; i++) {
    state = state * 1664525 + 1013904223;
    add(root, state >> 8);
  }
  printf("%d nodes\n", below(root));
}
