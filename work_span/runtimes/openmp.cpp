// Hooks of routines that all OpenMP libraries have: locks, the number of threads, and what is not
// understood.
#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <utility>

namespace openmp {

using shadow::Hook;
using shadow::HookedCall;
using tasks::Task;

namespace {

void set(HookedCall& call) {
  locks::acquired(call.arguments[0], locks::kMutex, call.caller, call.returns_to);
}
void test(HookedCall& call) {
  if (static_cast<u32>(guest::result()) != 0)
    set(call);
}
void unset(HookedCall& call) { locks::released(call.arguments[0]); }
void init(HookedCall& call) { locks::renewed(call.arguments[0]); }

u32& threads() { return tasks::current(*shadow::running()).threads; }
void set_threads(HookedCall& call) { threads() = static_cast<u32>(call.arguments[0]); }
void set_threads_of_fortran(HookedCall& call) {
  threads() = *reinterpret_cast<const u32*>(call.arguments[0]);
}

// gcc's code for a loop with a static schedule asks for both, and so does a program that divides
// its work by itself. gcc uses earlier answers again, in any order.
void team_size(HookedCall&) { shares::team_size_is(static_cast<u32>(guest::result())); }
void thread_number(HookedCall&) { shares::thread_number_is(static_cast<u32>(guest::result())); }

u64 calls_not_understood = 0;

u64 awaited = 0;
Lazy<AddressMap<Task*>> by_event{
    "cilkshadow.openmp"}; // detached tasks; null: it has been fulfilled

void fulfil(HookedCall& call) {
  Task** task = by_event->find(call.arguments[0]);
  if (task == nullptr || *task == nullptr)
    return count_not_understood();
  awaited -= !(*task)->ends.empty();
  tasks::fulfil(*std::exchange(*task, nullptr));
}

} // namespace

const Hook hooks[] = {
    // Locks of both kinds, with hints, and Fortran's (omp_set_lock_). A pattern would also match
    // the program's own omp_set_blocks.
    {"omp_init_lock", init, nullptr},
    {"omp_init_lock_", init, nullptr},
    {"omp_init_lock_with_hint", init, nullptr},
    {"omp_init_lock_with_hint_", init, nullptr},
    {"omp_init_nest_lock", init, nullptr},
    {"omp_init_nest_lock_", init, nullptr},
    {"omp_init_nest_lock_with_hint", init, nullptr},
    {"omp_init_nest_lock_with_hint_", init, nullptr},
    {"omp_set_lock", nullptr, set},
    {"omp_set_lock_", nullptr, set},
    {"omp_set_nest_lock", nullptr, set},
    {"omp_set_nest_lock_", nullptr, set},
    {"omp_test_lock", nullptr, test},
    {"omp_test_lock_", nullptr, test},
    {"omp_test_nest_lock", nullptr, test},
    {"omp_test_nest_lock_", nullptr, test},
    {"omp_unset_lock", unset, nullptr},
    {"omp_unset_lock_", unset, nullptr},
    {"omp_unset_nest_lock", unset, nullptr},
    {"omp_unset_nest_lock_", unset, nullptr},
    {"omp_set_num_threads", set_threads, nullptr},
    {"omp_set_num_threads_", set_threads_of_fortran, nullptr},
    {"omp_set_num_threads_8_", set_threads_of_fortran, nullptr},
    {"omp_get_num_threads", nullptr, team_size},
    {"omp_get_thread_num", nullptr, thread_number},
    {"omp_fulfill_event", fulfil, nullptr},
    {"omp_fulfill_event_", fulfil, nullptr},
    {nullptr, nullptr, nullptr},
};

void detached(GuestAddr event, Task& task) {
  by_event->at(event) = &task;
  awaited += !task.ends.empty();
}
bool is_event_awaited() { return awaited > 0; }
void count_not_understood() { calls_not_understood++; }
u64 not_understood() { return calls_not_understood; }
void forget_totals() { calls_not_understood = 0; }

} // namespace openmp
