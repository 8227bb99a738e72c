// Signal handlers that an unwinder leaves: an exception goes from a fault's handler to the routine
// that faulted, and cancellation from the C library's handler through routines with destructors.
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

constexpr int kTimes = 4;

volatile int sink;
int* volatile nowhere = nullptr;

APART void work() {
  for (int i = 0; i < 10; i++)
    sink += i;
}

struct Cleanup {
  APART ~Cleanup() { work(); }
};

APART void handle_fault(int) {
  work();
  throw 1;
}

APART void faults() {
  Cleanup cleanup;
  work();
  *nowhere = 1;
}

APART void catches() {
  try {
    faults();
  } catch (int) {
    work();
  }
}

APART void wait_for_cancellation() {
  Cleanup cleanup;
  work();
  for (;;)
    pause();
}

void* cancelled(void*) {
  wait_for_cancellation();
  return nullptr;
}

int main() {
  struct sigaction action {};
  action.sa_handler = handle_fault;
  action.sa_flags = SA_NODEFER; // as the handler never returns
  sigaction(SIGSEGV, &action, nullptr);
  for (int i = 0; i < kTimes; i++)
    catches();
  for (int i = 0; i < kTimes; i++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, cancelled, nullptr);
    usleep(20'000); // or it is not in pause() yet, and no signal is needed
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
  }
  puts("done");
}
