// The other half of namesakes.c.
__attribute__((noinline, noipa)) static int helper(int n) { return n + 2; }

int second(int n) { return helper(n); }
