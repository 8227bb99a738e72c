#include "work_span/engine/work_span_fast.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace {

using State = Branch::State;

// What the i-th branch forked from.
Branch& fork_below(Vector<Branch>& branches, std::size_t i) {
  return branches[branches[i - 1].state == State::forked ? i - 1 : i - 2];
}

} // namespace

SpanThread* WorkSpan::start_thread(SpanThread* creator) {
  auto* thread = create<SpanThread>("cilkshadow.thread");
  thread->branches.reserve(1); // most spawn nothing themselves
  thread->branches.emplace_back();
  if (dag_ != nullptr)
    thread->dag = dag_->start();
  if (creator != nullptr)
    go_on_from(*thread, *creator);
  thread->position = threads_.size();
  threads_.push_back(thread);
  return thread;
}

void WorkSpan::go_on_from(SpanThread& thread, SpanThread& from) {
  CHECK(thread.frames.empty());
  PathPoint start = publish(from);
  if (thread.dag != nullptr)
    dag_->go_on_from(*thread.dag, *from.dag, start.strand);
  paths_.drop(thread.path());
  static_cast<Path&>(thread.path()) = paths_.begin(start);
  forget_pending(thread);
  thread.linked = share(link_frames(from));
}

void WorkSpan::end_thread(SpanThread& thread) {
  while (!thread.frames.empty())
    return_from_top(thread);
  forget_pending(thread);
  thread.end = paths_.end(thread.path());
  if (thread.dag != nullptr)
    thread.end.strand = dag_->end(std::exchange(thread.dag, nullptr), thread.work);
}

void WorkSpan::join_thread(SpanThread& by, SpanThread* ended) {
  observe(by, ended->end);
  join_work(by, ended);
}

void WorkSpan::join_work(SpanThread& by, SpanThread* ended) {
  hand_over_work(by, *ended);
  paths_.drop(ended->end);
  free_thread(ended);
}

void WorkSpan::hand_over_work(SpanThread& by, SpanThread& thread) {
  CHECK(thread.frames.empty());
  const Work work = std::exchange(thread.work, 0);
  by.work += work;
  if (by.dag != nullptr)
    by.dag->recorded += work;
  if (thread.dag != nullptr)
    thread.dag->recorded = 0;
  if (!by.frames.empty())
    by.frames.back().callees += work;
}

SpanThread* WorkSpan::unite_ended(SpanThread* one, SpanThread* other) {
  one->work += other->work;
  paths_.keep_later(one->end, other->end);
  free_thread(other);
  return one;
}

void WorkSpan::free_thread(SpanThread* thread) {
  threads_.back()->position = thread->position;
  threads_.swap_remove(thread->position);
  destroy(thread);
}

Invocation WorkSpan::so_far(const SpanThread& thread, std::size_t i) const {
  const SpanFrame& frame = thread.frames[i];
  const bool is_top = i + 1 == thread.frames.size();
  const Work own_and_returned = is_top ? thread.work : thread.frames[i + 1].work_at_entry;
  return {.work = thread.work - frame.work_at_entry,
          .span = thread.path().lengths.span - frame.span_at_entry,
          .local_work = own_and_returned - frame.work_at_entry - frame.callees,
          .local_span = frame.local.whole};
}

[[gnu::noinline]] void WorkSpan::wait_for_inner(SpanThread& thread) { wait_for_child(thread); }

// The latest two.
void WorkSpan::unite_kept(SpanThread& thread) {
  const Fork latest(thread.path());
  const Fork kept(latest.before); // which goes on with the latest
  if (thread.dag != nullptr)
    dag_->unite_kept(*thread.dag);
  Lengths lengths = kept.child.lengths;
  lengths.raise_to(latest.child.lengths);
  if (latest.child.lengths.span > kept.child.lengths.span) {
    paths_.append(kept.before, latest.before);
    kept.before.lengths = latest.before.lengths;
    kept.before.local = latest.before.local;
    kept.before.in_nodes = latest.before.in_nodes;
    if (kept.before.in_nodes)
      paths_.pack(kept.before); // its node may have been absorbed
    paths_.drop(kept.child);
    static_cast<Path&>(kept.child) = std::move(latest.child);
    kept.child.local = latest.child.local;
    kept.child.in_nodes = latest.child.in_nodes;
    static_cast<Path&>(kept.path) = std::move(latest.path);
  } else {
    paths_.drop(latest.child);
    paths_.append(kept.path, latest.path);
    kept.path.lengths = latest.path.lengths;
  }
  kept.child.lengths = lengths;
  end_fork(thread);
}

