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

int main(void) {
  for (int round = 0; round < 60; round++)
    for (int n = 0; n < 6; n++)
      results = one(n) + two(n) + itself(2, n);
  return 0;
}
