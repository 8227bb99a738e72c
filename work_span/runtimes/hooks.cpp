#include "work_span/runtimes/hooks.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "trace/stacks.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/conditions.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/semaphores.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/order/turns.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"
#include "work_span/state/state.hpp"

namespace shadow {

namespace {

void thrown(HookedCall&) {
  account();
  CilkRegions::thrown(*running()->span);
}
void handler_begins(HookedCall&) {
  account();
  regions().handler(*running()->span);
}

constexpr Hook of_exceptions[] = {
    {"cxa_throw", thrown, nullptr},
    {"cxa_rethrow", thrown, nullptr},
    {"cxa_begin_catch", handler_begins, nullptr},
    {nullptr, nullptr, nullptr},
};

// The hooks of one library. A program may have routines of its own with the C library's names.
struct Table {
  const Hook* hooks;
  bool of_c_library = false;
};

// The pending call whose library code the thread is executing; null if it executes other code.
HookedCall* call_in_charge(const Thread& thread) {
  if (thread.hooked_calls.empty())
    return nullptr;
  HookedCall* call = thread.hooked_calls.back();
  for (std::size_t i = thread.frames.size(); i > call->depth; i--)
    if (!thread.frames[i - 1].hidden)
      return nullptr;
  return call;
}

} // namespace

const char* without_prefixes(const char* name) {
  while (*name == '_')
    name++;
  for (const char* prefix : {"GI_", "new_"}) {
    if (VG_(strncmp)(name, prefix, VG_(strlen)(prefix)) == 0)
      name += VG_(strlen)(prefix);
    while (*name == '_')
      name++;
  }
  return name;
}

// If the C library is linked statically, its routines have no lines, or files in its own folders.
bool is_of_c_library(const Routine& routine) {
  static constexpr std::initializer_list<const char*> kObjects = {
      "libc.so*", "libc-*.so", "libpthread*.so*", "librt*.so*", "ld-*.so*", "libc.musl-*"};
  if (RoutineTable::is_mapped(kObjects))
    return matches(VG_(basename)(routines->objects()[routine.object]), kObjects);
  return routine.file == 0 ||
         matches(routines->files()[routine.file], {"*/nptl/*", "*/sysdeps/*", "*/src/thread/*"});
}

const Hook* hook_of(const Routine& routine) {
  const char* const name = without_prefixes(routine.name);
  for (const Table& table :
       {Table{thread_edges::hooks, true}, Table{conditions::hooks, true},
        Table{semaphores::hooks, true}, Table{locks::hooks, true},
        Table{thread_edges::hooks_of_cxx}, Table{atomic_waits::hooks}, Table{libgomp::hooks},
        Table{libgomp::task_hooks}, Table{libomp::hooks}, Table{libomp::task_hooks},
        Table{onetbb::hooks}, Table{onetbb::pipeline_hooks}, Table{onetbb::queue_hooks},
        Table{openmp::hooks}, Table{of_exceptions}})
    for (const Hook* candidate = table.hooks; candidate->routine != nullptr; candidate++)
      if (VG_(string_match)(candidate->routine, name) &&
          (routine.file != 0 || !candidate->needs_lines) &&
          (!table.of_c_library || is_of_c_library(routine)))
        return candidate;
  return nullptr;
}

void hook_entered(Thread& thread, const Hook& hook, RoutineId routine) {
  auto* call = create<HookedCall>("cilkshadow.hooks",
                                  HookedCall{hook,
                                             routine,
                                             thread.frames.size(),
                                             RoutineId::none,
                                             threads::current->calls.top().return_address,
                                             {}});
  if (!thread.span->frames.empty())
    call->caller = thread.span->frames.back().routine;
  for (unsigned i = 0; i < 6; i++)
    call->arguments[i] = guest::argument(i);
  thread.hooked_calls.push_back(call);
  if (hook.on_entry != nullptr)
    hook.on_entry(*call);
}

void hook_returns(Thread& thread) {
  HookedCall* call = thread.hooked_calls.back();
  thread.hooked_calls.pop_back();
  if (call->hook.on_return != nullptr)
    call->hook.on_return(*call);
  destroy(call);
}

bool task_begins(Thread& thread, RoutineId routine) {
  HookedCall* call = call_in_charge(thread);
  if (call != nullptr && call->hook.calls_back != nullptr &&
      call->hook.calls_back(*call, thread, routine))
    return true;
  if (onetbb::task_begins(thread) || onetbb::filter_begins(thread, routine) ||
      libgomp::task_begins(thread, routine) || libomp::task_begins(thread, routine) ||
      teams::member_begins(thread, routine))
    return true;
  if (!thread.frames.empty() && thread.frames.back().in_libtbb &&
      (call == nullptr || call->hook.calls_back == nullptr))
    onetbb::count_unknown_callback(routine);
  return false;
}

void forget_hooks(Thread& thread) {
  for (HookedCall* call : thread.hooked_calls)
    destroy(call);
  thread.hooked_calls.clear();
}

void forget_totals() {
  thread_edges::forget_totals();
  conditions::forget_totals();
  locks::forget_totals();
  turns::forget_totals();
  atomic_waits::forget_totals();
  spin_waits::forget_totals();
  openmp::forget_totals();
  tasks::forget_totals();
  teams::forget_totals();
  onetbb::forget_totals();
}

} // namespace shadow
