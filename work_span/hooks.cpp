#include "work_span/hooks.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

namespace shadow {

namespace {

constexpr Hooked of_exceptions[] = {
    {"cxa_throw", [](Hook&) { thrown(); }, nullptr},
    {"cxa_rethrow", [](Hook&) { thrown(); }, nullptr},
    {"cxa_begin_catch", [](Hook&) { handler_begins(); }, nullptr},
    {nullptr, nullptr, nullptr},
};

struct Table {
  const Hooked* hooks;
  bool of_c_library = false;
};

} // namespace

// Programs may have routines of such names, too. Where the C library is part of the program, its
// own have no lines, or are of files of its folders.
bool is_of_c_library(const Routine& routine) {
  static constexpr std::initializer_list<const char*> kObjects = {
      "libc.so*", "libc-*.so", "libpthread*.so*", "librt*.so*", "ld-*.so*", "libc.musl-*"};
  if (RoutineTable::is_mapped(kObjects))
    return matches(VG_(basename)(routines->objects()[routine.object]), kObjects);
  return routine.file == 0 ||
         matches(routines->files()[routine.file], {"*/nptl/*", "*/sysdeps/*", "*/src/thread/*"});
}

// As the C library's own calls name it, too: __pthread_mutex_lock, __new_sem_post.
const Hooked* hooked(const Routine& routine) {
  const char* name = routine.name;
  while (*name == '_')
    name++;
  for (const char* prefix : {"GI_", "new_"}) {
    if (VG_(strncmp)(name, prefix, VG_(strlen)(prefix)) == 0)
      name += VG_(strlen)(prefix);
    while (*name == '_')
      name++;
  }
  for (const Table& table :
       {Table{thread_edges::hooks, true}, Table{locks::hooks, true},
        Table{thread_edges::hooks_of_cxx}, Table{atomic_waits::hooks}, Table{libgomp::hooks},
        Table{libomp::hooks}, Table{onetbb::hooks}, Table{openmp::hooks}, Table{of_exceptions}})
    for (const Hooked* candidate = table.hooks; candidate->routine != nullptr; candidate++)
      if (VG_(string_match)(candidate->routine, name) &&
          (routine.file != 0 || !candidate->needs_lines) &&
          (!table.of_c_library || is_of_c_library(routine)))
        return candidate;
  return nullptr;
}

void hook_entered(Logical& thread, const Hooked& what, RoutineId routine) {
  auto* hook = create<Hook>("cilkshadow.hooks",
                            Hook{what, routine, thread.frames.size(), RoutineId::none, {}});
  if (!thread.span->frames.empty())
    hook->caller = thread.span->frames.back().routine;
  for (unsigned i = 0; i < 6; i++)
    hook->arguments[i] = guest::argument(i);
  thread.hooks.push_back(hook);
  if (what.entered != nullptr)
    what.entered(*hook);
}

void hook_returns(Logical& thread) {
  Hook* hook = thread.hooks.back();
  thread.hooks.pop_back();
  if (hook->what.on_return != nullptr)
    hook->what.on_return(*hook);
  destroy(hook);
}

Hook* hook_in_charge(const Logical& thread) {
  if (thread.hooks.empty())
    return nullptr;
  Hook* hook = thread.hooks.back();
  for (std::size_t i = thread.frames.size(); i > hook->depth; i--)
    if (!thread.frames[i - 1].hidden)
      return nullptr;
  return hook;
}

bool task_begins(Logical& thread, RoutineId routine) {
  Hook* hook = hook_in_charge(thread);
  if (hook != nullptr && hook->what.calls_back != nullptr &&
      hook->what.calls_back(*hook, thread, routine))
    return true;
  if (onetbb::task_begins(thread) || libomp::task_begins(thread, routine) ||
      teams::piece_begins(thread, routine))
    return true;
  if (!thread.frames.empty() && thread.frames.back().in_libtbb &&
      (hook == nullptr || hook->what.calls_back == nullptr))
    onetbb::count_unknown_callback(routine);
  return false;
}

void forget_hooks(Logical& thread) {
  for (Hook* hook : thread.hooks)
    destroy(hook);
  thread.hooks.clear();
}

void forget_totals() {
  thread_edges::forget_totals();
  locks::forget_totals();
  atomic_waits::forget_totals();
  spin_waits::forget_totals();
  openmp::forget_totals();
  tasks::forget_totals();
  teams::forget_totals();
  onetbb::forget_totals();
}

} // namespace shadow
