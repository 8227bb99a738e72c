// The cost of code without names, for the message at the end of a run.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"

// Made when all routines are known.
class NamelessCost {
public:
  NamelessCost();

  // Adds self cost of a routine.
  void add(RoutineId routine, u64 cost);
  // Prints a message if nameless code has a fifth of the cost or more, which leaves little to
  // report. `report`: the command that says more.
  void print(const char* report) const;

private:
  Vector<u64> by_object_{"trace.nameless"};
  u64 all_ = 0;
  u64 nameless_ = 0;
  u64 most_ = 0; // of one object
  u32 object_ = 0;
};
