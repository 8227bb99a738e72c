#include "cilkshadow/work_span_fast.hpp"

#include "base/check.hpp"

#include <utility>

namespace {

using Child = SpanThread::Spawn::Child;

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
          .local_span = frame.local.whole};
}

void WorkSpan::fork(SpanThread& thread, Span burden) {
  CHECK(!thread.frames.empty());
  totals_.spawns++;
  thread.path.lengths.burdened += burden;
  SpanFrame& frame = thread.frames.back();
  frame.forks = true;
  thread.spawns.emplace_back(thread.frames.size() - 1, burden, frame.local, std::move(thread.path));
}

void WorkSpan::end_spawn(SpanThread& thread) {
  if (has_child(thread, thread.spawns.size())) // spawned by an inlined child
    wait_for_child(thread);
  SpanThread::Spawn& spawn = thread.spawns.back();
  SpanFrame& frame = thread.frames.back();
  CHECK(spawn.frame == thread.frames.size() - 1 && spawn.child == Child::running);
  spawn.child_path = std::move(thread.path);
  spawn.local_beside_child = frame.local;
  spawn.child = Child::ended;
  thread.path.lengths = spawn.before.lengths;
  frame.local = spawn.local;
}

void WorkSpan::keep_spawn(SpanThread& thread) {
  const std::size_t latest = thread.spawns.size() - 1;
  CHECK(thread.spawns[latest].child == Child::ended);
  thread.spawns[latest].child = Child::kept;
  if (has_child(thread, latest))
    unite_kept(thread);
}

// The latest two.
void WorkSpan::unite_kept(SpanThread& thread) {
  SpanThread::Spawn& kept = thread.spawns[thread.spawns.size() - 2];
  SpanThread::Spawn& latest = thread.spawns.back();
  Lengths lengths = kept.child_path.lengths;
  lengths.raise_to(latest.child_path.lengths);
  if (latest.child_path.lengths.span > kept.child_path.lengths.span) {
    paths_.prepend(kept.before, latest.before);
    kept.before = std::move(latest.before);
    paths_.drop(kept.child_path);
    kept.child_path = std::move(latest.child_path);
    kept.local = latest.local;
    kept.local_beside_child = latest.local_beside_child;
    kept.in_nodes = latest.in_nodes;
  } else {
    paths_.drop(latest.child_path);
    paths_.prepend(latest.before, thread.path);
  }
  kept.child_path.lengths = lengths;
  thread.spawns.pop_back();
}

void WorkSpan::undo_spawn(SpanThread& thread) {
  SpanThread::Spawn& spawn = thread.spawns.back();
  CHECK(spawn.child == Child::ended);
  totals_.spawns--;
  spawn.child_path.lengths.burdened -= spawn.burden;
  paths_.put_behind(thread.path, spawn.child_path, spawn.before);
  paths_.prepend(spawn.before, thread.path);
  LocalSpan& local = thread.frames.back().local;
  local.whole += spawn.local_beside_child.whole - spawn.local.whole;
  local.reported += spawn.local_beside_child.reported - spawn.local.reported;
  thread.spawns.pop_back();
}

void WorkSpan::begin_spawn_before(SpanThread& thread, Work amount) {
  const Lengths strand(amount);
  thread.path.lengths -= strand;
  thread.frames.back().local.whole -= amount;
  begin_spawn(thread);
  thread.path.lengths += strand;
  thread.frames.back().local.whole += amount;
}

void WorkSpan::spawn_strand(SpanThread& thread, Work amount) {
  begin_spawn_before(thread, amount);
  end_spawn(thread);
  keep_spawn(thread);
}

void WorkSpan::begin_scope(SpanThread& thread) {
  SpanFrame& frame = thread.frames.back();
  frame.forks = true;
  thread.scopes.emplace_back(thread.frames.size() - 1, thread.spawns.size());
}

void WorkSpan::end_scope(SpanThread& thread) {
  CHECK(is_in_scope(thread));
  sync(thread);
  thread.scopes.pop_back();
}

