// array_sharing THREADS ROUNDS: pthreads that write their part of a shared array, meet at a barrier,
// and read the next thread's part, so that most of what a thread reads comes from another.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1 << 16 };

static long array[CELLS];
static long threads, rounds;
static pthread_barrier_t all_here;

static __attribute__((noinline)) void fill(long* from, long* to, long value) {
  while (from < to)
    *from++ += value;
}

static __attribute__((noinline)) long sum(const long* from, const long* to) {
  long total = 0;
  while (from < to)
    total += *from++;
  return total;
}

static void* work(void* number) {
  const long own = (long)number, next = (own + 1) % threads;
  long total = 0;
  for (long round = 0; round < rounds; round++) {
    fill(array + own * CELLS / threads, array + (own + 1) * CELLS / threads, round);
    pthread_barrier_wait(&all_here);
    total += sum(array + next * CELLS / threads, array + (next + 1) * CELLS / threads);
    pthread_barrier_wait(&all_here);
  }
  return (void*)total;
}

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  threads = atol(argv[1]);
  rounds = atol(argv[2]);
  pthread_barrier_init(&all_here, NULL, (unsigned)threads);
  pthread_t id[threads];
  for (long i = 0; i < threads; i++)
    pthread_create(&id[i], NULL, work, (void*)i);
  long total = 0;
  for (long i = 0; i < threads; i++) {
    void* part;
    pthread_join(id[i], &part);
    total += (long)part;
  }
  printf("%ld\n", total);
  return 0;
}
