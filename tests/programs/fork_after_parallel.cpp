// Does everything that has a note of cilkshadow for OpenMP or oneTBB, then forks: the child does nothing.
#include <oneapi/tbb.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_openmp() {
#pragma omp parallel for ordered(1) num_threads(2)
  for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
  }
}

static void use_tbb() {
  tbb::parallel_for(0, 100, [](int) {});
  int items = 0;
  const auto next = [&](tbb::flow_control& control) {
    if (items == 3)
      control.stop();
    return items++;
  };
  tbb::parallel_pipeline(2, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, next) &
                                tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int) {}));
}

int main() {
  use_openmp();
  use_tbb();
  if (const pid_t child = fork(); child > 0)
    waitpid(child, nullptr, 0);
  _exit(0);
}
