// The hot half of the engine's loops: a loop begins, iterates or ends directly within its routine
// or an outer loop. Inlined into the helpers that translated code calls.
#pragma once

#include "aprof/engine/engine_fast.hpp"
#include "aprof/profile/loop_record.hpp"
#include "aprof/profile/routine_record.hpp"

// Pushes an execution of the loop, and sets the fields that a push leaves uninitialised.
[[gnu::always_inline]] inline void Engine::push_loop(const Loop& loop, LoopRecord* with) {
  take_leaf_trips();
  RoutineRecord* const of_routine = top_->record;
  now_ = now_.next();
  top_ = &current_->stack.push(now_, of_routine, *options_.clock - started_);
  top_ts_ = now_;
  top_->loop = &loop;
  top_->loop_record = with;
  top_->is_first_iteration = !loop.leaf;
  top_->trips = 0;
  top_->iterations_rms = 0;
}

[[gnu::always_inline]] inline bool Engine::fast_begin_loop(const Loop& loop, bool counts) {
  const Activation& below = *top_;
  LogicalThread& thread = *current_;
  if (below.loop != loop.parent || below.record == nullptr ||
      below.record->routine != loop.routine || thread.suspended || thread.stack.is_full() ||
      now_.value() >= renumber_at_ || index(loop.id) >= thread.pending_loops.size())
    return false;
  LoopRecord* const record = below.record->known_loop(loop);
  if (record == nullptr)
    return false;
  if (loop.parent != nullptr)
    top_->trips |= 1; // if its body begins with this loop
  push_loop(loop, record);
  top_->trips = counts;
  top_->outermost = thread.pending_loops[index(loop.id)]++ == 0;
  return true;
}

// The kind of the execution on top, if it ends now.
[[gnu::always_inline]] inline LoopRecord::Kind Engine::kind_of_top() const {
  using Kind = LoopRecord::Kind;
  const Activation& top = *top_;
  const unsigned event = only_event_;
  const u64 inclusive = options_.clock->of[event] - started_.of[event] - top.at_entry.of[event];
  const u64 self = inclusive - top.children.of[event];
  const auto rms = static_cast<u64>(top.rms);
  const u64 outermost = top.outermost ? Kind::kOutermost : 0;
  if (top.is_first_iteration != 0)
    return {rms, u64{top.trips != 0}, inclusive, self,
            rms << Kind::kFlags | outermost | Kind::kIsFirstIteration};
  return {rms, top.trips + leaf_trips_, inclusive, self,
          top.iterations_rms << Kind::kFlags | outermost};
}

// The execution on top ends; it must not be an iteration.
[[gnu::always_inline]] inline bool Engine::fast_end_loop() {
  Activation& top = *top_;
  Activation& below = (&top)[-1];
  RoutineRecord* const record = top.record;
  if (!has_fast_return_ || record == nullptr || top.induced != 0 || top.rms < 0 || top.is_iteration)
    return false;
  const unsigned event = only_event_;
  const i64 rms = top.rms;
  const u64 children = top.children.of[event];
  const u64 callees_rms = top.callees_rms;
  const LoopRecord::Kind kind = kind_of_top();
  LoopRecord* const of = top.loop_record;
  current_->pending_loops[index(top.loop->id)]--;
  below.rms += rms;
  below.children.of[event] += children;
  below.callees_rms += callees_rms;
  top_ = &below;
  top_ts_ = below.ts;
  current_->stack.pop();
  leaf_trips_ = 0;
  // Comes last, so that no register needs to be saved across a call.
  if (kind.iterations != 0)
    of->add(kind);
  return true;
}

// Nearly always, one loop ends, and the loop around it continues. That one may have been found in
// the meantime, in which case it is not running.
[[gnu::always_inline]] inline bool Engine::fast_in_loop(const Loop* innermost, RoutineId routine) {
  const Activation& top = *top_;
  if (top.loop == nullptr || top.record == nullptr || top.record->routine != routine ||
      current_->suspended)
    return false;
  if (top.loop->parent == innermost && (&top)[-1].loop == innermost && fast_end_loop()) [[likely]]
    return true;
  return end_loops_around(innermost);
}

// A loop begins directly within the top entry, or after other loops in the same entry.
template <bool kCounts>
[[gnu::always_inline]] inline bool Engine::fast_enter_loop(const Loop& loop) {
  const Activation& top = *top_;
  if (top.loop != loop.parent &&
      (top.loop == nullptr || loop.contains(top.loop) || !fast_in_loop(loop.parent, loop.routine)))
    return false;
  return fast_begin_loop(loop, kCounts);
}

template <bool kCounts> inline bool Engine::fast_loop(const Loop& loop) {
  if (!loop.contains(top_->loop))
    return fast_enter_loop<kCounts>(loop);
  return (top_->loop == &loop || fast_in_loop(&loop, loop.routine)) && begin_iteration(kCounts);
}

// The iteration on top has ended. If it was not counted, only the loop's condition was executed.
[[gnu::always_inline]] inline void Engine::count_iteration() {
  Activation& iteration = *top_;
  Activation& execution = (&iteration)[-1];
  const i64 rms = iteration.rms;
  iteration.rms = 0;
  execution.rms += rms;
  if (iteration.trips == 0)
    return;
  iteration.trips = 0;
  execution.trips++;
  execution.iterations_rms += static_cast<u64>(rms);
}

template <bool kCounts>
[[gnu::always_inline]] inline bool Engine::fast_next_iteration(const Loop& loop) {
  Activation& iteration = *top_;
  if (iteration.loop != &loop || !iteration.is_iteration || now_.value() >= renumber_at_)
    return false;
  if (begins_octave((&iteration)[-1].trips + 2)) // the ordinal of the iteration that begins
    return false;
  count_iteration();
  iteration.trips = kCounts;
  now_ = now_.next();
  iteration.ts = now_;
  top_ts_ = now_;
  return true;
}
