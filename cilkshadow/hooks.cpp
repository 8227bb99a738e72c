#include "cilkshadow/hooks.hpp"

#include "cilkshadow/openmp.hpp"
#include "cilkshadow/thread_edges.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"

namespace shadow {

// As the C library's own calls name it, too: __pthread_mutex_lock, __new_sem_post.
const Hooked* hooked(const char* routine) {
  while (*routine == '_')
    routine++;
  for (const char* prefix : {"GI_", "new_"}) {
    if (VG_(strncmp)(routine, prefix, VG_(strlen)(prefix)) == 0)
      routine += VG_(strlen)(prefix);
    while (*routine == '_')
      routine++;
  }
  for (const auto table : {thread_edges::hooks, openmp::hooks})
    for (const Hooked* candidate = table; candidate->routine != nullptr; candidate++)
      if (VG_(string_match)(candidate->routine, routine))
        return candidate;
  return nullptr;
}

void hook_entered(Logical& thread, RoutineId routine) {
  const Hooked& what = *hooked((*routines)[routine].name);
  auto* hook = create<Hook>("cilkshadow.hooks");
  hook->on_return = what.on_return;
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
  if (hook->on_return != nullptr)
    hook->on_return(*hook);
  destroy(hook);
}

void forget_hooks(Logical& thread) {
  for (Hook* hook : thread.hooks)
    destroy(hook);
  thread.hooks.clear();
}

} // namespace shadow
