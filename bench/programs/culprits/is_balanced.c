// Whether a tree is balanced: at each node the heights of both sides are measured anew.
// culprit: height, is_balanced, worst
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  int key;
  struct Node *left, *right;
} Node;

static int height(const Node *node) {
  if (!node) return 0;
  int left = height(node->left), right = height(node->right); // CULPRIT
  return 1 + (left > right ? left : right);
}

// The largest difference of heights.
static int worst(const Node *node, int *deep) {
  *deep = 0;
  if (!node) return 0;
  int left = 0, right = 0, a, b;
#ifdef REPAIRED
  a = worst(node->left, &left), b = worst(node->right, &right);
#else
  left = height(node->left), right = height(node->right);
  a = worst(node->left, deep), b = worst(node->right, deep);
#endif
  *deep = 1 + (left > right ? left : right);
  int here = abs(left - right);
  if (a > here) here = a;
  return b > here ? b : here;
}

static Node *chain(int n) {
  Node *root = NULL;
  for (int i = 0; i < n; i++) {
    Node *node = calloc(1, sizeof *node);
    node->key = i;
    *(i % 5 ? &node->left : &node->right) = root;
    root = node;
  }
  return root;
}

int main(void) {
  int sum = 0, deep;
  for (int n = 100; n <= 1000; n += 100) sum += worst(chain(n), &deep);
  printf("%d\n", sum);
#ifdef REPAIRED
  (void)height;
#endif
}
