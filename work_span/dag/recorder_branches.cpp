// The branches of a thread: where it forks, and what follows a child that has ended.
#include "work_span/dag/recorder.hpp"

void DagRecorder::fork(Thread& thread, Work now) {
  make_room();
  record(thread, now);
  thread.positions.push_back(add_after(thread.position()));
}

void DagRecorder::end_spawn(Thread& thread, Work now) {
  make_room();
  record(thread, now);
  thread.positions.push_back(add_after(thread.positions.end()[-2]));
}

// The positions are those of the latest two children: fork, child, fork, child, and the thread's
// own.
void DagRecorder::unite_kept(Thread& thread) {
  make_room();
  auto& positions = thread.positions;
  StrandId* const latest = positions.end() - 3;
  if (grain_ > 0 && !given_up_ &&
      folding_.fold_children(latest[-2], latest[-1], latest[0], latest[1], grain_)) {
    latest[-2] = latest[0];
    latest[-1] = latest[1];
  } else {
    latest[-1] = meet(latest[-1], latest[1]);
    strands_.unpin(latest[0]);
  }
  latest[0] = latest[2];
  positions.pop_back();
  positions.pop_back();
}

void DagRecorder::wait_for_child(Thread& thread, Work now, u64 waits) {
  make_room();
  record(thread, now);
  auto& positions = thread.positions;
  const StrandId fork = positions.end()[-3];
  const StrandId child = positions.end()[-2];
  if (grain_ == 0 || given_up_ || !folding_.fold_child(fork, child, positions.back(), grain_)) {
    if (!is_untouched(positions.back()))
      cut(thread);
    order(child, positions.back());
    strands_.unpin(child);
    strands_.unpin(fork);
  }
  const StrandId here = positions.back();
  positions.pop_back();
  positions.pop_back();
  positions.back() = here;
  while (!thread.iterations.empty() && thread.iterations.back().waits == waits) {
    for (const StrandId strand : {thread.iterations.back().before, thread.iterations.back().latest})
      if (strand != StrandId::none) {
        order(strand, here);
        strands_.unpin(strand);
      }
    thread.iterations.pop_back();
  }
}

// The thread's position comes after the child now, not after the fork.
void DagRecorder::undo_spawn(Thread& thread, Work now) {
  record(thread, now);
  auto& positions = thread.positions;
  const StrandId here = positions.back();
  const StrandId child = positions.end()[-2];
  if (!given_up_)
    strands_.move_after(here, child);
  strands_.unpin(child);
  strands_.unpin(positions.end()[-3]);
  positions.pop_back();
  positions.pop_back();
  positions.back() = here;
}

void DagRecorder::undo_outer_spawn(Thread& thread) {
  auto& positions = thread.positions;
  strands_.unpin(positions.end()[-3]);
  positions.end()[-3] = positions.end()[-2];
  positions.end()[-2] = positions.end()[-1];
  positions.pop_back();
}
