// Instruments the points where loops begin, iterate and end, and arranges that a routine's loops
// are found before its code runs.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/loops/loop.hpp"

#include <cstddef>

// Where translated code finds the running loop: in the activation that a pointer at a fixed address
// points to. The field is null if no loop of that activation is running.
struct RunningLoop {
  const void* activation; // address of that pointer
  std::size_t loop;       // offset of a Loop*
  std::size_t trips;      // offset of a u64 that is incremented where an iteration is counted
  u64* leaf_trips;        // incremented instead of `trips` if the loop is a leaf

  // Equivalents of event_loop, possibly faster. They read the clock in the guest state.
  using AtHeader = void (*)(Loop*, const void* guest_state);
  AtHeader at_header;          // for loops that are no leaves
  AtHeader at_counting_header; // also counts the iteration
  AtHeader at_leaf;            // for leaves that are not running
  // `leaf_trips` is incremented behind it, which must have no effect if no execution begins.
  AtHeader at_counting_leaf;
  void (*in_loop)(Loop*, RoutineId, const void* guest_state); // likewise for event_in_loop
  void (*at_other_iteration)(Loop*); // where an iteration is counted and another loop runs
  void (*at_iteration)(Loop*); // called where an iteration is counted, in place of incrementing;
                               // null: nothing
};

namespace loop_events {

// Code without symbols that a routine jumps to is that routine's until it is called; then it is a
// routine by itself. Blocks that were translated before report the loops of the first one. Returns
// the running routine's loop, and sets `routine` to that; null if control has not come to that
// routine's header, so that it runs no such loop.
Loop* of_running_routine(Loop* loop, RoutineId& routine);
inline Loop* of_running_routine(Loop* loop) {
  RoutineId routine = loop->routine;
  return of_running_routine(loop, routine);
}
// Likewise at the header.
Loop* header_in_running_routine(Loop* loop);
// At the header of a loop of the running routine.
void event_loop(Loop* loop);
// In the loop `innermost` of a routine; null: in none.
void event_in_loop(Loop* innermost, RoutineId routine);

// Call when the code at `address` is translated as `block`, which will run next: finds its loops,
// unless it has been searched.
void find_loops(GuestAddr address, const IRSB* block);

// Adds to the block what has to be done at an instruction, if anything. The clock in the guest
// state must be up to date.
void add(IRSB* block, const RunningLoop& running, GuestAddr instruction);

} // namespace loop_events
