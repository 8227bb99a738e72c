// KIND grain, NAMES relax|main: a task for each node of a list, whose work is a few operations.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *next;
  double value;
} Node;

static void relax(Node *list) {
#pragma omp parallel
#pragma omp single
  for (Node *node = list; node;) {
#ifdef FIXED
    Node *first = node;
    for (int i = 0; i < 2000 && node; i++)
      node = node->next;
#pragma omp task firstprivate(first)
    for (int i = 0; i < 2000 && first; i++, first = first->next)
      first->value = first->value * 0.5 + 1;
#else
#pragma omp task firstprivate(node)
    node->value = node->value * 0.5 + 1; // CULPRIT
    node = node->next;
#endif
  }
}

int main(void) {
  Node *list = NULL;
  for (int i = 0; i < 16000; i++) {
    Node *node = malloc(sizeof *node);
    *node = (Node){list, i};
    list = node;
  }
  relax(list);
  relax(list);
  printf("%g\n", list->value);
}
