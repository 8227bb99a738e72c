// Threads, mutexes and semaphores of the program's own, by names that the C library has, too: two
// threads of equal work, ordered by what the first argument names.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  pthread_t thread;
  void (*routine)(void);
} thrd_t;

static void* run(void* thread) {
  ((thrd_t*)thread)->routine();
  return NULL;
}
__attribute__((noinline)) void thrd_create(thrd_t* thread, void (*routine)(void)) {
  thread->routine = routine;
  pthread_create(&thread->thread, NULL, run, thread);
}
__attribute__((noinline)) void thrd_join(thrd_t* thread) { pthread_join(thread->thread, NULL); }

typedef struct {
  pthread_mutex_t mutex;
} mtx_t;

__attribute__((noinline)) void mtx_lock(mtx_t* mutex) { pthread_mutex_lock(&mutex->mutex); }
__attribute__((noinline)) void mtx_unlock(mtx_t* mutex) { pthread_mutex_unlock(&mutex->mutex); }

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int value;
} sem_t;

__attribute__((noinline)) void sem_wait(sem_t* semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  while (semaphore->value == 0)
    pthread_cond_wait(&semaphore->condition, &semaphore->mutex);
  semaphore->value--;
  pthread_mutex_unlock(&semaphore->mutex);
}
__attribute__((noinline)) void sem_post(sem_t* semaphore) {
  pthread_mutex_lock(&semaphore->mutex);
  semaphore->value++;
  pthread_cond_signal(&semaphore->condition);
  pthread_mutex_unlock(&semaphore->mutex);
}

static volatile long sum;
static sem_t semaphore = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static mtx_t mutex = {PTHREAD_MUTEX_INITIALIZER};

static void work(void) {
  for (long i = 0; i < 100000; i++)
    sum = sum + i;
}
static void wait_and_work(void) {
  sem_wait(&semaphore);
  work();
}
static void work_alone(void) {
  mtx_lock(&mutex);
  work();
  mtx_unlock(&mutex);
}

int main(int count, char** arguments) {
  const char* const how = count > 1 ? arguments[1] : "";
  thrd_t a, b;
  if (strcmp(how, "join") == 0) {
    thrd_create(&a, work);
    thrd_join(&a);
    work();
  } else if (strcmp(how, "mutex") == 0) {
    thrd_create(&a, work_alone);
    thrd_create(&b, work_alone);
    thrd_join(&a);
    thrd_join(&b);
  } else if (strcmp(how, "semaphore") == 0) {
    thrd_create(&a, wait_and_work);
    usleep(200000); // until it waits
    work();
    sem_post(&semaphore);
    thrd_join(&a);
  } else {
    return 2;
  }
  return 0;
}
