// Loops with a static schedule, by the first argument: one with rising costs; several in one parallel region; between
// loops without iterations for all threads, sections and tasks; with the thread's number asked for here and there;
// before a loop that each thread runs as a whole.
#include <omp.h>
#include <string.h>

static volatile long sum;

__attribute__((noinline)) static void work(long units) {
  for (long i = 0; i < units; i++)
    sum += i;
}

static volatile int threads, thread;

static void mixed(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 2; i++)
      work(500);
#pragma omp for schedule(static, 30) nowait
    for (int i = 0; i < 100; i++)
      work(20);
#pragma omp sections
    {
#pragma omp section
      work(500);
#pragma omp section
      work(500);
    }
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
        threads = omp_get_num_threads();
        thread = omp_get_thread_num();
#pragma omp parallel for schedule(static) num_threads(1)
        for (int j = 0; j < 10; j++)
          work(50);
      }
    }
#pragma omp for schedule(static)
    for (int i = 0; i < 80; i++)
      work(20);
  }
}

static void asking(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp master
    work(500);
#pragma omp barrier
#pragma omp for schedule(static)
    for (int i = 0; i < 100; i++) {
      thread = omp_get_thread_num();
      work(20);
    }
#pragma omp master
    threads = omp_get_num_threads();
#pragma omp for schedule(static)
    for (int i = 0; i < 80; i++)
      work(20);
  }
}

static void whole(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 200; i++)
      work(i);
    for (int i = 0; i < 200; i++)
      work(5000);
  }
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "triangle") == 0) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 512; i++)
      work(2 * i);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "mixed") == 0) {
    mixed();
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "whole") == 0) {
    whole();
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "asking") == 0) {
    asking();
    return 0;
  }
#pragma omp parallel
  for (int step = 0; step < 3; step++) {
#pragma omp for schedule(static)
    for (int i = 0; i < 200; i++)
      work(500);
#pragma omp for schedule(static)
    for (int i = 0; i < 200; i++)
      work(4 * i);
  }
  return 0;
}
