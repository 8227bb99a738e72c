// The class, the hook and the kind of overhead of each routine of the client, by its name and its
// object.
//
// Owned by shadow::start. A routine is classified once; further queries cost a load.
#pragma once

#include "base/vector.hpp"
#include "trace/routines.hpp"
#include "work_span/dag/overhead.hpp"
#include "work_span/state/hooked_call.hpp"
#include "work_span/state/routine_class.hpp"

class RoutineClassTable {
public:
  RoutineClass of(RoutineId routine) {
    if (index(routine) < classes_.size() && classes_[index(routine)] != RoutineClass::unknown)
      return classes_[index(routine)];
    return classify(routine);
  }
  // Null if its calls mean nothing to the shadow. Call of() first.
  const shadow::Hook* hook_of(RoutineId routine) const { return hooks_[index(routine)]; }
  // Likewise. `none`: what its caller causes.
  OverheadKind overhead_of(RoutineId routine) const { return overheads_[index(routine)]; }

  // Whether code without a symbol belongs to the program or the system.
  static bool is_plain_without_name(GuestAddr address);
  bool is_of_program(GuestAddr instruction);
  bool is_of_library(GuestAddr instruction); // a run-time library

private:
  RoutineClass classify(RoutineId routine);
  RoutineClass of_code(GuestAddr instruction);

  // By RoutineId.
  Vector<RoutineClass> classes_{"cilkshadow.classes"};
  Vector<const shadow::Hook*> hooks_{"cilkshadow.classes"};
  Vector<OverheadKind> overheads_{"cilkshadow.classes"};
};

extern RoutineClassTable* routine_classes;
