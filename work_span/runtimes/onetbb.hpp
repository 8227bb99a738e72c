// oneTBB: tasks are objects whose virtual execute() is called by libtbb.
//
// A task forks where it is spawned. No parent waits for it: a task that ends decrements a count, of
// a node above it or of a wait context, and the thread that makes it 0 continues, or wakes a
// waiting thread. So each decrement happens before the one to 0, and that happens before the end of
// the wait. Most of oneTBB is templates in the program, which decrement those counts
// (code/template_code.hpp).
#pragma once

#include "work_span/state/state.hpp"

namespace onetbb {

// Whether a routine of the program is a template of oneTBB's. Containers do not count: using them
// is work.
bool is_template(const char* routine);

// libtbb is about to call a routine of the program. Returns true if a task begins there.
bool task_begins(shadow::Thread& thread);
bool filter_begins(shadow::Thread& thread, RoutineId routine); // the same of a pipeline's filter
// That routine is not a task's, and no known call into libtbb calls it.
void count_unknown_callback(RoutineId routine);

// Events of the templates' code: it has decremented a count, or locked a node to put a message.
void decremented(GuestAddr address, unsigned bytes, bool to_zero);
void locked_to_put(GuestAddr lock);
// Whether the top frame was called by a template.
bool is_in_template(const shadow::Thread& thread);

// What the span does not include.
struct NotUnderstood {
  u64 callbacks = 0;
  u64 pushes = 0;        // to bounded queues whose room is not known
  u64 aggregators = 0;   // blocks of code
  u64 without_lines = 0; // routines of templates
};
NotUnderstood& not_understood();
u64 threads(); // the highest result of max_concurrency(); 0: never called
void forget_totals();

} // namespace onetbb
