// Measures itself: by Cilkscale's calls what runs in parallel and what does not, by regions the same,
// one of them twice, and one within a spawned child. In a forked child, by its argument.
#include <cilk/cilk.h>
#include <cilk/cilkscale.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/cilkshadow.h>

static volatile int sink;

__attribute__((noinline, noipa)) static void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

__attribute__((noinline, noipa)) static void both(void) {
  cilk_spawn leaf(10000);
  leaf(10000);
  cilk_sync;
}

__attribute__((noinline, noipa)) static void child(void) {
  CILKSHADOW_REGION_BEGIN("child");
  leaf(10000);
  CILKSHADOW_REGION_END("child");
}

int main(int argc, char* argv[]) {
  const wsp_t begin = wsp_getworkspan();
  both();
  const wsp_t middle = wsp_getworkspan();
  leaf(20000);
  const wsp_t end = wsp_getworkspan();
  wsp_t serial = wsp_zero();
  serial = wsp_add(serial, wsp_sub(end, middle));
  wsp_dump(wsp_sub(middle, begin), "parallel");
  wsp_dump(serial, "serial");

  CILKSHADOW_REGION_BEGIN("whole");
  for (int i = 0; i < 2; i++) {
    CILKSHADOW_REGION_BEGIN("both, again");
    both();
    CILKSHADOW_REGION_END("both, again");
  }
  cilk_spawn child();
  leaf(100);
  cilk_sync;
  if (argc > 1 && argv[1][0] == 'f') { // fork
    if (fork() == 0) {
      leaf(10000);
      CILKSHADOW_REGION_END("whole");
      exit(0);
    }
    wait(NULL);
  }
  CILKSHADOW_REGION_END("whole");
  CILKSHADOW_REGION_END("whole"); // without sense
  CILKSHADOW_REGION_BEGIN("never ended");
  return 0;
}
