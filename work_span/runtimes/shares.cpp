#include "work_span/runtimes/shares.hpp"

#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

#include <utility>

namespace shares {

using tasks::Task;

namespace {

u32 divisions = 0;

Task& task() { return tasks::current(*shadow::running()); }

bool has_shares(const Task& task) {
  return shadow::state->dag != nullptr && task.team != nullptr && task.parent == nullptr;
}

// A thread that turns out to be of another team may have met more loops than that has.
u32 number_of_next_loop(Task& task) {
  Vector<u32>& loops = teams::round(*task.team, task.round).loops;
  while (loops.size() <= task.loops_met)
    loops.push_back(++divisions);
  return loops[task.loops_met++];
}

// Returns whether it is a part, and begins.
bool begin(const Share& share) {
  shadow::Thread& thread = *shadow::running();
  const bool is_part = share.from < share.to && share.to - share.from < share.of;
  const bool begins = is_part && !thread.span->frames.empty();
  if (begins)
    shadow::state->dag->begin_share(*thread.span->dag, thread.span->work, share);
  return begins;
}

void begin_by_number(Task& task) {
  if (!task.knows_its_number() || !has_shares(task))
    return;
  u32& division = teams::round(*task.team, task.round).division_by_number;
  if (division == 0)
    division = ++divisions;
  begin({division, task.thread_number, u64{task.thread_number} + 1, task.team_size});
}

void answered(u32 Task::*question, u32 answer) {
  Task& by = task();
  const bool knew = by.knows_its_number();
  by.*question = answer;
  if (!knew)
    begin_by_number(by);
}

} // namespace

void begin_of_loop(u64 from, u64 to, u64 of, u64 iterations) {
  if (Task& by = task(); has_shares(by))
    by.is_in_share = begin({number_of_next_loop(by), from, to, of, iterations});
}
void end_of_loop() {
  const SpanThread& span = *shadow::running()->span;
  if (std::exchange(task().is_in_share, false))
    shadow::state->dag->begin_share(*span.dag, span.work, Share::undivided(++divisions));
}

void team_size_is(u32 size) { answered(&Task::team_size, size); }
void thread_number_is(u32 number) { answered(&Task::thread_number, number); }
void begin_after_barrier() { begin_by_number(task()); }

} // namespace shares
