/* With -fsplit-stack a routine whose stack is full goes on in another piece of memory, and comes back:
   by return, by an exception, by longjmp. */
#include <csetjmp>
#include <cstdio>
#include <pthread.h>

#define NOINLINE __attribute__((noinline))

namespace {

jmp_buf back;

NOINLINE int leaf(const char *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

enum class End { returns, throws, jumps };

NOINLINE int down(int n, End end) {
  volatile char buffer[2000];
  for (int i = 0; i < 2000; i += 100)
    buffer[i] = static_cast<char>(n);
  if (n == 0 && end == End::throws)
    throw 1;
  if (n == 0 && end == End::jumps)
    longjmp(back, 1);
  const int below = n == 0 ? 0 : down(n - 1, end);
  return below + leaf(const_cast<const char *>(buffer), 1) + buffer[100];
}

NOINLINE long returning() {
  long sum = 0;
  for (int i = 1; i <= 20; i++)
    sum += down(10 * i, End::returns);
  return sum;
}

NOINLINE long throwing() {
  long caught = 0;
  for (int i = 1; i <= 5; i++)
    try {
      down(40 * i, End::throws);
    } catch (int) {
      caught++;
    }
  return caught;
}

NOINLINE long jumping() {
  volatile long jumped = 0;
  while (jumped < 5)
    if (setjmp(back) == 0)
      down(40 * static_cast<int>(jumped + 1), End::jumps);
    else
      jumped = jumped + 1;
  return jumped;
}

void *thread(void *result) {
  *static_cast<long *>(result) = returning() + throwing() + jumping();
  return result;
}

} // namespace

int main() {
  long result = 0;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_t other;
  pthread_create(&other, &small, thread, &result);
  pthread_join(other, nullptr);
  std::printf("%ld\n", result);
}
