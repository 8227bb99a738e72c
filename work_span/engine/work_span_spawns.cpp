// Spawned children: those that are waited for together, those that turn out to be none, and scopes.
#include "base/check.hpp"
#include "work_span/engine/work_span_fast.hpp"

#include <utility>

using State = Branch::State;

[[gnu::noinline]] void WorkSpan::wait_for_inner(SpanThread& thread) { wait_for_child(thread); }

// Merges the latest two kept children.
void WorkSpan::unite_kept(SpanThread& thread) {
  const Fork latest(thread.path());
  const Fork kept(latest.before); // continues with `latest`
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
