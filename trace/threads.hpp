// The threads of the client and their logical threads: which one runs, what interrupts it, and
// where in its calls it is.
//
// Listens to Valgrind's thread and signal events. A signal handler is a level above what it
// interrupts, with a call stack and a logical thread of its own, kept for the next handler.
// Switching is O(1) and happens only when another thread or level comes to run.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/call_stack.hpp"
#include "trace/sink.hpp"

#include "base/valgrind.hpp"

// A logical thread with what tells its calls.
struct Level {
  CallStack calls;
  sink::LogicalThread* logical = nullptr;
  bool is_handler = false;
  bool begun = false;         // its outermost frame exists
  GuestAddr binding_slot = 0; // slot of the call that waits for lazy symbol binding, or 0
  GuestAddr first_sp = 0;     // stack pointer at its first instruction
};

struct ClientThread {
  ThreadIndex index;
  ThreadIndex creator;
  Vector<RoutineId> created_in{
      "trace.thread.created_in"}; // creator's pending routines, outermost first
  char name[16] = "";             // as set by prctl or pthread_setname_np
  Int lwp = 0;                    // kernel's thread id
  Vector<Level*> levels{"trace.thread.levels"};
  std::size_t active = 1; // levels in use

  Level& level() { return *levels[active - 1]; }
};

namespace threads {

void listen(); // registers for the core's events
// The thread is about to have an event: makes it the current one.
void make_current(ThreadId tid);
ClientThread* find(ThreadId tid); // null for a thread not alive

// All threads that ever lived, by ThreadIndex from 1; those that ended have no levels.
const Vector<ClientThread*>& all();

// The core's --fair-sched: no, yes or try.
const char* fair_scheduling();

// The level that runs now; its address is constant for translated code's helpers.
extern Level* current;

// The running level is a handler's: if `sp` shows that it was left by a jump, drops the level.
void leave_handlers_below(GuestAddr sp);

} // namespace threads
