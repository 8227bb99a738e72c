// The integer arguments that an activation was called with, as far as the code that was entered
// has told them (trace/arguments.hpp).
#pragma once

#include "base/types.hpp"

struct KeptArguments {
  static constexpr unsigned kMost = 4; // of a routine

  // Of which routine, and which of its arguments the code has: a copy may lack some. In one word,
  // which translated code compares with 0: none are kept yet.
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
