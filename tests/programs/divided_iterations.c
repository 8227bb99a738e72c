/* Parallel loops that code of OpenMP divides by thread number. For each, prints its function, the
   number of its executions and iterations, and the units of work of all of them and of the
   largest. */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 4, N = 200 };

static long iterations, all, largest;

/* 2 instructions for each unit. */
__attribute__((noinline)) static void work(long units) {
  __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(units) : : "cc");
}

static long units(int i) { return 20 + i % 40; }

static void said(const char* function, int executions) {
  printf("%s %d %ld %ld %ld\n", function, executions, iterations, all, largest);
  iterations = all = largest = 0;
}

static void expect(int number, int times) {
  for (int i = 0; i < number; i++) {
    iterations += times;
    all += times * units(i);
    largest = units(i) > largest ? units(i) : largest;
  }
}

__attribute__((noinline)) static void equal_shares(void) {
#pragma omp parallel for schedule(static) num_threads(THREADS)
  for (int i = 0; i < N; i++)
    work(units(i));
  expect(N, 1);
  said("equal_shares", THREADS);
}

/* A chunk is an iteration. */
__attribute__((noinline)) static void chunks(void) {
#pragma omp parallel for schedule(static, 8) num_threads(THREADS)
  for (int i = 0; i < N; i++)
    work(units(i));
  for (int first = 0; first < N; first += 8) {
    long of_chunk = 0;
    for (int i = first; i < first + 8; i++)
      of_chunk += units(i);
    iterations++;
    all += of_chunk;
    largest = of_chunk > largest ? of_chunk : largest;
  }
  said("chunks", THREADS);
}

__attribute__((noinline)) static void two_loops(void) {
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      work(units(i));
#pragma omp for schedule(static)
    for (int i = 0; i < N / 2; i++)
      work(units(i));
  }
  expect(N, 1);
  said("two_loops", THREADS);
  expect(N / 2, 1);
  said("two_loops", THREADS);
}

/* The outer loop is each thread's own. */
__attribute__((noinline)) static void repeated(void) {
#pragma omp parallel num_threads(THREADS)
  for (int round = 0; round < 5; round++) {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      work(units(i));
  }
  expect(N, 5);
  said("repeated", 5 * THREADS);
}

__attribute__((noinline)) static void inner_region(int number) {
#pragma omp parallel for schedule(static) num_threads(2)
  for (int j = 0; j < number; j++)
    work(units(j));
}

__attribute__((noinline)) static void nested_regions(void) {
#pragma omp parallel for schedule(static) num_threads(2)
  for (int i = 0; i < 10; i++)
    inner_region(40);
  expect(40, 10);
  said("inner_region", 20);
}

__attribute__((noinline)) static void nested_loops(void) {
#pragma omp parallel for schedule(static) num_threads(THREADS)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++)
      work(units(i));
  expect(N, 1);
  all *= 3;
  largest *= 3;
  said("nested_loops", THREADS);
}

static volatile int filled[N];

/* Its iterations are counted, and not told apart. */
__attribute__((noinline)) static void leaf(void) {
#pragma omp parallel for schedule(static) num_threads(THREADS)
  for (int i = 0; i < N; i++)
    filled[i] = 7;
  iterations = N;
  said("leaf", THREADS);
}

/* The library gives out chunks of a loop beside one that is divided by number. */
__attribute__((noinline)) static void beside_dynamic(void) {
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      work(units(i));
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < N / 2; i++)
      work(units(i));
  }
  expect(N, 1);
  said("beside_dynamic", THREADS);
  expect(N / 2, 1);
  said("beside_dynamic", 0);
}

/* Each thread executes all of its loops, which nobody divides. */
__attribute__((noinline)) static void undivided(void) {
#pragma omp parallel num_threads(THREADS)
  for (int i = 0; i < N; i++)
    work(units(i));
}

int main(void) {
  omp_set_max_active_levels(2);
  equal_shares();
  chunks();
  two_loops();
  repeated();
  nested_regions();
  nested_loops();
  leaf();
  beside_dynamic();
  undivided();
  return 0;
}
