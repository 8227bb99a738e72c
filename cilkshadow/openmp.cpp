// Of OpenMP, what every run-time library of it has: locks, by the same names; and what is not
// understood, order between iterations (doacross loops) and the ends of detached tasks.
#include "cilkshadow/locks.hpp"
#include "cilkshadow/runtimes.hpp"
#include "trace/guest_registers.hpp"

namespace openmp {

using shadow::Hook;
using shadow::Hooked;

namespace {

void set(Hook& hook) { locks::acquired(hook.arguments[0], locks::kMutex, hook.caller); }
void test(Hook& hook) {
  if (static_cast<u32>(guest::result()) != 0)
    set(hook);
}
void unset(Hook& hook) { locks::released(hook.arguments[0]); }
void init(Hook& hook) { locks::renewed(hook.arguments[0]); }

u64 calls = 0;
void count(Hook&) { count_not_understood(); }

} // namespace

const Hooked hooks[] = {
    // Of both kinds (omp_set_nest_lock), with hints, and in Fortran (omp_set_lock_).
    {"omp_init_*lock*", init, nullptr},      {"omp_set_*lock*", nullptr, set},
    {"omp_test_*lock*", nullptr, test},      {"omp_unset_*lock*", unset, nullptr},
    {"GOMP_doacross_*wait", count, nullptr}, {"kmpc_doacross_wait", count, nullptr},
    {"omp_fulfill_event", count, nullptr},   {nullptr, nullptr, nullptr},
};

void count_not_understood() { calls++; }
u64 not_understood() { return calls; }
void forget_totals() { calls = 0; }

} // namespace openmp
