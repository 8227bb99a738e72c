// Nodes with lists of arguments, all of which a routine that calls itself reads once.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node* next;
  int count, value;
  struct Node* arguments[2];
} Node;

static Node* make(int value) {
  Node* node = calloc(1, sizeof *node);
  node->value = value;
  return node;
}

__attribute__((noinline)) static long walk(const Node* node) {
  long sum = node->value;
  for (int i = 0; i < node->count; i++)
    sum += walk(node->arguments[i]);
  if (node->next != NULL)
    sum += walk(node->next) & 0xffff;
  return sum;
}

int main(void) {
  Node* first = make(1);
  Node* last = first;
  for (int i = 1; i < 7000; i++)
    last = last->next = make(i);
  for (int i = 0; i < 3000; i++) {
    last->count = 1;
    last = last->arguments[0] = make(i);
  }
  printf("%ld\n", walk(first));
  return 0;
}
