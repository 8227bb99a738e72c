// What translated code does where loops begin, go round and end, and where a routine's code is
// looked through for them.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/loops/loop.hpp"

#include <cstddef>

// Where translated code finds the loop that runs: in the activation that a word at a fixed address
// points to. Null there: none does, or a routine that it has called.
struct RunningLoop {
  const void* activation;      // address of that word
  std::size_t loop;            // offset of a Loop*
  std::size_t trips;           // offset of a u64, which a leaf's header increments
  void (*at_header)(Loop*);    // of one that is no leaf: event_loop, or what does it more quickly
  void (*at_iteration)(Loop*); // that counts, instead of incrementing `trips`; null: nothing
};

namespace loop_events {

// At the header of a loop.
void event_loop(Loop* loop);
// In the loop `innermost` of a routine; null: in none.
void event_in_loop(Loop* innermost, RoutineId routine);

// Whether the block at `address` has been looked through.
bool has(GuestAddr address);
// Instead of a block that has not: it is, and then translated anew.
IRSB* find_loops(const IRSB* block, GuestAddr address);

// Adds to the block what is to be done at an instruction, if anything, after what `publish` adds,
// which makes the clock right.
void add(IRSB* block, const RunningLoop& running, GuestAddr instruction,
         void (*publish)(void* argument), void* argument);

} // namespace loop_events
