/* Invocations that do the same, within others of the same call site, of the same routine, or of
   none. */
volatile int results;

__attribute__((noinline)) static int leaf(int n) { return results + n; }
int two(int n);

__attribute__((noinline)) int one(int n) {
  int result = n == 0 ? leaf(n) : n % 2 == 1 ? one(n - 1) : two(n - 1);
  results = result;
  return result + leaf(1);
}

__attribute__((noinline)) int two(int n) {
  int result = n <= 1 ? leaf(n) : n % 3 == 1 ? two(n - 1) : one(n - 1);
  results = result;
  return result + leaf(2) + leaf(3);
}

__attribute__((noinline)) int itself(int n, int sites) {
  if (n == 0)
    return leaf(n);
  return sites % 2 == 1 ? 1 + itself(n - 1, sites / 2) : 2 * itself(n - 1, sites / 2);
}

void in_and_after(int n);

__attribute__((noinline)) void between(int n) {
  results = leaf(n);
  if (n > 0)
    in_and_after(n - 1);
  results = leaf(n);
}

__attribute__((noinline)) void same(void) {
  between(0);
  results = leaf(0);
}

/* Calls it within another of a routine, again and again, and then after that. */
__attribute__((noinline)) void in_and_after(int n) {
  if (n == 2)
    in_and_after(1);
  if (n == 1)
    between(1);
  for (int i = n == 0 ? 3 : 1; i > 0; i--)
    same();
}

int main(void) {
  for (int round = 0; round < 60; round++)
    for (int n = 0; n < 6; n++)
      results = one(n) + two(n) + itself(2, n);
  for (int round = 0; round < 20; round++)
    in_and_after(2);
  return 0;
}
