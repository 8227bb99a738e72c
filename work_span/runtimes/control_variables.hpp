// OpenMP's internal control variables, as far as they matter to work and span: what the program
// sets for the parallel regions and loops that a task meets. Each task has its own, which begin as
// those of its creator.
#pragma once

#include "base/types.hpp"

enum class LoopKind : u8 { unset, by_number, dynamic, guided, automatic, unknown }; // omp_sched_t

// What schedule(runtime) stands for.
struct RunSchedule {
  LoopKind kind = LoopKind::unset; // as the environment or the library has it
  u32 chunk = 0;                   // 0: not given
};

struct ControlVariables {
  u32 threads = 0; // of parallel regions; 0: the environment's default
  RunSchedule schedule{};
};

namespace openmp {
// What OMP_SCHEDULE says: [MODIFIER:]KIND[,CHUNK].
RunSchedule schedule_of(const char* text);
} // namespace openmp
