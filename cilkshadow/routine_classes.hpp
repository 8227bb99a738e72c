// What a routine is to the work-span shadow.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"

enum class RoutineClass : u8 {
  unknown,
  program, // its work is work
  // What the system's libraries do for the program is work; for a threading run-time library,
  // overhead.
  system,
  // As program or system, but never a spawned child: destructors and the like, which run after it.
  cleanup,
  system_cleanup,
  // A threading run-time library, and what runs before main: overhead, and no call site.
  runtime,
  strange_runtime, // one that no hooks understand
  hooked,          // of those, one whose calls order threads (cilkshadow/hooks.hpp)
};

class RoutineClasses {
public:
  RoutineClass of(RoutineId routine) {
    if (index(routine) < classes_.size() && classes_[index(routine)] != RoutineClass::unknown)
      return classes_[index(routine)];
    return classify(routine);
  }

private:
  RoutineClass classify(RoutineId routine);

  Vector<RoutineClass> classes_{"cilkshadow.classes"}; // by RoutineId
};
