// Tracks the innermost loop that a thread is in, for tools that log events (trace/event_log.hpp).
// Which activation runs is known only when the log is read, so translated code keeps the loop in a
// shadow register:
//
//   where                         what is kept
//   behind a call instruction     none
//   behind a return               "returned": the caller's code knows in which loop it called
//   where the stack pointer is    "unknown"; likewise for a signal handler, and for the code
//   set (longjmp, exceptions)     that runs after it
//   a loop's header, or where     that loop, and whether its body has begun; if another loop was
//   a loop may have been left     kept, an event is logged
//
// An event says where in its routine control is, so a redundant one does no harm. An execution of a
// loop begins with its body: a condition that fails at once begins none.
//
// Cost: a load, a comparison and a store per iteration, and an event where a loop begins or ends.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/event_log.hpp"
#include "trace/loops/loop_table.hpp"

namespace logged_loops {

// Loops are aligned to 8 bytes; the lowest bit says that control is in the body.
enum class State : u64 { none = 0, returned = 2, unknown = 4 };

// The code that is added to translated blocks.
void set_state(IRSB* block, State state);
// Where the block of `leader` begins. `time` is that of the event; null if it may not wait, in
// which case the clock in memory must be right.
void log_change(IRSB* block, const LoopTable::Leader& leader, GuestAddr instruction, IRExpr* time);
void count_iteration(IRSB* block, Loop& loop);
// The event by which an iteration of the loop is logged, besides being counted.
event_log::LogSite iteration_of(Loop& loop, GuestAddr instruction);
void event_iteration(const Loop* of); // the same if nothing may wait

void handler_starts(ThreadId tid);

} // namespace logged_loops
