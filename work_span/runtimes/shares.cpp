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
  if (Task& by = task(); has_shares(by)) {
    by.in_chunks = loop;
    by.in_chunks.share.division = number_of_next_loop(by);
  }
}

namespace {

// The loop of which the thread takes a chunk or finds none; null if it is not known. Of a region
// that consists of one, threads meet it then.
ChunkedLoop* loop_in_chunks(Task& by) {
  if (!has_shares(by) || by.team->is_serial)
    return nullptr;
  if (by.team->loop.share.of > 0 && by.round == 0 && by.loops_met == 0)
    begin_of_chunks(by.team->loop);
  return by.in_chunks.share.of > 0 ? &by.in_chunks : nullptr;
}

} // namespace

// All chunks but a thread's first one begin in the loop, and so have the path of the first.
void next_chunk(u64 from, u64 to) {
  teams::next_chunk(true);
  ChunkedLoop* loop = loop_in_chunks(task());
  if (loop == nullptr)
    return;
  if (loop->taken++ == 0)
    loop->share.path = path();
  Share chunk = loop->share;
  chunk.from = loop->iterations_before(from);
  chunk.to = loop->iterations_before(to);
  begin(chunk);
}

// What comes after a single chunk looks like a part of it; and who has taken none has been there.
void end_of_chunks() {
  teams::next_chunk(false);
  ChunkedLoop* loop = loop_in_chunks(task());
  if (loop == nullptr)
    return;
  const ChunkedLoop ended = std::exchange(*loop, {});
  if (ended.taken > 1)
    return;
  Share share = ended.share;
  share.from = share.to = share.of;
  share.path = path();
  begin_here(share);
}

void end_of_loop() {
  if (std::exchange(task().is_in_share, false))
    begin_here(Share::undivided(++divisions, path()));
}

void team_size_is(u32 size) { answered(&Task::team_size, size); }
void thread_number_is(u32 number) { answered(&Task::thread_number, number); }
void begin_after_barrier() { begin_by_number(task()); }

} // namespace shares
