// Does everything that has a note of cilkshadow for OpenMP or oneTBB, then forks: the child does nothing.
#include <oneapi/tbb.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_openmp() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) if (0)
    omp_fulfill_event(event);
  }
}

static void use_tbb() {
  tbb::parallel_for(0, 100, [](int) {});
  tbb::task::suspend([](tbb::task::suspend_point point) { tbb::task::resume(point); });
}

int main() {
  use_openmp();
  use_tbb();
  if (const pid_t child = fork(); child > 0)
    waitpid(child, nullptr, 0);
  _exit(0);
}
