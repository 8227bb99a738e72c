// The integer arguments of routines' activations, kept by the code that a call enters: it stores
// them in the activation that runs, unless that has them already, as where a loop goes back to the
// routine's first instruction. Which they are, DWARF tells (trace/debug_info/parameters.hpp).
//
// Cost: of routines without such arguments none; of others a comparison and a store of each.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"
#include "trace/kept_arguments.hpp"

#include <cstddef>

// Where translated code finds the activation that runs, and what is where in it.
struct RunningArguments {
  const void* activation; // address of a word that points to it
  std::size_t kept;       // offset of a KeptArguments::Which
  std::size_t values;     // offset of KeptArguments::kMost u64
};

class ArgumentTable {
public:
  // Adds to the block at `address` what keeps the arguments, if a routine with some begins there.
  void add(IRSB* block, const RunningArguments& running, GuestAddr address);

  // Null: the routine has no such argument.
  const char* name(RoutineId routine, unsigned argument) const {
    return index(routine) < names_.size() ? names_[index(routine)].of[argument] : nullptr;
  }

private:
  struct Names {
    const char* of[KeptArguments::kMost]{};
  };

  // The argument's number, from 0; kMost: there is no room.
  unsigned place(RoutineId routine, const char* name);

  Vector<Names> names_{"trace.arguments"}; // by RoutineId
};

// Of the run; null: arguments are not kept.
extern ArgumentTable* arguments;
