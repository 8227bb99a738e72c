/* To be stripped: a loop in code that is jumped to, as a part of who jumps, before it is called. */
static volatile int sink;

__attribute__((noipa)) static void loop(int n) {
  for (int i = 0; i < n; i++)
    sink++;
}

__attribute__((noipa)) static void jumps(int n) {
  sink++;
  loop(n);
}

int main(void) {
  jumps(500);
  loop(300);
  loop(20);
}
