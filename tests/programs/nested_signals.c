// A handler that raises its own signal until as many are nested as the argument says.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int left;

static void handler(int signal) {
  if (--left > 0)
    raise(signal);
}

int main(int argc, char** argv) {
  (void)argc;
  left = atoi(argv[1]);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  puts("returned");
}
