// Exits in a task, or in a thread's part of a loop.
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline, noipa)) void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(int argc, char** argv) {
  (void)argv;
#pragma omp parallel num_threads(2)
  {
    if (argc == 1) {
#pragma omp single
      {
#pragma omp task
        {
          leaf(1000);
          exit(0);
        }
      }
    } else {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; i++) {
        leaf(1000);
        if (i == 7)
          exit(0);
      }
    }
  }
  return 1;
}
