// The threads of the client and their logical threads: which one is running, what interrupts it,
// and its position in its calls.
//
// Listens to Valgrind's thread and signal events. A signal handler is a level above the code that
// it interrupts, with a stack (trace/stacks.hpp) and a logical thread of its own, which are kept
// for the next handler. On each level the client may switch stacks itself. Switching between
// threads and levels is O(1), between suspended stacks O(log n).
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/stacks.hpp"

#include "base/valgrind.hpp"

struct ClientThread {
  ThreadIndex index;
  ThreadIndex creator;
  // The creator's pending routines, outermost first.
  Vector<RoutineId> created_in{"trace.thread.created_in"};
  char name[16] = "";                           // set by prctl or pthread_setname_np
  Int lwp = 0;                                  // kernel's thread id
  GuestAddr cleared_at_end = 0;                 // cleared by the kernel; 0: nothing is
  Vector<Stack*> levels{"trace.thread.levels"}; // the stack that each level is on
  std::size_t active = 1;                       // levels in use

  Stack*& stack() { return levels[active - 1]; }
};

namespace threads {

void listen(); // registers for the core's events
// Makes the thread the current one, before an event of it.
void make_current(ThreadId tid);
ClientThread* find(ThreadId tid); // null for a thread not alive

// Instrumentation was switched on or off: cuts off and forgets all pending calls.
void forget_calls();

// All threads that ever lived, by ThreadIndex, starting at 1. Ended threads have no levels.
const Vector<ClientThread*>& all();

// The core's --fair-sched: no, yes or try.
const char* fair_scheduling();

void unmapped(GuestAddr address, std::size_t bytes);

u64 stacks_given_up();    // of coroutines; they count as ended
u64 handlers_not_apart(); // those that share the logical thread of the code that they interrupt

} // namespace threads
