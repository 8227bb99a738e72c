// Converts dates to days by counting the years from 1600 on, each time.
// culprit: day_number, days_before, all_days
#include <stdio.h>

static int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static long day_number(int year, int day) {
#ifdef REPAIRED
  long y = year - 1;
  return y * 365 + y / 4 - y / 100 + y / 400 - (1599L * 365 + 1599 / 4 - 1599 / 100 + 1599 / 400) +
         day;
#else
  long days = day;
  for (int y = 1600; y < year; y++)
    days += 365 + is_leap(y); // CULPRIT
  return days;
#endif
}

static long all_days(int until) {
  long sum = 0;
  for (int year = 1600; year < until; year++) // CULPRIT
    for (int day = 1; day <= 8; day++)
      sum ^= day_number(year, day) * 31; // CULPRIT
  return sum;
}

int main(void) {
  printf("%ld\n", all_days(2100));
  return 0;
}
