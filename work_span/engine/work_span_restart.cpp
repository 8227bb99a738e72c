// Results while the program runs, and restarting from zero.
#include "work_span/engine/work_span.hpp"

#include <utility>

WorkSpan::Results WorkSpan::finish_and_take() {
  finish();
  return {totals_, std::move(on_work_), std::move(on_span_), std::move(spreads_)};
}

// Everything pending returns in copies of the threads; the threads themselves continue.
WorkSpan::Results WorkSpan::results_so_far() {
  const Totals totals = totals_;
  Vector<Measures> on_work("cilkshadow.on_work");
  copy(on_work, on_work_);
  Vector<LoopSpread> spreads("cilkshadow.spreads");
  copy(spreads, spreads_);
  Vector<SpanThread*> threads = std::move(threads_);
  for (SpanThread* thread : threads) {
    if (thread->dag != nullptr)
      dag_->record(*thread->dag, thread->work);
    threads_.push_back(copy_of(*thread));
  }
  Results results = finish_and_take();
  totals_ = totals;
  on_work_ = std::move(on_work);
  spreads_ = std::move(spreads);
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
  put_in_nodes(thread);
  report_local(thread);
  made->linked = share(link_frames(thread));
  copy(made->frames, thread.frames);
  for (Branch& branch : thread.branches) {
    PathPoint end = paths_.freeze(branch);
    Branch& copied = made->branches.emplace_back();
    static_cast<Path&>(copied) = paths_.begin(end);
    copied.state = branch.state;
    copied.local = branch.local;
  }
  copy(made->scopes, thread.scopes);
  copy(made->loops, thread.loops);
  return made;
}

// All paths continue from the greatest length so far, so that no earlier point is on a longer path.
void WorkSpan::restart() {
  Path longest;
  longest.lengths = start_;
  longest.lengths += results_so_far().totals.lengths;
  start_ = longest.lengths;
  PathPoint start = paths_.end(longest);
  for (SpanThread* thread : threads_)
    restart(*thread, start);
  if (dag_ != nullptr)
    dag_->restart();
  paths_.drop(start);
  totals_ = {};
  for (Measures& measures : on_work_)
    measures = {};
  for (LoopSpread& spread : spreads_)
    spread = {};
}

void WorkSpan::restart(SpanThread& thread, const PathPoint& start) {
  thread.work = 0;
  if (thread.end.node != nullptr) {
    const StrandId strand = std::exchange(thread.end.strand, {});
    paths_.drop(thread.end);
    thread.end = paths_.copy(start);
    thread.end.strand = strand;
    return;
  }
  for (SpanFrame& frame : thread.frames) {
    frame.work_at_entry = frame.callees = 0;
    frame.span_at_entry = start.lengths.span;
    frame.burdened_at_entry = start.lengths.burdened;
    frame.local = {};
  }
  for (LoopFrame& loop : thread.loops) {
    loop.work_at_entry = loop.own_at_entry = loop.inner = loop.iteration_from = 0;
    loop.span_at_entry = start.lengths.span;
  }
  for (OpenRegion& region : thread.regions)
    region.local = 0;
  for (Branch& branch : thread.branches) {
    branch.local = {};
    branch.burden = 0;
    paths_.drop(branch);
    PathPoint copy = paths_.copy(start);
    static_cast<Path&>(branch) = paths_.begin(copy);
  }
}

void WorkSpan::abandon(SpanThread* thread) {
  for (Branch& branch : thread->branches)
    paths_.drop(branch);
  paths_.drop(thread->end);
  if (thread->dag != nullptr)
    dag_->abandon(thread->dag);
  forget_pending(*thread);
  free_thread(thread);
}
