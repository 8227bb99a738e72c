// KIND lock, NAMES transfer|bank|lock: tellers lock the whole bank while they compute interest for one account.
#include <pthread.h>
#include <stdio.h>

typedef struct {
  pthread_spinlock_t lock;
  double balance[64];
  pthread_spinlock_t of[64];
} bank;

static bank the_bank;
static double interest(double b, int days) {
  for (int d = 0; d < days; d++)
    b += b * 0.0001 + .01;
  return b;
}

static void transfer(bank* b, int account, double amount) {
#ifdef FIXED
  pthread_spin_lock(&b->of[account]);
  b->balance[account] = interest(b->balance[account], 400) + amount;
  pthread_spin_unlock(&b->of[account]);
#else
  pthread_spin_lock(&b->lock); // CULPRIT
  b->balance[account] = interest(b->balance[account], 400) + amount;
  pthread_spin_unlock(&b->lock);
#endif
}

static void* teller(void* v) {
  unsigned r = (long)v;
  for (int i = 0; i < 250; i++) {
    for (int k = 0; k < 80; k++)
      r = r * 1103515245 + 12345;
    transfer(&the_bank, (r >> 16) % 64, i);
  }
  return v;
}

int main(void) {
  pthread_t t[4];
  pthread_spin_init(&the_bank.lock, 0);
  for (int i = 0; i < 64; i++)
    pthread_spin_init(&the_bank.of[i], 0);
  for (long i = 0; i < 4; i++)
    pthread_create(&t[i], 0, teller, (void*)(i + 1));
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  printf("%g\n", the_bank.balance[5]);
}
