#include "work_span/engine/work_span_fast.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace {

using State = Branch::State;

} // namespace

SpanThread* WorkSpan::start_thread(SpanThread* creator) {
  auto* thread = create<SpanThread>("cilkshadow.thread");
  thread->branches.reserve(1); // enough for most threads
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
  if (by.dag != nullptr)
    dag_->has_waited(*by.dag);
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

PathPoint WorkSpan::publish(SpanThread& thread) {
  put_in_nodes(thread);
  report_local(thread);
  PathPoint point = paths_.freeze(thread.path());
  if (thread.dag != nullptr)
    point.strand = dag_->publish(*thread.dag, thread.work);
  return point;
}

void WorkSpan::observe(SpanThread& thread, PathPoint& point) {
  thread.ordered_at = std::min(thread.ordered_at, thread.work + thread.unmeasured);
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

// Ends everything that is still open in the top frame.
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
        end_spawn(thread); // its end was not seen
      keep_spawn(thread);
    }
  }
  if (frame.linked != 0)
    unlink(thread, frame.top_site || frame.outermost);
}
