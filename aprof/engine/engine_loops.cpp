// Executions of loops, and iterations of those that are no leaves, are entries of the shadow stack
// as activations are, above their routine's. Each has a timestamp, so Figure 11 counts their input
// sizes with no change.
#include "aprof/engine/engine_fast.hpp"
#include "aprof/profile/loop_record.hpp"
#include "trace/loops/loop.hpp"

// Whether what runs is code of the routine's activation on top, not of one that continues below.
bool Engine::runs(RoutineId routine) const {
  return top_->record != nullptr && top_->record->routine == routine;
}

void Engine::loop(const Loop& loop) {
  if (!runs(loop.routine))
    return;
  if (top_->loop != &loop) {
    end_loops_around(&loop);
    if (top_->loop != &loop)
      return begin_loops(loop, false);
  }
  if (top_->is_iteration)
    next_iteration();
  else if (!loop.leaf)
    begin_iteration();
}

void Engine::in_loop(const Loop* innermost, RoutineId routine) {
  if (!runs(routine))
    return;
  end_loops_around(innermost);
  if (innermost != nullptr && top_->loop != innermost)
    begin_loops(*innermost, true);
}

void Engine::end_loops_around(const Loop* innermost) {
  while (top_->is_loop() && !top_->loop->contains(innermost))
    end_loop();
}

// With those around it that do not run yet, as where control has entered them elsewhere than at the
// header. `in_body`: beyond where iterations are counted.
void Engine::begin_loops(const Loop& innermost, bool in_body) {
  if (innermost.parent != nullptr) {
    if (top_->loop != innermost.parent)
      begin_loops(*innermost.parent, true);
    top_->trips |= top_->is_iteration; // where its body begins with a loop
  }
  top_->record->loop(innermost); // so that it is known while it is pending
  push_loop(innermost);
  if (!innermost.leaf)
    begin_iteration();
  top_->trips = in_body;
}

void Engine::push_loop(const Loop& loop) {
  RoutineRecord* const record = top_->record;
  tick();
  top_ = &current_->stack.push(now_, record, *options_.clock - started_);
  top_ts_ = now_;
  top_->loop = &loop;
  top_->trips = 0;
  top_->iterations_rms = 0;
  top_->rms_before = 0;
}

void Engine::begin_iteration() {
  const i64 rms_before = top_->rms;
  push_loop(*top_->loop);
  top_->is_iteration = true;
  top_->rms_before = rms_before;
}

// The entry of one serves the next.
void Engine::next_iteration() {
  merge_iteration();
  tick();
  Activation& iteration = *top_;
  iteration.ts = now_;
  top_ts_ = now_;
  iteration.rms = 0;
  iteration.surplus = 0;
  iteration.induced = 0;
  iteration.induced_by_kernel = 0;
  iteration.at_entry = *options_.clock - started_;
  iteration.children = {};
  iteration.trips = 0;
  iteration.callees_rms = 0;
  iteration.rms_before = top_[-1].rms;
}

void Engine::end_iteration() {
  merge_iteration();
  pop_merged();
}

// One that has not been counted saw only the loop's condition.
void Engine::merge_iteration() {
  merge_top();
  const Activation& iteration = *top_;
  if (iteration.trips == 0)
    return;
  Activation& execution = top_[-1];
  const auto rms = static_cast<u64>(iteration.rms);
  execution.trips++;
  execution.iterations_rms += rms;
  if (iteration.record != nullptr)
    iteration.record->loop(*iteration.loop)
        .add_iteration(
            {execution.trips, rms, static_cast<u64>(execution.rms - iteration.rms_before)},
            *options_.clock - started_ - iteration.at_entry);
}

void Engine::end_loop() {
  if (top_->is_iteration)
    end_iteration();
  const Activation& top = *top_;
  if (top.record != nullptr && top.trips > 0) {
    CHECK(top.rms >= 0 && top.surplus >= 0);
    const Costs inclusive = *options_.clock - started_ - top.at_entry;
    const Sample sample{.induced_by_thread = top.induced_by_thread(),
                        .induced_by_kernel = top.induced_by_kernel,
                        .inclusive = without_work_span(inclusive),
                        .self = without_work_span(inclusive - top.children),
                        .children_rms = top.iterations_rms};
    top.record->loop(*top.loop).add(
        {static_cast<u64>(top.rms), static_cast<u64>(top.rms + top.surplus), top.trips}, sample);
  }
  merge_top();
  pop_merged();
}

// What an entry of a loop found is also that of the entry below.
void Engine::merge_top() {
  const Activation& top = *top_;
  Activation& below = top_[-1];
  below.rms += top.rms;
  below.surplus += top.surplus;
  below.induced += top.induced;
  below.induced_by_kernel += top.induced_by_kernel;
  below.children += top.children;
  below.callees_rms += top.callees_rms;
}

void Engine::pop_merged() {
  top_--;
  top_ts_ = top_->ts;
  current_->stack.pop();
}
