// graph_search THREADS NODES SEARCHES: breadth-first searches, level by level, of a random graph with
// eight edges a node; OpenMP loops over the frontier, nodes claimed by compare-and-swap.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEGREE = 8 };

static long nodes;
static unsigned *edges, *frontier, *next;
static int* level;

static __attribute__((noinline)) long visit(unsigned node, int depth, unsigned* found) {
  long count = 0;
  for (int i = 0; i < DEGREE; i++) {
    const unsigned to = edges[(size_t)node * DEGREE + (size_t)i];
    int unseen = -1;
    if (level[to] < 0 && __atomic_compare_exchange_n(&level[to], &unseen, depth, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      found[count++] = to;
  }
  return count;
}

static long search(unsigned start) {
  for (long i = 0; i < nodes; i++)
    level[i] = -1;
  level[start] = 0;
  frontier[0] = start;
  long size = 1, depths = 0;
  for (int depth = 1; size > 0; depth++) {
    long found = 0;
#pragma omp parallel for schedule(dynamic, 64)
    for (long i = 0; i < size; i++) {
      unsigned own[DEGREE];
      const long count = visit(frontier[i], depth, own);
      const long at = __atomic_fetch_add(&found, count, __ATOMIC_RELAXED);
      for (long k = 0; k < count; k++)
        next[at + k] = own[k];
    }
    depths += found * depth;
    unsigned* swapped = frontier;
    frontier = next;
    next = swapped;
    size = found;
  }
  return depths;
}

int main(int argc, char** argv) {
  if (argc != 4)
    return 2;
  omp_set_num_threads(atoi(argv[1]));
  nodes = atol(argv[2]);
  edges = malloc((size_t)nodes * DEGREE * sizeof *edges);
  frontier = malloc((size_t)nodes * sizeof *frontier);
  next = malloc((size_t)nodes * sizeof *next);
  level = malloc((size_t)nodes * sizeof *level);
  unsigned seed = 1;
  for (long i = 0; i < nodes * DEGREE; i++)
    edges[i] = (unsigned)(((seed = seed * 1664525u + 1013904223u) >> 8) % (unsigned long)nodes);
  long depths = 0;
  for (long i = 0; i < atol(argv[3]); i++)
    depths += search((unsigned)(i * 7919 % nodes));
  printf("%ld\n", depths);
  return 0;
}
