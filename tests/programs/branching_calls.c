// Recursions: of many branches on a size in an argument; and three that are no fault: of one branch,
// through a tree, and one that remembers what it has computed (-DREPAIRED).
#include <stdio.h>
#include <stdlib.h>

#ifdef REPAIRED
static long known[32];
__attribute__((noinline)) static long ways(int n) {
  if (n < 3)
    return n;
  if (known[n] == 0)
    known[n] = ways(n - 1) + ways(n - 2);
  return known[n];
}
#else
__attribute__((noinline)) static long ways(int n) {
  return n < 3 ? n : ways(n - 1) + ways(n - 2);
}
#endif

__attribute__((noinline)) static long deep(int n) {
  if (n == -20000)
    exit(0); // within all of them
  return n == 0 ? 1 : (deep(n - 1) * 3 + n) % 7;
}

typedef struct Node {
  struct Node *left, *right;
  long value;
} Node;

__attribute__((noinline)) static Node *tree(int depth) {
  if (depth == 0)
    return NULL;
  Node *node = malloc(sizeof *node);
  *node = (Node){tree(depth - 1), tree(depth - 1), depth};
  return node;
}

__attribute__((noinline)) static long sum(const Node *node) {
  return node == NULL ? 0 : node->value + sum(node->left) + sum(node->right);
}

int main(int argc, char **argv) {
  (void)argv;
  long total = 0;
  if (argc > 1)
    return (int)deep(-1);
  for (int n = 4; n <= 20; n++)
    total += ways(n);
  for (int n = 100; n <= 2000; n += 100)
    total += deep(n);
  const Node *nodes = tree(12);
  for (int i = 0; i < 3; i++)
    total += sum(nodes);
  printf("%ld\n", total);
}
