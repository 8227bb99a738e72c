// A search tree, filled in sorted order, never balanced.
// culprit: insert, load
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  int key, count;
  struct Node *left, *right;
} Node;

static Node *insert(Node *root, int key) {
  Node **at = &root;
  while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right; // CULPRIT
  if (!*at) {
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
  }
  (*at)->count++;
  return root;
}

static int key_of_row(int i, int n) {
#ifdef REPAIRED
  return (int)(i * 7919L % n);
#else
  (void)n;
  return i;
#endif
}

static Node *load(int rows) {
  Node *root = NULL;
  for (int i = 0; i < rows; i++) root = insert(root, key_of_row(i, rows));
  return root;
}

static long sum(const Node *root) {
  long s = 0;
  for (const Node *n = root; n; n = n->right) s += n->key + (n->left ? sum(n->left) : 0);
  return s;
}

int main(void) { printf("%ld\n", sum(load(4001))); }
