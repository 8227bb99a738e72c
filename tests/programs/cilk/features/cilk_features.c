/* What cilk/cilk.h makes of all kinds of spawned calls, and of ways out of scopes and loops. */
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <stdio.h>

struct pair {
  long a, b;
};
static int total;
static void add(int x) { total += x; }
static int twice(int x) { return 2 * x; }
static double half(int x) { return x / 2.0; }
static char* name(char* s) { return s + 1; }
static struct pair both(long a, long b) {
  struct pair p = {a, b};
  return p;
}
static int argument(int x) {
  add(1);
  return x;
}
static int leave(int n) {
  cilk_for (int i = 0; i < n; ++i)
    if (i == 3)
      return i;
  return -1;
}
static int leave_scope(int n) {
  cilk_scope {
    cilk_spawn add(n);
    if (n)
      return 7;
  }
  return 8;
}
int main(void) {
  char text[] = "xyz";
  cilk_spawn add(1);
  int x = cilk_spawn twice(argument(4));
  double d;
  d = cilk_spawn half(3);
  char* s = cilk_spawn name(text);
  struct pair p = cilk_spawn_as(struct pair) both(1, 2);
  cilk_sync;
  printf("%d %d %g %s %ld\n", total, x, d, s, p.b);
  if (x)
    cilk_scope {
      cilk_spawn add(5);
      add(6);
    }
  else
    add(100);
  if (x)
    cilk_for (int i = 0, j = 10; i < j; ++i, --j) {
      if (i == 1)
        continue;
      add(i * j);
    }
  else
    add(100);
  for (int i = 0; i < 3; ++i)
    cilk_scope {
      cilk_spawn add(i);
      if (i == 1)
        continue;
      cilk_scope { add(1000); }
    }
  {
    int a = leave(10), b = leave_scope(1);
    printf("%d %d %d\n", total, a, b);
  }
  cilk_for (char* q = text; *q; q++) {
    cilk_for (int k = 0; k < 2; k++)
      add(*q);
    if (*q == 'y')
      break;
  }
  printf("%d\n", total);
  {
    wsp_t measured = wsp_getworkspan();
    measured = wsp_sub(wsp_add(wsp_getworkspan(), wsp_zero()), measured);
    wsp_dump(measured, "nothing");
    return measured.work != 0 || measured.span != 0 || measured.bspan != 0;
  }
}
