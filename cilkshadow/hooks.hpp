// Routines of run-time libraries that the shadow acts on, known by name.
#pragma once

#include "cilkshadow/shadow.hpp"

namespace shadow {

// An invocation of one.
struct Hook {
  RoutineId caller; // the program's
  u64 arguments[6];
  void (*on_return)(Hook& hook);
  void* kept = nullptr; // by `entered` for `on_return`
};

struct Hooked {
  const char* routine; // a pattern, without leading underscores
  void (*entered)(Hook& hook);
  void (*on_return)(Hook& hook);
};

const Hooked* hooked(const char* routine); // null: none
void hook_entered(Logical& thread, RoutineId routine);
void hook_returns(Logical& thread);
void forget_hooks(Logical& thread);

} // namespace shadow
