// Loops whose iterations threads take in chunks. Which thread takes which differs from run to run.
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { kIterations = 600 };
static int result[kIterations + 8];

// Written out, as a compiler would change it otherwise.
static void spend(long n) { __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc"); }

static void rising(int i) {
  spend(20 * (i + 1));
  result[i]++;
}

// A few iterations take most of the time.
static void uneven(int i) {
  spend(i % 37 == 5 ? 60000 : 500 + i * 7919 % 1000);
  result[i]++;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "rising";
  if (strcmp(what, "rising") == 0) {
#pragma omp parallel for schedule(dynamic, 5)
    for (int i = 0; i < kIterations; i++)
      rising(i);
  } else if (strcmp(what, "uneven") == 0) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < kIterations; i++)
        uneven(i);
#pragma omp for schedule(dynamic, 7) // down, and not in a multiple of the step
      for (long i = kIterations - 1; i >= 1; i -= 2)
        uneven((int)i);
    }
  } else if (strcmp(what, "unsigned") == 0) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3) nowait
      for (unsigned long long i = 0; i < kIterations; i++)
        uneven((int)i);
#pragma omp for schedule(monotonic : guided, 4)
      for (unsigned long long i = kIterations; i > 0; i--)
        rising((int)i);
    }
  } else if (strcmp(what, "guided") == 0) {
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < kIterations; i++)
      rising(i);
  } else if (strcmp(what, "falling") == 0) {
#pragma omp parallel for schedule(guided, 3)
    for (int i = kIterations - 1; i >= 0; i--)
      rising(i);
  } else if (strcmp(what, "late") == 0) { // who comes late finds fewer chunks
#pragma omp parallel
    {
#pragma omp master
      spend(2000000);
#pragma omp for schedule(dynamic, 2)
      for (int i = 0; i < kIterations; i++)
        uneven(i);
    }
  } else if (strcmp(what, "runtime") == 0) {
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < kIterations; i++)
      rising(i);
  } else if (strcmp(what, "set") == 0) { // for the region's loops, too
    omp_set_schedule(omp_sched_guided, 2);
#pragma omp parallel
    {
#pragma omp for schedule(runtime)
      for (unsigned long long i = kIterations; i > 0; i--)
        rising((int)i);
#pragma omp for schedule(runtime)
      for (int i = 0; i < kIterations; i++)
        rising(i);
    }
  } else { // chunks with locks and tasks in them, and others of which no part is told
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 20)
      for (int i = 0; i < kIterations; i++) {
#pragma omp critical
        spend(100);
        uneven(i);
      }
#pragma omp for schedule(dynamic, 20) ordered
      for (int i = 0; i < kIterations; i++) {
        uneven(i);
#pragma omp ordered
        spend(10);
      }
#pragma omp for schedule(runtime)
      for (int i = 0; i < kIterations; i++)
        uneven(i);
#pragma omp sections
      {
#pragma omp section
        uneven(1);
#pragma omp section
        uneven(2);
#pragma omp section
        uneven(3);
      }
    }
  }
  long sum = 0;
  for (int i = 0; i < kIterations; i++)
    sum += result[i];
  printf("%ld\n", sum);
}
