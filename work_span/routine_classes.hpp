// What a routine is to the work-span shadow.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"

namespace shadow {
struct Hooked;
}

enum class RoutineClass : u8 {
  unknown,
  program, // its work is work
  // What the system's libraries do for the program is work; for a threading run-time library,
  // overhead.
  system,
  // As program or system, but never a spawned child: destructors and the like, which run after it,
  // and v[i], where its result goes.
  cleanup,
  system_cleanup,
  // A threading run-time library, and what calls main: overhead, and no call site.
  runtime,
  libtbb,    // of those, one that calls tasks
  templates, // oneTBB's, in the program: its frames are hidden, but what it calls is the program's
};

class RoutineClasses {
public:
  RoutineClass of(RoutineId routine) {
    if (index(routine) < classes_.size() && classes_[index(routine)] != RoutineClass::unknown)
      return classes_[index(routine)];
    return classify(routine);
  }
  // Null: its calls do not order threads (work_span/hooks.hpp). After of().
  const shadow::Hooked* hooked(RoutineId routine) const { return hooked_[index(routine)]; }
  // Of code without a symbol: whether it is the program's or the system's.
  static bool is_plain_without_name(GuestAddr address);

private:
  RoutineClass classify(RoutineId routine);

  // By RoutineId.
  Vector<RoutineClass> classes_{"cilkshadow.classes"};
  Vector<const shadow::Hooked*> hooked_{"cilkshadow.classes"};
};
