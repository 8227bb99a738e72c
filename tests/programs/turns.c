// Threads that take turns by a mutex and a condition: each works by itself first, and then in its
// turn, with the mutex. So the span is the first one's work and all turns.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#define NOINLINE __attribute__((noinline, noclone))

enum { kOwn = 3000, kTurn = 20000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t of_log = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c_mutex;
static cnd_t c_condition;
static long turn, threads, rounds;
static const char* how;

NOINLINE static void work(long rounds_of_two) {
  __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(rounds_of_two) : : "cc");
}

NOINLINE static void begin_turn(long me) {
  pthread_mutex_lock(&mutex);
  while (turn != me)
    pthread_cond_wait(&condition, &mutex);
}

NOINLINE static void end_turn(void) {
  turn = (turn + 1) % threads;
  if (strcmp(how, "other-lock") == 0) { // the latest that was acquired is another's
    pthread_mutex_lock(&of_log);
    pthread_mutex_unlock(&of_log);
  }
  if (strcmp(how, "unlocked") == 0) {
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&condition);
  } else {
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
  }
}

NOINLINE static void take_turn_of_c(long me) {
  mtx_lock(&c_mutex);
  while (turn != me)
    cnd_wait(&c_condition, &c_mutex);
  work(kTurn / 2);
  turn = (turn + 1) % threads;
  cnd_broadcast(&c_condition);
  mtx_unlock(&c_mutex);
}

static void* run(void* number) {
  const long me = (long)number;
  for (long i = 0; i < rounds; i++) {
    work(kOwn / 2 * (me + 1));
    if (strcmp(how, "c11") == 0) {
      take_turn_of_c(me);
    } else {
      begin_turn(me);
      work(kTurn / 2);
      end_turn();
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  how = argv[1];
  threads = argc > 2 ? atol(argv[2]) : 2;
  rounds = argc > 3 ? atol(argv[3]) : 1;
  mtx_init(&c_mutex, mtx_plain);
  cnd_init(&c_condition);
  pthread_t all[8];
  for (long i = 0; i < threads; i++)
    pthread_create(&all[i], NULL, run, (void*)i);
  for (long i = 0; i < threads; i++)
    pthread_join(all[i], NULL);
  return 0;
}
