#include "work_span/runtimes/overhead_kinds.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "work_span/runtimes/hooks.hpp"

namespace {

using enum OverheadKind;

struct Row {
  const char* pattern; // of names without leading underscores
  OverheadKind kind;
};

// The first row that matches applies. Libraries are often stripped, so these are mostly entry
// points, and the C library's routines in which threads block. What matches no row, and is not
// called by what does, schedules.
constexpr Row kRows[] = {
    {"pthread_create", scheduling},
    {"thrd_create", scheduling},
    {"GOMP_parallel_end", synchronisation},
    {"GOMP_parallel*", scheduling},
    {"kmpc_omp_*task_alloc", scheduling},
    {"tbb::detail::r1::spawn(*", scheduling},
    {"tbb::detail::r1::submit(*", scheduling},
    {"tbb::detail::r1::enqueue(*", scheduling},

    {"malloc", allocation},
    {"calloc", allocation},
    {"realloc", allocation},
    {"free", allocation},
    {"memalign", allocation},
    {"posix_memalign", allocation},
    {"aligned_alloc", allocation},
    {"operator new*", allocation},
    {"operator delete*", allocation},
    {"allocate_stack", allocation},
    {"scalable_*", allocation},
    {"gomp_*alloc*", allocation},
    {"GOMP_alloc", allocation},
    {"GOMP_free", allocation},
    {"omp_*alloc", allocation},
    {"omp_free", allocation},
    {"kmp_*alloc*", allocation},
    {"kmp_free*", allocation},
    {"kmpc_*alloc", allocation},
    {"kmpc_free", allocation},
    {"tbb::detail::r1::allocate*", allocation},
    {"tbb::detail::r1::deallocate*", allocation},
    {"tbb::detail::r1::cache_aligned_*", allocation},

    {"futex_*", waiting},
    {"lll_lock_wait*", waiting},
    {"sched_yield", waiting},
    {"pthread_yield", waiting},
    {"nanosleep", waiting},
    {"clock_nanosleep*", waiting},
    {"usleep", waiting},
    {"syscall", waiting}, // libtbb's and libomp's way to futexes
    {"pthread_cond_*wait*", waiting},
    {"cnd_*wait", waiting},
    {"tbb::detail::r1::wait_on_address*", waiting},
    {"tbb::detail::r1::wait_bounded_queue_monitor*", waiting},

    {"GOMP_barrier*", synchronisation},
    {"GOMP_loop_end", synchronisation},
    {"GOMP_loop_end_cancel", synchronisation},
    {"GOMP_sections_end*", synchronisation},
    {"GOMP_single_copy_*", synchronisation},
    {"GOMP_taskwait*", synchronisation},
    {"GOMP_taskgroup_end", synchronisation},
    {"GOMP_critical_*", synchronisation},
    {"GOMP_atomic_*", synchronisation},
    {"GOMP_ordered_*", synchronisation},
    {"GOMP_doacross_*", synchronisation},
    {"gomp_*barrier*", synchronisation},
    {"gomp_mutex*", synchronisation},
    {"gomp_sem*", synchronisation},
    {"omp_*_lock*", synchronisation},
    {"omp_*_nest_lock*", synchronisation},
    {"omp_fulfill_event*", synchronisation},
    {"kmpc_*barrier*", synchronisation},
    {"kmpc_omp_taskwait*", synchronisation},
    {"kmpc_omp_wait_deps", synchronisation},
    {"kmpc_end_taskgroup", synchronisation},
    {"kmpc_*critical*", synchronisation},
    {"kmpc_*reduce*", synchronisation},
    {"kmpc_*ordered", synchronisation},
    {"kmpc_copyprivate", synchronisation},
    {"kmpc_doacross_*", synchronisation},
    {"kmpc_*lock*", synchronisation},
    {"kmp_*barrier*", synchronisation},
    {"kmp_*lock*", synchronisation},
    {"kmp_wait*", synchronisation},
    {"pthread_join", synchronisation},
    {"pthread_*join_np", synchronisation},
    {"pthread_once", synchronisation},
    {"pthread_mutex_*", synchronisation},
    {"pthread_rwlock_*", synchronisation},
    {"pthread_spin_*", synchronisation},
    {"pthread_barrier_*", synchronisation},
    {"pthread_cond_*", synchronisation},
    {"thrd_join", synchronisation},
    {"mtx_*", synchronisation},
    {"cnd_*", synchronisation},
    {"call_once", synchronisation},
    {"sem_*", synchronisation},
    {"lll_*", synchronisation},
    {"tbb::detail::r1::wait(*", synchronisation},
    {"tbb::detail::r1::execute_and_wait(*", synchronisation},
    {"tbb::detail::r1::notify_*", synchronisation},
    {"tbb::detail::r1::*acquire*", synchronisation},
    {"tbb::detail::r1::release*", synchronisation},
    {"tbb::detail::r1::upgrade*", synchronisation},
    {"tbb::detail::r1::downgrade*", synchronisation},
};

// All but the lookup of thread-local variables, which is a part of what its caller is doing.
bool links(const Routine& routine, const char* name) {
  return matches(VG_(basename)(routines->objects()[routine.object]), {"ld-linux*", "ld-*.so*"}) &&
         !matches(name, {"tls_*"});
}

} // namespace

OverheadKind overhead_kind_of(const Routine& routine) {
  const char* const name = shadow::without_prefixes(routine.name);
  if (links(routine, name))
    return linking;
  for (const Row& row : kRows)
    if (VG_(string_match)(row.pattern, name))
      return row.kind;
  return none;
}
