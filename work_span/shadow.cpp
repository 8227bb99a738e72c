#include "work_span/shadow.hpp"

#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "trace/inline_info.hpp"
#include "work_span/code/template_code.hpp"
#include "work_span/code/wait_code.hpp"
#include "work_span/log/log_reader.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/order/turns.hpp"
#include "work_span/runtimes/annotated_tasks.hpp"
#include "work_span/runtimes/hooks.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/runtimes/routine_class_table.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/work_counters.hpp"

namespace shadow {

namespace {

Lazy<LogMemory> log_memory{"cilkshadow.log"};

} // namespace

void start(const Settings& settings) {
  new (state) State(settings);
  state->latest_of.resize(VG_N_THREADS);
  routine_classes = create<RoutineClassTable>("cilkshadow.classes");
  inline_info::want(); // needed by SiteTable
  turns::waits_ahead = wait_code::waits_ahead;
  locks::section_begins = work_counters::acquired;
  locks::section_waits = work_counters::waits;
  collect(settings.is_toggle == nullptr);
  if (settings.dag) {
    const auto call_at = [](SiteId id) {
      const Site& site = state->sites[id];
      return CallPaths::Call{site.caller.routine,
                             site.loop != nullptr ? RoutineId::none : site.callee, site.in};
    };
    state->dag = create<DagRecorder>("cilkshadow.dag", call_at, settings.dag_strands);
    state->engine.record(*state->dag);
  }
}

bool routine_may_wait(RoutineId routine) {
  return routine != RoutineId::none && routine != RoutineId::stub &&
         !(state->settings.is_toggle != nullptr && state->settings.is_toggle(routine)) &&
         is_plain(routine_classes->of(routine)) && !template_code::has_libtbb();
}
bool code_may_wait(GuestAddr address) {
  const char* name;
  // Code without a symbol is not looked up: that would make a routine of each block.
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), address, &name))
    return RoutineClassTable::is_plain_without_name(address) && !template_code::has_libtbb();
  return routine_may_wait(routines->containing(address));
}

namespace {

// The thread is gone: removes it from what the core's threads ran last.
void forget_latest(const Thread* gone) {
  for (Thread*& latest : state->latest_of)
    if (latest == gone)
      latest = nullptr;
}

// The thread's pending activations end. All of its work must be accounted.
void forget_toggles(Thread& thread) {
  const u64 before = state->collection.pending;
  for (Frame& frame : thread.frames) {
    state->collection.pending -= frame.collects;
    frame.collects = false;
  }
  if (before > 0 && state->collection.pending == 0)
    collect(false);
}

} // namespace

void forget_thread(Thread& gone) {
  forget_hooks(gone);
  forget_toggles(gone);
  spin_waits::forget(gone);
  state->engine.abandon(gone.span);
  gone.span = nullptr;
  gone.frames.clear();
  gone.activations.clear();
  forget_latest(&gone);
}

event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come) {
  return read_log(*state, *log_memory, calls, event, end, more_come);
}

namespace {

// Brings all numbers up to date. Call before results are taken.
void account_all() {
  account();
  if (const LogMemory* used = log_memory.if_used())
    count_repeats(*state, *used);
}

} // namespace

void restart(u64 threads_before) {
  account_all();
  state->engine.restart();
  for (u32 i = 0; i < state->sites.size(); i++)
    state->sites[SiteId{i}].spawned = 0;
  forget_totals();
  state->mistakes = {};
  state->overhead = 0;
  state->on_way_before = on_way_now();
  state->threads_before = threads_before;
  named_regions::restart();
}

namespace {

WorkSpan& accounted_engine() {
  account_all();
  return state->engine;
}

} // namespace

WorkSpan::Results finish_and_take() { return accounted_engine().finish_and_take(); }
WorkSpan::Results measure_so_far() { return accounted_engine().results_so_far(); }

Thread* start_thread(ThreadIndex thread) {
  Thread* creator = state->running;
  account();
  SpanThread* span = state->engine.start_thread(creator == nullptr ? nullptr : creator->span);
  auto* made = create<Thread>("cilkshadow.thread", span, thread);
  if (creator != nullptr && creator->client != thread) // neither a signal handler nor a coroutine
    made->outside = creator->outside;
  state->threads = std::max<u64>(state->threads, index(thread));
  return made;
}

void end_thread(Thread* thread) {
  account();
  forget_toggles(*thread);
  forget_hooks(*thread);
  state->engine.paths().drop(thread->atomic.arrived);
  annotated_tasks::before_end(*thread);
  named_regions::before_end(*thread);
  spin_waits::before_end(*thread);
  state->regions.abandon_all(*thread->span);
  for (const Frame& frame : thread->frames)
    state->mistakes.abandoned += frame.task;
  state->engine.end_thread(*thread->span);
  // A coroutine or a signal handler ends: what its client thread does next comes after it.
  Thread* by = state->running;
  if (by != nullptr && by != thread && by->client == thread->client)
    state->engine.join_thread(*by->span, thread->span);
  else
    thread_edges::keep_ended(*thread);
  forget_latest(thread);
  if (state->running == thread)
    state->running = nullptr;
  destroy(thread);
}

namespace {

// Makes `to` the running thread. Returns what the core's thread ran before; null if that is the
// same, or gone.
Thread* run_instead(Thread* to) {
  account();
  state->running = to;
  if (state->dag != nullptr)
    state->dag->runs(index(to->client));
  Thread* const before = std::exchange(state->latest_of[VG_(get_running_tid)()], to);
  return before == to ? nullptr : before;
}

void comes_after(Thread& to, Thread& before) {
  PathPoint point = state->engine.publish(*before.span);
  state->engine.observe(*to.span, point);
}

void has_begun(Thread& thread) {
  if (!std::exchange(thread.pthread.begun, true))
    thread_edges::begins(thread);
}

} // namespace

void switch_thread(Thread* to) {
  if (Thread* before = run_instead(to))
    comes_after(*to, *before);
  has_begun(*to);
}

void begin_signal_handler(Thread* handler) {
  if (Thread* interrupted = run_instead(handler))
    state->engine.go_on_from(*handler->span, *interrupted->span);
  has_begun(*handler);
}

void end_signal_handler(Thread* interrupted) {
  if (Thread* handler = run_instead(interrupted)) {
    comes_after(*interrupted, *handler);
    state->engine.hand_over_work(*interrupted->span, *handler->span);
  }
}

void cut_off(Thread* thread) {
  account();
  forget_toggles(*thread);
  named_regions::before_end(*thread);
  thread->activations.clear();
  while (!thread->frames.empty()) {
    const Frame frame = thread->frames.back();
    if (frame.is_on_engine())
      state->engine.return_from_top(*thread->span);
    thread->pop_frame();
    if (frame.task)
      tasks::end_current(*thread);
  }
  forget_hooks(*thread);
}

} // namespace shadow
