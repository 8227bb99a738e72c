// KIND lock, NAMES main|account|post: transactions are checked within a critical section that only the balance needs.
#include <stdio.h>

enum { kAccounts = 64, kTransactions = 1200, kChecked = 1500 };
static long balance[kAccounts];
static unsigned history[kAccounts][kChecked];

static int is_allowed(int account, unsigned amount) {
  unsigned sum = 0;
  for (int i = 0; i < kChecked; i++)
    sum += history[account][i] ^ amount;
  return sum % 5 != 0;
}

static void post(int i) {
  int account = i * 7 % kAccounts;
  unsigned amount = i * 2654435761u;
  for (int k = 0; k < 150; k++)
    amount ^= amount << 13, amount ^= amount >> 17, amount ^= amount << 5;
#ifdef FIXED
  if (is_allowed(account, amount))
#pragma omp atomic
    balance[account] += amount % 100;
#else
#pragma omp critical // CULPRIT
  {
    if (is_allowed(account, amount))
      balance[account] += amount % 100;
  }
#endif
}

int main(void) {
  for (int a = 0; a < kAccounts; a++)
    for (int i = 0; i < kChecked; i += 50)
      history[a][i] = a * i;
#pragma omp parallel for
  for (int i = 0; i < kTransactions; i++)
    post(i);
  printf("%ld\n", balance[3]);
}
