// Parallel loops that the program's code divides among threads or tasks, so that the run-time
// library does not give out iterations: OpenMP's with a static schedule, and those of oneTBB's
// templates. An execution of the machine code's loop is a part of such a loop, and belongs to the
// part's routine:
//
// - clang asks the library for its bounds, and says when it ends.
// - gcc asks for the team's size and the thread's number, and divides by itself. From then on, the
//   outermost loops of that routine are parts, unless a barrier is met in them: then those within
//   are. A program that divides a loop by itself asks the same.
// - oneTBB's task for a range calls the body, which may be inlined into it. Loops of the templates
//   themselves are no parts, except those that call a body for each index.
//
// Iterations of a part are logged one by one, unless its loop is a leaf: that would cost more than
// they do.
#pragma once

#include "base/types.hpp"
#include "trace/routines.hpp"
#include "work_span/state/routine_class.hpp"

struct Loop;
namespace shadow {
struct Thread;
}
namespace tasks {
struct Task;
}

namespace divided_loops {

// The running thread's top frame is of a routine whose loops are parts from here on;
void begin(const tasks::Task& task);
void end(); // are no parts from here on;
// takes chunks from the library or executes a single block for a while, or no longer.
void pause(bool on);
// OpenMP has told it the team's size, or the thread's number.
void answered(const tasks::Task& task, bool size);

// The thread's top frame is that of a task,
void task_begins(const shadow::Thread& thread, RoutineId routine);
// or of a body that such a task has called.
void body_begins(const shadow::Thread& thread);
// Whether the routine is such a body: it is given a range, or it is a template that a body is
// inlined into. The thread is about to call it, at `site`.
bool is_body(const shadow::Thread& thread, RoutineId routine, RoutineClass c, GuestAddr site);

// Whether each iteration of the loop is to be logged.
bool logs_iterations(Loop& loop);

// The first line of the program's own in a loop of a library's template; of file 0 if there is none
// or the loop is not in a template.
RoutineTable::SourceLine line_in_template(const Loop& loop);

} // namespace divided_loops
