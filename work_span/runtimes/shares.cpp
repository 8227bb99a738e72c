#include "work_span/runtimes/shares.hpp"

#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

#include <utility>

namespace shares {

using tasks::Task;

namespace {

u32 divisions = 0;

Task& task() { return tasks::current(*shadow::running()); }

bool has_shares(const Task& task) {
  return shadow::state->dag != nullptr && task.team != nullptr && task.parent == nullptr &&
         !teams::is_over(*task.team, task.round);
}

// A thread that turns out to be of another team may have met more loops than that has.
u32 number_of_next_loop(Task& task) {
  Vector<u32>& loops = teams::round(*task.team, task.round).loops;
  while (loops.size() <= task.loops_met)
    loops.push_back(++divisions);
  return loops[task.loops_met++];
}

PathId path() { return shadow::span().dag->path; }

bool begin_here(const Share& share) {
  const SpanThread& span = shadow::span();
  if (span.frames.empty())
    return false;
  shadow::state->dag->begin_share(*span.dag, span.work, share);
  return true;
}
// Returns whether it is a part, and begins.
bool begin(const Share& share) {
  return share.from < share.to && share.to <= share.of && share.to - share.from < share.of &&
         begin_here(share);
}

void begin_by_number(Task& task) {
  if (!task.knows_its_number() || !has_shares(task))
    return;
  u32& division = teams::round(*task.team, task.round).division_by_number;
  if (division == 0)
    division = ++divisions;
  begin({.division = division,
         .from = task.thread_number,
         .to = u64{task.thread_number} + 1,
         .of = task.team_size,
         .path = path()});
}

void answered(u32 Task::*question, u32 answer) {
  Task& by = task();
  const bool knew = by.knows_its_number();
  by.*question = answer;
  if (!knew)
    begin_by_number(by);
  divided_loops::answered(by, question == &Task::team_size);
}

} // namespace

void begin_of_loop(u64 from, u64 to, u64 of, u64 iterations) {
  if (Task& by = task(); has_shares(by))
    by.is_in_share = begin({.division = number_of_next_loop(by),
                            .from = from,
                            .to = to,
                            .of = of,
                            .iterations = iterations,
                            .path = path()});
}

void begin_of_chunks(const ChunkedLoop& loop) {
  Task& by = task();
  by.shares_by_number = loop.is_by_number();
  if (!has_shares(by))
    return;
  forget_progress(by);
  by.in_chunks = create<LoopProgress>("cilkshadow.tasks", LoopProgress{.loop = loop});
  by.in_chunks->loop.share.division = number_of_next_loop(by);
}

void forget_progress(Task& by) {
  if (by.in_chunks != nullptr)
    destroy(std::exchange(by.in_chunks, nullptr));
}

void begin_of_taken(Share& whole, u64 number) {
  shadow::account();
  if (shadow::span().frames.empty())
    return;
  if (whole.division == 0) {
    whole = shares::whole(Share::kUncertain, Schedule::dynamic, 1);
    whole.division = ++divisions;
    whole.path = path();
  }
  Share chunk = whole;
  chunk.from = number;
  chunk.to = number + 1;
  begin(chunk);
}

bool withdraw_taken(const Share& whole, u64 number) {
  return shadow::state->dag->withdraw_chunk(*shadow::span().dag, whole.division, number);
}

namespace {

bool is_by_number(const Task& by) {
  return by.shares_by_number || (by.team != nullptr && by.team->loop.is_by_number());
}

// The loop of which the thread takes a chunk or finds none; null if it is not known. Of a region
// that consists of one, threads meet it then.
LoopProgress* loop_in_chunks(Task& by) {
  if (!has_shares(by) || by.team->is_serial)
    return nullptr;
  if (by.team->loop.share.of > 0 && by.round == 0 && by.loops_met == 0)
    begin_of_chunks(by.team->loop);
  return by.in_chunks != nullptr && by.in_chunks->loop.share.of > 0 ? by.in_chunks : nullptr;
}

} // namespace

// All chunks but a thread's first one begin in the loop, and so have the path of the first.
void next_chunk(u64 from, u64 to) {
  Task& by = task();
  const bool by_number = is_by_number(by);
  if (!by_number)
    teams::next_chunk(true);
  LoopProgress* progress = loop_in_chunks(by);
  if (progress == nullptr)
    return;
  Share& whole = progress->loop.share;
  if (progress->taken++ == 0)
    whole.path = path();
  Share chunk = whole;
  chunk.from = progress->loop.iterations_before(from);
  chunk.to = progress->loop.iterations_before(to);
  if (!by_number)
    begin(chunk);
  else if (whole.chunk == 0)
    by.is_in_share = begin(chunk);
}

// What comes after a single chunk looks like a part of it; and who has taken none has been there.
void end_of_chunks() {
  Task& by = task();
  if (is_by_number(by)) {
    end_of_loop();
    return forget_progress(by);
  }
  teams::next_chunk(false);
  const LoopProgress* progress = loop_in_chunks(by);
  if (progress != nullptr && progress->taken < 2) {
    Share share = progress->loop.share;
    share.from = share.to = share.of;
    share.path = path();
    begin_here(share);
  }
  forget_progress(by);
}

void end_of_loop() {
  if (std::exchange(task().is_in_share, false))
    begin_here(Share::undivided(++divisions, path()));
}

void team_size_is(u32 size) { answered(&Task::team_size, size); }
void thread_number_is(u32 number) { answered(&Task::thread_number, number); }
void begin_after_barrier() { begin_by_number(task()); }

} // namespace shares
