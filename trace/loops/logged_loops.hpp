// The innermost loop that a thread is in, where calls wait in the log (trace/event_log.hpp): which
// activation runs is known only later, so translated code keeps the loop beside the registers.
//
//   where                         what is kept
//   behind a call instruction     none
//   behind a return               "returned": the caller's code knows in which loop it called
//   where the stack pointer is    "unknown", as for a signal handler, and for who goes on after it
//   set (longjmp, exceptions)
//   a loop's header, or where     that loop, and whether its body has begun; if another one was
//   a loop may have been left     kept, it is logged that control is there
//
// What is logged says where in its routine control is, so once more than needed does no harm. An
// execution begins with the body: a condition that fails at once begins none.
//
// Cost: a load, a comparison and a store an iteration; an event where a loop begins or ends.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/loops/loop_table.hpp"

namespace logged_loops {

// Loops lie at multiples of 8; the lowest bit says that it is in the body.
enum class State : u64 { none = 0, returned = 2, unknown = 4 };

// What translated code does.
void keep(IRSB* block, State state);
// Where `leader` begins. `time`: the event's; null: it may not wait, and the clock is right.
void ask(IRSB* block, const LoopTable::Leader& leader, GuestAddr instruction, IRExpr* time);
void count_iteration(IRSB* block, Loop& loop);

void handler_starts(ThreadId tid);

} // namespace logged_loops