void WorkSpan::undo_spawn(SpanThread& thread) {
  const Fork undone(thread.path());
  CHECK(undone.child.state == State::ended);
  if (thread.dag != nullptr)
    dag_->undo_spawn(*thread.dag, thread.work);
  totals_.spawns--;
  Lengths lengths = undone.path.lengths;
  lengths += undone.child.lengths;
  lengths -= undone.before.lengths;
  lengths.burdened -= undone.before.burden;
  LocalSpan& local = thread.frames.back().local;
  local.whole += undone.child.local.whole - undone.before.local.whole;
  local.reported += undone.child.local.reported - undone.before.local.reported;
  local.of_loops += undone.child.local.of_loops - undone.before.local.of_loops;
  paths_.unfork(undone.path);
  paths_.append(undone.child, undone.path);
  paths_.append(undone.before, undone.child);
  undone.before.lengths = lengths;
  end_fork(thread);
}

void WorkSpan::undo_outer_spawn(SpanThread& thread) {
  Branch& inner = thread.path();
  Branch& outer = (&inner)[-1];
  Branch& before = (&inner)[-2];
  CHECK(outer.state == State::forked && before.state == State::forked &&
        outer.frame == before.frame);
  if (thread.dag != nullptr)
    dag_->undo_outer_spawn(*thread.dag);
  totals_.spawns--;
  outer.lengths.burdened -= before.burden;
  inner.lengths.burdened -= before.burden;
  paths_.append(before, outer);
  before.lengths = outer.lengths;
  before.local = outer.local;
  before.burden = outer.burden;
  before.in_nodes = outer.in_nodes;
  if (before.in_nodes)
    paths_.pack(before); // its node may have been absorbed
  static_cast<Path&>(outer) = std::move(inner);
  outer.state = State::grows;
  thread.branches.pop_back();
  thread.frames.back().forks--;
}

void WorkSpan::begin_spawn_before(SpanThread& thread, Work amount) {
  const Lengths strand(amount);
  thread.path().lengths -= strand;
  thread.frames.back().local.whole -= amount;
  thread.work -= amount; // for the dag
  begin_spawn(thread);
  thread.work += amount;
  thread.path().lengths += strand;
  thread.frames.back().local.whole += amount;
}

void WorkSpan::spawn_strand(SpanThread& thread, Work amount) {
  begin_spawn_before(thread, amount);
  end_spawn(thread);
  keep_spawn(thread);
}

void WorkSpan::begin_scope(SpanThread& thread) {
  SpanFrame& frame = thread.frames.back();
  frame.scopes++;
  thread.scopes.push_back(std::exchange(frame.forks, 0));
}

void WorkSpan::end_scope(SpanThread& thread) {
  CHECK(is_in_scope(thread));
  sync(thread);
  SpanFrame& frame = thread.frames.back();
  frame.scopes--;
  frame.forks = thread.scopes.back();
  thread.scopes.pop_back();
}

PathPoint WorkSpan::publish(SpanThread& thread) {
  put_in_nodes(thread);
  report_local(thread);
  PathPoint point = paths_.freeze(thread.path());
  if (thread.dag != nullptr)
    point.strand = dag_->publish(*thread.dag, thread.work);
  return point;
}

void WorkSpan::observe(SpanThread& thread, PathPoint& point) {
  thread.ordered_at = std::min(thread.ordered_at, thread.work);
  if (thread.dag != nullptr)
    dag_->observe(*thread.dag, thread.work, point.strand);
  if (point.lengths.span > thread.path().lengths.span) {
    put_in_nodes(thread);
    forget_local(thread);
  }
  paths_.join(thread.path(), point);
}

