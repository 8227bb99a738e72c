// Records the integer arguments of activations. The code at a routine's first instruction stores
// them in the running activation, unless they are there already, as when a loop jumps back to the
// first instruction. DWARF says which registers they are in (trace/debug_info/parameters.hpp).
//
// Cost: nothing for routines without such arguments; otherwise a comparison, and a store for each
// argument.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"
#include "trace/kept_arguments.hpp"

#include <cstddef>

// Where translated code finds the running activation, and the layout of the fields that it stores.
struct RunningArguments {
  const void* activation; // address of the pointer to the running activation
  std::size_t kept;       // offset of a KeptArguments::Which
  std::size_t values;     // offset of kMost u64s
};

class ArgumentTable {
public:
  // If a routine with integer arguments begins at `address`, adds code to its block that stores
  // them.
  void add(IRSB* block, const RunningArguments& running, GuestAddr address);

  // Null if the routine has no such argument.
  const char* name(RoutineId routine, unsigned argument) const {
    return index(routine) < names_.size() ? names_[index(routine)].of[argument] : nullptr;
  }

private:
  struct Names {
    const char* of[KeptArguments::kMost]{};
  };

  // Returns the argument's number, starting at 0, or kMost if there is no room for another.
  unsigned place(RoutineId routine, const char* name);

  Vector<Names> names_{"trace.arguments"}; // by RoutineId
};

// The run's table; null if arguments are not recorded.
extern ArgumentTable* arguments;
