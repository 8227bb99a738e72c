// A cache in a search tree that counts its nodes before each insertion.
// culprit: size, insert, fill
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  unsigned key;
  struct Node *left, *right;
} Node;

static int size(const Node *node) {
  return node ? 1 + size(node->left) + size(node->right) : 0; // CULPRIT
}

static int count;

static Node *insert(Node *root, unsigned key, int limit) {
#ifdef REPAIRED
  if (count >= limit) return root;
#else
  if (size(root) >= limit) return root;
#endif
  Node **link = &root;
  while (*link && (*link)->key != key) link = key < (*link)->key ? &(*link)->left : &(*link)->right;
  if (!*link) {
    *link = calloc(1, sizeof(Node));
    (*link)->key = key;
    count++;
  }
  return root;
}

static void clear(Node *node) {
  if (!node) return;
  clear(node->left);
  clear(node->right);
  free(node);
}

static int fill(int n) {
  Node *root = NULL;
  unsigned key = 1;
  count = 0;
  for (int i = 0; i < n; i++) root = insert(root, key = key * 1664525 + 1013904223, 100000);
  int all = size(root);
  clear(root);
  return all;
}

int main(void) {
  int sum = 0;
  for (int n = 60; n <= 600; n += 60) sum += fill(n);
  printf("%d\n", sum);
}
