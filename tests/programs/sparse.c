// A thread adds to a word in each 64 KiB of MEGABYTES and ends; then two do in turns, ROUNDS times:
// sparse memory.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t step = 1 << 16;
static volatile unsigned char* memory;
static size_t bytes;
static int rounds;
static pthread_barrier_t turn;

__attribute__((noinline, noipa)) void add(void) {
  for (size_t i = 0; i < bytes; i += step)
    ++*(volatile int*)(memory + i);
}

static void* first(void* unused) {
  add();
  return unused;
}

static void* other(void* unused) {
  for (int i = 0; i < rounds; i++) {
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
    add();
  }
  return unused;
}

int main(int argc, char** argv) {
  bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 1) << 20;
  rounds = argc > 2 ? atoi(argv[2]) : 1;
  memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return 1;
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  pthread_join(thread, NULL);
  pthread_barrier_init(&turn, NULL, 2);
  pthread_create(&thread, NULL, other, NULL);
  for (int i = 0; i < rounds; i++) {
    pthread_barrier_wait(&turn);
    add();
    pthread_barrier_wait(&turn);
  }
  pthread_join(thread, NULL);
  printf("%d\n", *(volatile int*)memory);
  return 0;
}
