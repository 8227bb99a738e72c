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
      s.dag->add_overhead(*thread->span->dag, amount);
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

void account() {
  event_log::flush();
  account_running(*state);
  state->in_program = false;
}

void account_as_overhead(u64 amount) {
  amount = std::min(amount, unaccounted());
  state->accounted += amount;
  state->overhead += amount;
}

} // namespace shadow
