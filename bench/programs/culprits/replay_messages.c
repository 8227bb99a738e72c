// A reader shows the balance after each payment that another thread sends; it adds up all of them
// each time. culprit: balance, show, reader
#include <pthread.h>
#include <stdio.h>

enum { MOST = 3000 };

static struct {
  int account;
  long amount;
} payments[MOST];
static int sent;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

#ifdef REPAIRED
static long sums[16];
#endif

static long balance(int account, int number) {
#ifdef REPAIRED
  return sums[account] += payments[number - 1].amount;
#else
  long sum = 0;
  for (int i = 0; i < number; i++) // CULPRIT
    if (payments[i].account == account)
      sum += payments[i].amount;
  return sum;
#endif
}

static void* reader(void* shown) {
  long* hash = shown;
  for (int seen = 0; seen < MOST;) {
    pthread_mutex_lock(&lock);
    while (sent == seen)
      pthread_cond_wait(&arrived, &lock);
    int until = sent;
    pthread_mutex_unlock(&lock);
    while (seen < until) {
      seen++;
      *hash = *hash * 31 + balance(payments[seen - 1].account, seen);
    }
  }
  return NULL;
}

int main(void) {
  long hash = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, &hash);
  for (int i = 0; i < MOST; i++) {
    pthread_mutex_lock(&lock);
    payments[i].account = i * 7 % 16;
    payments[i].amount = i % 93 - 40;
    sent = i + 1;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(thread, NULL);
  printf("%ld\n", hash);
}
