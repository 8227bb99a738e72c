#include "cilkshadow/work_span_fast.hpp"

#include "base/check.hpp"

#include <utility>

namespace {

void copy(Vector<u32>& to, const Vector<u32>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); i++)
    to[i] = from[i];
}

} // namespace

SpanThread* WorkSpan::start_thread(SpanThread* creator) {
  auto* thread = create<SpanThread>("cilkshadow.thread");
  if (creator != nullptr) {
    PathPoint start = publish(*creator);
    thread->path = paths_.begin(start);
    copy(thread->pending_sites, creator->pending_sites);
    copy(thread->pending_routines, creator->pending_routines);
  }
  thread->place = threads_.size();
  threads_.push_back(thread);
  return thread;
}

void WorkSpan::end_thread(SpanThread& thread) {
  while (!thread.frames.empty())
    return_from_top(thread);
  thread.end = paths_.end(thread.path);
}

void WorkSpan::join_thread(SpanThread& by, SpanThread* ended) {
  observe(by, ended->end);
  join_work(by, ended);
}

void WorkSpan::join_work(SpanThread& by, SpanThread* ended) {
  by.work += ended->work;
  if (!by.frames.empty())
    by.frames.back().callees += ended->work;
  paths_.drop(ended->end);
  free_thread(ended);
}

SpanThread* WorkSpan::unite_ended(SpanThread* one, SpanThread* other) {
  one->work += other->work;
  paths_.keep_later(one->end, other->end);
  free_thread(other);
  return one;
}

void WorkSpan::free_thread(SpanThread* thread) {
  threads_.back()->place = thread->place;
  threads_.swap_remove(thread->place);
  destroy(thread);
}

Invocation WorkSpan::so_far(const SpanThread& thread, std::size_t i) const {
  const SpanFrame& frame = thread.frames[i];
  const bool is_top = i + 1 == thread.frames.size();
  const Work own_and_returned = is_top ? thread.work : thread.frames[i + 1].work_at_entry;
  return {.work = thread.work - frame.work_at_entry,
          .span = thread.path.lengths.span - frame.span_at_entry,
          .local_work = own_and_returned - frame.work_at_entry - frame.callees,
          .local_span = frame.local};
}

void WorkSpan::fork(SpanThread& thread, Span burden) {
  CHECK(!thread.frames.empty());
  totals_.spawns++;
  thread.path.lengths.burdened += burden;
  thread.frames.back().forks = true;
  thread.spawns.emplace_back(thread.frames.size() - 1, publish(thread), thread.frames.back().local,
                             burden);
}

void WorkSpan::end_spawn(SpanThread& thread) {
  SpanThread::Spawn& spawn = thread.spawns.back();
  SpanFrame& frame = thread.frames.back();
  CHECK(spawn.frame == thread.frames.size() - 1 && !spawn.child_has_ended);
  report_local(thread); // what was executed beside the child's own frame
  spawn.child.end = paths_.end(thread.path);
  spawn.child.parents_local = frame.local;
  spawn.child_has_ended = true;
  paths_.go_on(thread.path, spawn.fork);
  frame.local = frame.reported = spawn.local;
}

void WorkSpan::keep_spawn(SpanThread& thread) {
  CHECK(thread.spawns.back().child_has_ended);
  SpawnedChild child = thread.spawns.back().child;
  thread.spawns.pop_back();
  SpanFrame& frame = thread.frames.back();
  if (!frame.has_child) {
    frame.child = child;
    frame.has_child = true;
    return;
  }
  if (child.end.lengths.span > frame.child.end.lengths.span)
    frame.child.parents_local = child.parents_local;
  paths_.keep_later(frame.child.end, child.end);
}

void WorkSpan::undo_spawn(SpanThread& thread) {
  SpanThread::Spawn& spawn = thread.spawns.back();
  CHECK(spawn.child_has_ended);
  totals_.spawns--;
  spawn.child.end.lengths.burdened -= spawn.burden;
  paths_.follow(thread.path, spawn.fork.lengths, spawn.child.end);
  SpanFrame& frame = thread.frames.back();
  const Span since = frame.local - spawn.local;
  frame.local = spawn.child.parents_local + since;
  frame.reported = spawn.child.parents_local; // the rest of it is on the path by now
  thread.spawns.pop_back();
}

void WorkSpan::begin_spawn_before(SpanThread& thread, Work amount) {
  const Lengths strand{amount, amount, amount};
  thread.path.lengths -= strand;
  thread.frames.back().local -= amount;
  begin_spawn(thread);
  thread.path.lengths += strand;
  thread.frames.back().local += amount;
}

