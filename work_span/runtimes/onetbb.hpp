// oneTBB: tasks as objects, whose virtual execute() libtbb calls.
//
// A task forks where it is spawned. It has no parent that waits for it: a task that ends decrements
// a count, of a node above it or of a wait context, and who makes that 0 goes on, or wakes who
// waits. So a decrement happens before the one to 0, and the last one before the end of the wait.
// Most of oneTBB is templates, in the program: those counts are decremented there.
#pragma once

#include "work_span/state/state.hpp"

namespace onetbb {

// In the program, but oneTBB's. Containers are not: using them is work.
bool is_template(const char* routine);

// libtbb is about to call a routine of the program.
bool task_begins(shadow::Thread& thread);
// It is no task's, and no call into libtbb is known to call it.
void count_unknown_callback(RoutineId routine);

// Of the code of templates: it decremented a number, or locked a node to put a message.
void decremented(GuestAddr address, unsigned bytes, bool to_zero);
void locked_to_put(GuestAddr lock);
// Whether the top frame was called by a template's.
bool is_in_template(const shadow::Thread& thread);

struct NotUnderstood {
  u64 callbacks = 0;
  u64 aggregators = 0;   // blocks of code
  u64 without_lines = 0; // routines of templates
};
NotUnderstood& not_understood();
u64 threads(); // what max_concurrency() was, at most; 0: nobody asked
void forget_totals();

} // namespace onetbb
