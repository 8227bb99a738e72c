// TOTAL threads, BATCH of them at a time; the i-th of a batch reads i cells that main wrote.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int cells[1000];

__attribute__((noinline, noipa)) int body(int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += cells[i];
  return total;
}

static void* run(void* n) {
  body((int)(long)n);
  return NULL;
}

int main(int argc, char** argv) {
  const int total = argc > 1 ? atoi(argv[1]) : 10;
  const int batch = argc > 2 ? atoi(argv[2]) : 10;
  pthread_t threads[1000];
  for (int i = 0; i < 1000; i++)
    cells[i] = i;
  for (int begun = 0; begun < total; begun += batch) {
    for (long i = 0; i < batch; i++)
      if (pthread_create(&threads[i], NULL, run, (void*)i) != 0)
        return 1;
    for (int i = 0; i < batch; i++)
      pthread_join(threads[i], NULL);
  }
  puts("done");
  return 0;
}
