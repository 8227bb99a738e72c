// Each of n walks of a few steps clears the marks of all n nodes first: it stores, and reads nothing.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int next, seen;
} Node;

typedef struct {
  int n, mark;
  Node *nodes;
} Graph;

static int walk(Graph *graph, int at) {
  int steps = 0;
#ifdef REPAIRED
  graph->mark++;
#else
  graph->mark = 1;
  for (int i = 0; i < graph->n; i++)
    graph->nodes[i].seen = 0;
#endif
  for (; graph->nodes[at].seen != graph->mark && steps < 10; steps++) {
    graph->nodes[at].seen = graph->mark;
    at = graph->nodes[at].next;
  }
  return steps;
}

static long walk_from_all(int n) {
  Graph graph = {n, 0, calloc(n, sizeof(Node))};
  long steps = 0;
  for (int i = 0; i < n; i++)
    graph.nodes[i].next = (i * 7 + 3) % n;
  for (int i = 0; i < n; i++)
    steps += walk(&graph, i);
  free(graph.nodes);
  return steps;
}

int main(void) {
  long steps = 0;
  for (int n = 150; n <= 2400; n += 150)
    steps += walk_from_all(n);
  printf("%ld\n", steps);
}
