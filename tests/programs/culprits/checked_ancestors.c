// A tree 400 deep, and 800 leaves hung onto its deepest node, each of which asks whether it is its own
// ancestor: each walks up all the tree. Repaired: a new leaf cannot be.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *parent;
  int value;
} Node;

__attribute__((noinline)) static int is_above(const Node *node, const Node *wanted) {
  for (; node != NULL; node = node->parent)
    if (node == wanted)
      return 1;
  return 0;
}

static void hang(Node *leaf, Node *onto) {
#ifndef REPAIRED
  if (is_above(onto, leaf))
    abort();
#endif
  leaf->parent = onto;
}

int main(void) {
  Node *deepest = NULL;
  for (int i = 0; i < 400; i++) {
    Node *node = calloc(1, sizeof *node);
    node->parent = deepest;
    deepest = node;
  }
  enum { kLeaves = 800 };
  Node *leaves = calloc(kLeaves, sizeof *leaves);
  for (int i = 0; i < kLeaves; i++)
    leaves[i].value = i;
  long sum = is_above(deepest, leaves);
  for (int i = 0; i < kLeaves; i++) {
    hang(&leaves[i], deepest);
    sum += leaves[i].value;
  }
  printf("%ld\n", sum);
}
