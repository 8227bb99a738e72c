// Builds a tree whose nodes have four children each, in a loop that calls its own function, and counts its leaves.
#include <stdio.h>

typedef struct Node {
  struct Node *children[4];
  int depth;
} Node;

static Node pool[30000];
static int used;

static Node *build(int depth) {
  Node *node = &pool[used++];
  node->depth = depth;
  if (depth)
    for (int i = 0; i < 4; i++) node->children[i] = build(depth - 1);
  return node;
}

static int leaves(void) {
  int count = 0;
  for (int i = 0; i < used; i++) count += pool[i].depth == 0;
  return count;
}

int main(void) {
  const Node *root = build(7);
  printf("%d %d\n", root->depth, leaves());
}
