// Loops in chunks that have no iterations: by a step of 0, and from behind their end, up and down.
#include <stdio.h>

int main(int argc, char** argv) {
  (void)argv;
  const long none = argc - 1;
  const unsigned long last = 5 + (unsigned long)none;
  long sum = 0;
  // clang-format off
  #pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    #pragma omp for schedule(dynamic)
    for (long i = 0; i < none; i += none) sum += i;
    #pragma omp for schedule(guided)
    for (long i = 10; i < none + 5; i++) sum += i;
    #pragma omp for schedule(dynamic, 2)
    for (unsigned long i = last; i > last + 5; i--) sum += 1;
    #pragma omp for schedule(dynamic)
    for (long i = 0; i < 100; i++) sum += i;
  }
  #pragma omp parallel for schedule(dynamic) num_threads(2) reduction(+ : sum)
  for (long i = 0; i < none; i += none) sum += i;
  // clang-format on
  printf("%ld\n", sum);
  return 0;
}
