// Four threads execute items. Argument 1: "up" or "down": they take the next one from a counter,
// and end when nothing is left; "list": by a lock, which they acquire elsewhere after each item;
// "queue" or "slow": that main has put into a queue, for which they wait at a condition, and say
// when they are done; before each item of "slow" it executes as much as one. The first item costs
// ten times as much as another. Otherwise each thread has as many of its own: "names" or "done"
// numbers what begins or ends, "log" counts it under a lock, where the last thread's items cost
// most, or with argument 3 as much; "phases" numbers what comes before a barrier. Argument 2: the
// number of items. Argument 3: how often all this is done, by new threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <atomic>
using namespace std;
#else
#include <stdatomic.h>
#endif

enum { kThreads = 4, kCost = 8000 };

static atomic_int next, number;
static int items, rounds = 1;
static const char* how;
static unsigned results[kThreads + 1];
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int listed, logged, queued, is_closed;

__attribute__((noinline)) static void item(int thread, int cost) {
  for (int i = 0; i < cost; i++)
    results[thread] = results[thread] * 31 + i;
}

static int add_one(int* to) {
  pthread_mutex_lock(&mutex);
  const int before = (*to)++;
  pthread_mutex_unlock(&mutex);
  return before;
}

static void work_on_own(int me) {
  for (int i = 0; i < items / kThreads; i++) {
    if (strcmp(how, "names") == 0)
      results[me] += number++;
    item(me, rounds > 1 ? kCost : kCost * (me + 1));
    if (strcmp(how, "log") == 0)
      add_one(&logged);
    else if (strcmp(how, "names") != 0)
      results[me] += number++;
    if (strcmp(how, "phases") == 0)
      pthread_barrier_wait(&barrier);
  }
}

static int take_from_queue(void) {
  pthread_mutex_lock(&mutex);
  while (listed == queued && !is_closed)
    pthread_cond_wait(&more, &mutex);
  const int i = listed == queued ? items : listed++;
  pthread_mutex_unlock(&mutex);
  return i;
}

static void say_done(void) {
  pthread_mutex_lock(&mutex);
  if (++logged == items)
    pthread_cond_signal(&done);
  pthread_mutex_unlock(&mutex);
}

static void fill_queue(void) {
  for (int i = 0; i < items; i++) {
    if (strcmp(how, "slow") == 0)
      item(kThreads, kCost);
    pthread_mutex_lock(&mutex);
    queued++;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&more);
  }
  pthread_mutex_lock(&mutex);
  while (logged < items)
    pthread_cond_wait(&done, &mutex);
  is_closed = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&more);
}

static void* work(void* argument) {
  const int me = (int)(long)argument;
  int i;
  if (strcmp(how, "up") == 0)
    while ((i = next++) < items)
      item(me, i == 0 ? 10 * kCost : kCost);
  else if (strcmp(how, "down") == 0)
    while ((i = atomic_fetch_sub(&next, 3)) - 3 >= -3 * items)
      item(me, i == 0 ? 10 * kCost : kCost);
  else if (strcmp(how, "list") == 0)
    while ((i = add_one(&listed)) < items) {
      item(me, i == 0 ? 10 * kCost : kCost);
      add_one(&logged);
    }
  else if (strcmp(how, "queue") == 0 || strcmp(how, "slow") == 0)
    while ((i = take_from_queue()) < items) {
      item(me, i == 0 ? 10 * kCost : kCost);
      say_done();
    }
  else
    work_on_own(me);
  return NULL;
}

int main(int count, char** arguments) {
  how = arguments[1];
  items = count > 2 ? atoi(arguments[2]) : 0;
  rounds = count > 3 ? atoi(arguments[3]) : 1;
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (int round = 0; round < rounds; round++) {
    pthread_t threads[kThreads];
    next = 0;
    listed = queued = logged = is_closed = 0;
    for (long i = 0; i < kThreads; i++)
      pthread_create(&threads[i], NULL, work, (void*)i);
    if (strcmp(how, "queue") == 0 || strcmp(how, "slow") == 0)
      fill_queue();
    for (int i = 0; i < kThreads; i++)
      pthread_join(threads[i], NULL);
  }
  printf("%u\n", results[0]);
  return 0;
}
