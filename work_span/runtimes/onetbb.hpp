// oneTBB: tasks are objects, whose virtual execute() libtbb calls.
//
// A task forks where it is spawned. No parent waits for it: a task that ends decrements a count, of
// a node above it or of a wait context, and the thread that makes that 0 goes on, or wakes one that
// waits. So a decrement happens before the one to 0, and the last one before the end of the wait.
// Most of oneTBB is templates in the program, which decrement those counts
// (code/template_code.hpp).
#pragma once

#include "work_span/state/state.hpp"

namespace onetbb {

// Whether a routine is oneTBB's, though in the program. Containers do not count: using them is
// work.
bool is_template(const char* routine);

// libtbb is about to call a routine of the program. True if a task begins there.
bool task_begins(shadow::Thread& thread);
// That routine is no task's, and no call into libtbb is known to call it.
void count_unknown_callback(RoutineId routine);

// Events of the templates' code: it decremented a count, or locked a node to put a message.
void decremented(GuestAddr address, unsigned bytes, bool to_zero);
void locked_to_put(GuestAddr lock);
// Whether the top frame was called by a template's.
bool is_in_template(const shadow::Thread& thread);

// What the span does not have.
struct NotUnderstood {
  u64 callbacks = 0;
  u64 aggregators = 0;   // blocks of code
  u64 without_lines = 0; // routines of templates
};
NotUnderstood& not_understood();
u64 threads(); // what max_concurrency() returned, at most; 0: nobody asked
void forget_totals();

} // namespace onetbb
