// The threads of the client and their logical threads: which one runs, what interrupts it, and
// where in its calls it is.
//
// Listens to Valgrind's thread and signal events. A signal handler is a level above what it
// interrupts, with a stack (trace/stacks.hpp) and a logical thread of its own, kept for the next
// handler; on each level the client may switch stacks by itself. Switching is O(1) between threads
// and levels, O(log) in the number of suspended stacks between those.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/stacks.hpp"

#include "base/valgrind.hpp"

struct ClientThread {
  ThreadIndex index;
  ThreadIndex creator;
  Vector<RoutineId> created_in{
      "trace.thread.created_in"};               // creator's pending routines, outermost first
  char name[16] = "";                           // as set by prctl or pthread_setname_np
  Int lwp = 0;                                  // kernel's thread id
  GuestAddr cleared_at_end = 0;                 // by the kernel; 0: nothing
  Vector<Stack*> levels{"trace.thread.levels"}; // the stack that each level is on
  std::size_t active = 1;                       // levels in use

  Stack*& stack() { return levels[active - 1]; }
};

namespace threads {

void listen(); // registers for the core's events
// The thread is about to have an event: makes it the current one.
void make_current(ThreadId tid);
ClientThread* find(ThreadId tid); // null for a thread not alive

// Instrumentation is switched on or off: what was pending is cut off, and not known any more.
void forget_calls();

// All threads that ever lived, by ThreadIndex from 1; those that ended have no levels.
const Vector<ClientThread*>& all();

// The core's --fair-sched: no, yes or try.
const char* fair_scheduling();

void unmapped(GuestAddr address, std::size_t bytes);

u64 stacks_given_up();    // of coroutines, which count as ended
u64 handlers_not_apart(); // that are part of what they interrupted

} // namespace threads
