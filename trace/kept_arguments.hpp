// The integer arguments that an activation was called with, as far as the code at its entry has
// stored them (trace/arguments.hpp).
#pragma once

#include "base/types.hpp"

struct KeptArguments {
  static constexpr unsigned kMost = 4; // per routine

  // The routine, and which of its arguments are stored: a clone may lack some. Packed into one
  // word, so that translated code can compare it with 0, which means that none are stored yet.
  struct Which {
    u32 word = 0;

    static constexpr Which of(RoutineId routine, u32 has) {
      return {index(routine) << kMost | has};
    }
    constexpr bool are_none() const { return word == 0; }
    constexpr RoutineId routine() const { return RoutineId{word >> kMost}; }
    constexpr bool has(unsigned argument) const { return (word >> argument & 1) != 0; }
  };
};
