// A statement with the balance after each booking, added up from the first one each time.
// culprit: balance_at, statement
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int day;
  long cents;
} Booking;

static long balance_at(const Booking *bookings, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += bookings[i].cents; // CULPRIT
  return sum;
}

static int statement(const Booking *bookings, int n) {
  char line[64];
  int length = 0;
#ifdef REPAIRED
  long balance = 0;
#endif
  for (int i = 0; i < n; i++) {
#ifdef REPAIRED
    balance += bookings[i].cents;
#else
    long balance = balance_at(bookings, i + 1);
#endif
    length += snprintf(line, sizeof line, "%3d %9ld %9ld\n", bookings[i].day, bookings[i].cents, balance);
  }
  return length;
}

int main(void) {
  int n = 6000;
  Booking *bookings = malloc((size_t)n * sizeof *bookings);
  for (int i = 0; i < n; i++) bookings[i] = (Booking){i / 17, (i * 7919L) % 20011 - 9000};
  printf("%d\n", statement(bookings, n));
#ifdef REPAIRED
  (void)balance_at;
#endif
}
