// C++ exceptions that leave many frames, with destructors in between.
#include <cstdio>
#include <stdexcept>

#define NOINLINE __attribute__((noinline))

static volatile int sink;

struct Guard {
  NOINLINE ~Guard() { sink = 1; }
};

NOINLINE void thrower(int depth) {
  Guard guard;
  if (depth == 0)
    throw std::runtime_error("out");
  thrower(depth - 1);
  sink = depth;
}

NOINLINE void catcher() {
  try {
    thrower(9);
  } catch (const std::exception&) {
    sink = 2;
  }
}

NOINLINE void after(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main() {
  for (int i = 0; i < 4; i++) {
    catcher();
    after(100);
  }
  std::puts("done");
}
