// The results so far, while the program goes on; and starting afresh.
#include "cilkshadow/work_span.hpp"

#include <utility>

namespace {

template <typename T> void copy(Vector<T>& to, const Vector<T>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); i++)
    to[i] = from[i];
}

} // namespace

WorkSpan::Results WorkSpan::finish_and_take() {
  finish();
  return {totals_, std::move(on_work_), std::move(on_span_)};
}

// What is pending in the copies is made to return; the threads themselves go on.
WorkSpan::Results WorkSpan::results_so_far() {
  const Totals totals = totals_;
  Vector<Measures> on_work("cilkshadow.on_work");
  copy(on_work, on_work_);
  Vector<SpanThread*> threads = std::move(threads_);
  for (SpanThread* thread : threads)
    threads_.push_back(copy_of(*thread));
  Results results = finish_and_take();
  totals_ = totals;
  on_work_ = std::move(on_work);
  threads_ = std::move(threads);
  return results;
}

SpanThread* WorkSpan::copy_of(SpanThread& thread) {
  auto* made = create<SpanThread>("cilkshadow.thread");
  made->work = thread.work;
  if (thread.end.node != nullptr) {
    made->end = paths_.copy(thread.end);
    return made;
  }
  PathPoint here = publish(thread);
  made->path = paths_.begin(here);
  copy(made->frames, thread.frames);
  for (SpanFrame& frame : made->frames)
    if (frame.has_child)
      frame.child.end = paths_.copy(frame.child.end);
  copy(made->pending_sites, thread.pending_sites);
  copy(made->pending_routines, thread.pending_routines);
  for (SpanThread::Spawn& spawn : thread.spawns) {
    SpanThread::Spawn& copied = made->spawns.push_back(spawn);
    PathPoint& held = spawn.child_has_ended ? copied.child.end : copied.fork;
    held = paths_.copy(held);
  }
  copy(made->scopes, thread.scopes);
  for (SpanThread::Scope& scope : made->scopes)
    if (scope.has_child)
      scope.child.end = paths_.copy(scope.child.end);
  return made;
}

// All paths go on from where the longest is, so that no point of before is on one that is longer.
void WorkSpan::restart() {
  Path longest;
  longest.lengths = start_;
  longest.lengths += results_so_far().totals.lengths;
  start_ = longest.lengths;
  PathPoint start = paths_.end(longest);
  for (SpanThread* thread : threads_)
    restart(*thread, start);
  paths_.drop(start);
  totals_ = {};
  on_work_.clear();
}

void WorkSpan::restart(SpanThread& thread, const PathPoint& start) {
  thread.work = 0;
  if (thread.end.node != nullptr) {
    paths_.drop(thread.end);
    thread.end = paths_.copy(start);
    return;
  }
  restart(thread.path, start);
  for (SpanFrame& frame : thread.frames) {
    frame.work_at_entry = frame.callees = 0;
    frame.span_at_entry = start.lengths.span;
    frame.local = frame.reported = 0;
    forget_child(frame.child, frame.has_child);
  }
  for (SpanThread::Spawn& spawn : thread.spawns) {
    spawn.local = spawn.burden = 0;
    spawn.child.parents_local = 0;
    spawn.fork.lengths = start.lengths;
    PathPoint& held = spawn.child_has_ended ? spawn.child.end : spawn.fork;
    paths_.drop(held);
    held = paths_.copy(start);
  }
  for (SpanThread::Scope& scope : thread.scopes)
    forget_child(scope.child, scope.has_child);
}

void WorkSpan::restart(Path& path, const PathPoint& start) {
  PathPoint before = paths_.end(path);
  paths_.drop(before);
  PathPoint copy = paths_.copy(start);
  path = paths_.begin(copy);
}

void WorkSpan::forget_child(SpawnedChild& child, bool& has_child) {
  if (has_child)
    paths_.drop(child.end);
  has_child = false;
}

void WorkSpan::abandon(SpanThread* thread) {
  for (SpanFrame& frame : thread->frames)
    forget_child(frame.child, frame.has_child);
  for (SpanThread::Spawn& spawn : thread->spawns) {
    paths_.drop(spawn.fork);
    paths_.drop(spawn.child.end);
  }
  for (SpanThread::Scope& scope : thread->scopes)
    forget_child(scope.child, scope.has_child);
  if (thread->end.node == nullptr)
    thread->end = paths_.end(thread->path);
  paths_.drop(thread->end);
  free_thread(thread);
}
