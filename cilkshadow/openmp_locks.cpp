// OpenMP's locks, by routines that every run-time library of it has.
#include "cilkshadow/runtimes.hpp"
#include "cilkshadow/thread_edges.hpp"
#include "trace/guest_registers.hpp"

namespace openmp_locks {

using shadow::Hook;
using shadow::Hooked;

namespace {

void set(Hook& hook) { thread_edges::acquired(hook.arguments[0], "mutex", hook.caller); }
void test(Hook& hook) {
  if (static_cast<u32>(guest::result()) != 0)
    set(hook);
}
void unset(Hook& hook) { thread_edges::released(hook.arguments[0]); }

} // namespace

const Hooked hooks[] = {
    {"omp_set_lock", nullptr, set},     {"omp_set_nest_lock", nullptr, set},
    {"omp_test_lock", nullptr, test},   {"omp_test_nest_lock", nullptr, test},
    {"omp_unset_lock", unset, nullptr}, {"omp_unset_nest_lock", unset, nullptr},
    {nullptr, nullptr, nullptr},
};

} // namespace openmp_locks