void WorkSpan::spawn_strand(SpanThread& thread, Work amount) {
  begin_spawn_before(thread, amount);
  end_spawn(thread);
  keep_spawn(thread);
}

void WorkSpan::begin_scope(SpanThread& thread) {
  SpanFrame& frame = thread.frames.back();
  frame.forks = true;
  thread.scopes.emplace_back(thread.frames.size() - 1, frame.child, frame.has_child);
  frame.has_child = false;
}

void WorkSpan::end_scope(SpanThread& thread) {
  CHECK(is_in_scope(thread));
  sync(thread);
  SpanFrame& frame = thread.frames.back();
  frame.child = thread.scopes.back().child;
  frame.has_child = thread.scopes.back().has_child;
  thread.scopes.pop_back();
}

void WorkSpan::sync(SpanThread& thread) {
  CHECK(!thread.frames.empty());
  totals_.syncs++;
  SpanFrame& frame = thread.frames.back();
  if (!frame.has_child)
    return;
  frame.has_child = false;
  const bool child_is_longer = frame.child.end.lengths.span > thread.path.lengths.span;
  observe(thread, frame.child.end);
  if (child_is_longer)
    frame.local = frame.reported = frame.child.parents_local;
}

PathPoint WorkSpan::publish(SpanThread& thread) {
  report_local(thread);
  return paths_.freeze(thread.path);
}

void WorkSpan::observe(SpanThread& thread, PathPoint& point) {
  if (point.lengths.span > thread.path.lengths.span)
    forget_local(thread);
  paths_.join(thread.path, point);
}

void WorkSpan::observe_copy(SpanThread& thread, const PathPoint& point) {
  if (point.node == nullptr)
    return;
  PathPoint copy = paths_.copy(point);
  observe(thread, copy);
}

void WorkSpan::acquire(SpanThread& thread, SpanLock& lock) {
  Span& serialised = thread.path.lengths.serialised;
  if (serialised < lock.released)
    serialised = lock.released;
  lock.acquired_at = thread.work;
  lock.acquisitions++;
}

void WorkSpan::release(SpanThread& thread, SpanLock& lock) {
  lock.released = thread.path.lengths.serialised;
  lock.held += thread.work - lock.acquired_at;
}

const WorkSpan::Totals& WorkSpan::finish() {
  Path last;
  last.lengths = start_;
  for (SpanThread* thread : threads_) {
    if (thread->end.node == nullptr)
      end_thread(*thread);
    totals_.work += thread->work;
    paths_.join(last, thread->end);
    destroy(thread);
  }
  threads_.clear();
  totals_.lengths = last.lengths;
  totals_.lengths -= start_;
  paths_.for_each(last, [&](SiteId site, const Measures& measures) {
    at_number(on_span_, index(site)) += measures;
  });
  PathPoint end = paths_.end(last);
  paths_.drop(end);
  return totals_;
}

// What of the top frame is still open ends with it.
void WorkSpan::close_top(SpanThread& thread) {
  settle_spawns(thread);
  while (is_in_scope(thread))
    end_scope(thread);
  if (thread.frames.back().has_child)
    sync(thread);
}

// Children of the top frame that have not been seen to end have ended.
void WorkSpan::settle_spawns(SpanThread& thread) {
  while (!thread.spawns.empty() && thread.spawns.back().frame + 1 == thread.frames.size()) {
    if (!thread.spawns.back().child_has_ended)
      end_spawn(thread);
    keep_spawn(thread);
  }
}

// A frame executes nothing while another is above it.
template <typename F> inline void WorkSpan::for_each_unreported(SpanThread& thread, F f) {
  for (std::size_t i = thread.frames.size(); i-- > 0;) {
    SpanFrame& frame = thread.frames[i];
    f(frame);
    frame.reported = frame.local;
    if (std::exchange(frame.reported_below, true))
      return;
  }
}

// What the pending frames executed on the path so far: it is about to fork, and others who go on
// from here will not see them return.
void WorkSpan::report_local(SpanThread& thread) {
  for_each_unreported(thread, [&](const SpanFrame& frame) {
    if (frame.local != frame.reported)
      thread.path.prof.update(profs_,
                              {frame.site, {}, {.local_span = frame.local - frame.reported}});
  });
}

// The path so far is not the longest.
void WorkSpan::forget_local(SpanThread& thread) {
  for_each_unreported(thread, [](const SpanFrame&) {});
}
