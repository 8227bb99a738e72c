// Loops: executions of loops, and iterations of loops that are no leaves, are entries of the shadow
// stack, above the activation of their routine. Each has a timestamp, so Figure 11 counts their
// input sizes unchanged.
#include "aprof/engine/engine_loops_fast.hpp"

#include <utility>

// Whether the top activation is the routine's, and not one of a tail call that continues a routine
// further down.
bool Engine::runs(RoutineId routine) const {
  return top_->record != nullptr && top_->record->routine == routine;
}

// A routine may run above a leaf if code that is not known to be the leaf's has called it.
[[gnu::noinline]] void Engine::take_counted_leaf_trips() {
  const u64 trips = std::exchange(leaf_trips_, 0);
  Activation* execution = top_;
  while (!execution->is_loop())
    execution--;
  execution->trips += trips;
}

void Engine::iteration_counts(const Loop& loop) {
  if (top_->loop == &loop)
    (loop.leaf ? leaf_trips_ : top_->trips)++;
}

void Engine::loop(const Loop& loop) {
  if (!runs(loop.routine))
    return;
  take_leaf_trips();
  if (end_loops_around(&loop))
    next_iteration_of_top();
  else
    begin_loops(loop, false);
}

void Engine::next_iteration_of_top() {
  if (top_->is_iteration)
    next_iteration();
  else if (!top_->loop->leaf && top_->trips != 0)
    begin_second_iteration();
}

// The loop on top, which is no leaf, goes round.
[[gnu::noinline]] bool Engine::begin_iteration(bool counts) {
  if (top_->record == nullptr || current_->suspended)
    return false;
  take_leaf_trips();
  next_iteration_of_top();
  top_->trips += counts;
  return true;
}

void Engine::in_loop(const Loop* innermost, RoutineId routine) {
  if (!runs(routine))
    return;
  if (!end_loops_around(innermost))
    begin_loops(*innermost, true);
}

// The running loops end that `innermost`, null for none, is not in. Returns whether it is on top
// then; otherwise it is not running.
[[gnu::noinline]] bool Engine::end_loops_around(const Loop* innermost) {
  while (top_->is_loop() && !top_->loop->contains(innermost))
    end_loop();
  return top_->loop == innermost;
}

// Also begins outer loops that are not running yet, as when control enters other than at the
// header. `in_body`: control is past the code that counts iterations.
void Engine::begin_loops(const Loop& innermost, bool in_body) {
  if (innermost.parent != nullptr) {
    if (top_->loop != innermost.parent)
      begin_loops(*innermost.parent, true);
    top_->trips |= 1; // the outer body begins with this loop
  }
  LoopRecord& record = top_->record->loop(innermost);
  renumber_if_due();
  push_loop(innermost, &record);
  top_->trips = in_body;
  top_->outermost = current_->pending_of(innermost.id)++ == 0;
}

// An execution is its own first iteration until the second one begins, because often there is only
// one. A second entry then serves all other iterations. Only its RMS is that of the present
// iteration. Its other fields cover all iterations since it was pushed, and `octave` has their
// values at the beginning of the present octave.
void Engine::begin_second_iteration() {
  if (top_->is_first_iteration != 0) // false for a loop that was a leaf until now
    count_first_iteration();
  renumber_if_due();
  push_loop(*top_->loop, top_->loop_record);
  top_->is_iteration = true;
  top_->is_first_iteration = 0;
  begin_octave();
}

void Engine::count_first_iteration() {
  Activation& execution = *top_;
  const auto rms = static_cast<u64>(execution.rms);
  execution.is_first_iteration = 0;
  execution.trips = 1;
  execution.iterations_rms = rms;
  if (execution.record != nullptr)
    execution.loop_record->add_iterations(
        1, {1, rms, rms, *options_.clock - started_ - execution.at_entry});
}

void Engine::next_iteration() {
  count_iteration();
  if (octave_ends()) {
    end_octave();
    begin_octave();
  }
  tick();
  top_->ts = now_;
  top_ts_ = now_;
}

// Whether the completed iterations, at least one since the octave began, are all of their octave.
bool Engine::octave_ends() const {
  const u64 trips = top_[-1].trips;
  return trips != top_->octave.trips && begins_octave(trips + 1);
}

[[gnu::always_inline]] inline void Engine::begin_octave() {
  Activation& iteration = *top_;
  const Activation& execution = top_[-1];
  iteration.at_entry = *options_.clock - started_;
  iteration.octave = {execution.trips, execution.iterations_rms, execution.rms};
}

// A failed test of the condition since then belongs to the iteration before it.
[[gnu::always_inline]] inline void Engine::end_octave() {
  const Activation& iteration = *top_;
  const Activation& execution = top_[-1];
  const auto& [trips, iterations_rms, rms] = iteration.octave;
  if (iteration.record != nullptr)
    iteration.loop_record->add_iterations(
        execution.trips, {.iterations = execution.trips - trips,
                          .rms = execution.iterations_rms - iterations_rms,
                          .new_cells = static_cast<u64>(execution.rms - rms),
                          .cost = *options_.clock - started_ - iteration.at_entry});
}

void Engine::end_loop() {
  if (top_->is_iteration) {
    take_leaf_trips(); // of code that was translated while the loop was a leaf
    count_iteration();
    end_octave();
    merge_top();
    pop_merged();
  }
  if (fast_end_loop())
    return;
  take_leaf_trips();
  if (top_->is_first_iteration != 0 && top_->trips != 0)
    count_first_iteration();
  if (top_->record != nullptr) {
    current_->pending_loops[index(top_->loop->id)]--;
    if (top_->trips != 0)
      count_execution();
  }
  merge_top();
  pop_merged();
}

void Engine::count_execution() {
  const Activation& top = *top_;
  CHECK(top.rms >= 0 && top.surplus >= 0);
  const auto rms = static_cast<u64>(top.rms);
  const Costs inclusive = *options_.clock - started_ - top.at_entry;
  const Costs self = inclusive - top.children;
  top.loop_record->add({rms, static_cast<u64>(top.rms + top.surplus), top.trips}, top.outermost,
                       Sample{.induced_by_thread = top.induced_by_thread(),
                              .induced_by_kernel = top.induced_by_kernel,
                              .inclusive = without_work_span(inclusive),
                              .self = without_work_span(self),
                              .children_rms = top.iterations_rms});
}

// Adds what the top entry, of a loop, has found to the entry below.
[[gnu::always_inline]] inline void Engine::merge_top() {
  const Activation& top = *top_;
  Activation& below = top_[-1];
  below.rms += top.rms;
  below.surplus += top.surplus;
  below.induced += top.induced;
  below.induced_by_kernel += top.induced_by_kernel;
  below.children += top.children;
  below.callees_rms += top.callees_rms;
}

[[gnu::always_inline]] inline void Engine::pop_merged() {
  top_--;
  top_ts_ = top_->ts;
  current_->stack.pop();
}