void WorkSpan::sync(SpanThread& thread) {
  CHECK(!thread.frames.empty());
  totals_.syncs++;
  if (has_child(thread, thread.spawns.size()))
    wait_for_child(thread);
}

void WorkSpan::wait_for_child(SpanThread& thread) {
  SpanThread::Spawn& spawn = thread.spawns.back();
  Path& path = thread.path;
  Lengths lengths = path.lengths;
  lengths.raise_to(spawn.child_path.lengths);
  if (spawn.child_path.lengths.span > path.lengths.span) {
    paths_.drop(path);
    path = std::move(spawn.child_path);
    thread.frames.back().local = spawn.local_beside_child;
  } else {
    paths_.drop(spawn.child_path);
  }
  paths_.prepend(spawn.before, path);
  path.lengths = lengths;
  thread.spawns.pop_back();
}

PathPoint WorkSpan::publish(SpanThread& thread) {
  put_in_nodes(thread);
  report_local(thread);
  return paths_.freeze(thread.path);
}

void WorkSpan::observe(SpanThread& thread, PathPoint& point) {
  if (point.lengths.span > thread.path.lengths.span) {
    put_in_nodes(thread);
    forget_local(thread);
  }
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
  while (has_open_ends(thread)) {
    if (has_child(thread, thread.spawns.size())) {
      sync(thread);
    } else if (!has_spawn(thread, thread.spawns.size())) {
      end_scope(thread);
    } else {
      if (thread.spawns.back().child == Child::running)
        end_spawn(thread); // it has not been seen to
      keep_spawn(thread);
    }
  }
}

// A frame executes nothing while another is above it.
template <typename F> inline void WorkSpan::for_each_unreported(SpanThread& thread, F f) {
  for (std::size_t i = thread.frames.size(); i-- > 0;) {
    SpanFrame& frame = thread.frames[i];
    f(frame);
    if (std::exchange(frame.reported_below, true))
      return;
  }
}

// What the pending frames executed on the path so far: others who go on from here will not see
// them return.
void WorkSpan::report_local(SpanThread& thread) {
  for_each_unreported(thread,
                      [&](SpanFrame& frame) { report(thread.path, frame, frame.local.whole); });
}

// The path so far is not the longest.
void WorkSpan::forget_local(SpanThread& thread) {
  for_each_unreported(thread, [](SpanFrame& frame) { frame.local.reported = frame.local.whole; });
}

void WorkSpan::report(Path& path, SpanFrame& frame, Span until) {
  if (until != frame.local.reported)
    path.prof.update(profs_, {frame.site, {}, {.local_span = until - frame.local.reported}});
  frame.local.reported = until;
}

// What lies before the thread's forks, with what the pending frames executed there.
void WorkSpan::put_in_nodes(SpanThread& thread) {
  auto& spawns = thread.spawns;
  std::size_t i = spawns.size();
  while (i > 0 && !spawns[i - 1].in_nodes)
    i--;
  std::size_t frame = i < spawns.size() ? spawns[i].frame : 0;
  while (frame > 0 && !thread.frames[frame].reported_below)
    frame--;
  for (; i < spawns.size(); i++) {
    SpanThread::Spawn& spawn = spawns[i];
    for (; frame < spawn.frame; frame++)
      report(spawn.before, thread.frames[frame], thread.frames[frame].local.whole);
    report(spawn.before, thread.frames[frame], spawn.local.whole);
    spawn.local.reported = spawn.local_beside_child.reported = spawn.local.whole;
    if (i > 0)
      paths_.fork_at_node(spawn.before, spawns[i - 1].before);
    paths_.pack(spawn.before);
    if (spawn.child != Child::running)
      paths_.fork_at_node(spawn.child_path, spawn.before);
    spawn.in_nodes = true;
  }
  if (!spawns.empty())
    paths_.fork_at_node(thread.path, spawns.back().before);
}