void WorkSpan::observe_copy(SpanThread& thread, const PathPoint& point) {
  if (point.node == nullptr)
    return;
  PathPoint copy = paths_.copy(point);
  observe(thread, copy);
}

void WorkSpan::acquire(SpanThread& thread, SpanLock& lock) {
  Span& serialised = thread.path().lengths.serialised;
  serialised = std::max({serialised, lock.released, lock.released_shared});
  if (thread.dag != nullptr)
    dag_->acquire(*thread.dag, thread.work, lock.number);
  lock.acquired_at = thread.work;
  lock.acquisitions++;
}

void WorkSpan::release(SpanThread& thread, SpanLock& lock) {
  lock.released = thread.path().lengths.serialised;
  if (thread.dag != nullptr)
    dag_->release(*thread.dag, thread.work, lock.number);
  lock.held += thread.work - lock.acquired_at;
}

void WorkSpan::acquire_shared(SpanThread& thread, SpanLock& lock) {
  Span& serialised = thread.path().lengths.serialised;
  serialised = std::max(serialised, lock.released);
  lock.acquisitions++;
}

void WorkSpan::release_shared(SpanThread& thread, SpanLock& lock) {
  lock.released_shared = std::max(lock.released_shared, thread.path().lengths.serialised);
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
  on_span_.resize(on_work_.size());
  paths_.for_each(
      last, [&](SiteId site, const Measures& measures) { on_span_[index(site)] += measures; });
  PathPoint end = paths_.end(last);
  paths_.drop(end);
  return totals_;
}

// What of the top frame is still open ends with it.
void WorkSpan::close_top(SpanThread& thread) {
  const SpanFrame& frame = thread.frames.back();
  while (frame.loop != 0)
    end_loop(thread);
  while (frame.forks > 0 || frame.scopes > 0) {
    if (frame.forks == 0) {
      end_scope(thread);
    } else if (has_child(thread)) {
      sync(thread);
    } else {
      if (thread.beneath().state == State::forked)
        end_spawn(thread); // it has not been seen to
      keep_spawn(thread);
    }
  }
  if (frame.linked != 0)
    unlink(thread, frame.top_site || frame.outermost);
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
  for_each_unreported(
      thread, [&](SpanFrame& frame) { report(thread.path(), thread, frame, frame.local.whole); });
}

// The path so far is not the longest.
void WorkSpan::forget_local(SpanThread& thread) {
  for_each_unreported(thread, [](SpanFrame& frame) {
    frame.local.reported = frame.local.of_loops = frame.local.whole;
  });
}

void WorkSpan::report(Path& path, SpanThread& thread, SpanFrame& frame, Span until) {
  if (frame.loop != 0)
    report_loop(path, thread, frame, until);
  if (until != frame.local.reported)
    path.prof.update(profs_,
                     {.site = frame.site, .of = {.local_span = until - frame.local.reported}});
  frame.local.reported = until;
}

// What lies before the thread's forks, with what the pending frames executed there.
void WorkSpan::put_in_nodes(SpanThread& thread) {
  auto& branches = thread.branches;
  const std::size_t top = branches.size() - 1;
  std::size_t i = top;
  while (i > 0 && !branches[i - 1].in_nodes)
    i--;
  std::size_t frame = i < top ? branches[i].frame : 0;
  while (frame > 0 && !thread.frames[frame].reported_below)
    frame--;
  for (; i < top; i++) {
    Branch& branch = branches[i];
    branch.in_nodes = true;
    if (i > 0)
      paths_.fork_at_node(branch, fork_below(branches, i));
    if (branch.state != State::forked) {
      branch.local.reported = branches[i - 1].local.whole;
      continue;
    }
    for (; frame < branch.frame; frame++)
      report(branch, thread, thread.frames[frame], thread.frames[frame].local.whole);
    report(branch, thread, thread.frames[frame], branch.local.whole);
    branch.local.reported = branch.local.whole;
    paths_.pack(branch);
  }
  if (top > 0)
    paths_.fork_at_node(thread.path(), fork_below(branches, top));
}
