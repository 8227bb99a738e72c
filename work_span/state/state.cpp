#include "work_span/state/state.hpp"

namespace shadow {

namespace {
alignas(State) u8 state_memory[sizeof(State)];
}
State* const state = reinterpret_cast<State*>(state_memory);

void account_elsewhere(State& s, Work amount) {
  Thread* thread = s.running;
  if (thread == nullptr || thread->is_hidden() || thread->is_idle() ||
      thread->span->frames.empty()) {
    s.overhead += amount;
    if (s.dag != nullptr && thread != nullptr && thread->span != nullptr &&
        !thread->span->frames.empty())
      s.dag->add_overhead(*thread->span->dag, thread->overhead(), amount);
    return;
  }
  s.engine.work_of_top(*thread->span, amount);
  s.in_program = thread->frames.back().is_on_engine() && thread->tasks.annotated.empty() &&
                 !s.settings.invocations;
}

void flush_log() {
  event_log::flush();
  state->in_program = false;
}

namespace {

u64 not_attributed(const State& s) {
  return s.collection.is_on ? 0 : *s.settings.clock - s.collection.attributed;
}

void attribute_unmeasured(State& s) {
  if (s.running != nullptr && s.running->span != nullptr)
    s.running->span->unmeasured += not_attributed(s);
  s.collection.attributed = *s.settings.clock;
}

} // namespace

void account() {
  event_log::flush();
  account_running(*state);
  if (!state->collection.is_on) [[unlikely]]
    attribute_unmeasured(*state);
  state->in_program = false;
}

u64 executed_by(const Thread& running) {
  return running.span->work + unaccounted() + running.span->unmeasured + not_attributed(*state);
}

void account_as_overhead(u64 amount) {
  amount = std::min(amount, unaccounted());
  state->accounted += amount;
  state->overhead += amount;
}

void collect(bool on) {
  State& s = *state;
  Collection& of = s.collection;
  if (on == of.is_on)
    return;
  attribute_unmeasured(s);
  of.is_on = on;
  s.engine.set_burden(on ? s.settings.engine.burden : 0);
  const u64 on_way = *s.settings.on_way_to_binder;
  if (on) {
    s.clock = s.settings.clock;
    s.accounted = *s.clock;
    s.accounted_not_work = *s.settings.not_work;
    s.on_way_before += on_way - of.on_way;
  } else {
    of.clock = *s.settings.clock;
    of.on_way = on_way;
    s.clock = &of.clock;
  }
}

} // namespace shadow
