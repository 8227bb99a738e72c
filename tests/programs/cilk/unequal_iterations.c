/* A parallel loop whose seventh iteration takes most of its work. With -fopenmp, its iterations are given out
   two by two; otherwise it is a cilk_for. */
#ifdef _OPENMP
#define PARALLEL _Pragma("omp parallel for schedule(dynamic, 2) num_threads(2)") for
#else
#include <cilk/cilk.h>
#define PARALLEL cilk_for
#endif
#include <stdio.h>

__attribute__((noinline)) static void work(int n) {
  for (volatile int i = 0; i < n;)
    i++;
}

static const int rounds[] = {100, 101, 102, 103, 104, 105, 10000, 107,
                             108, 109, 110, 111, 112, 113, 114,   115};

int main(void) {
  PARALLEL (int i = 0; i < 16; i++)
    work(rounds[i]);
  printf("unequal_iterations\n%d\n", rounds[6]);
}
