#include "work_span/shadow.hpp"

#include "trace/call_events.hpp"
#include "trace/inline_info.hpp"
#include "work_span/annotations.hpp"
#include "work_span/code/template_code.hpp"
#include "work_span/log/usual_events.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/runtimes/hooks.hpp"
#include "work_span/runtimes/routine_classes.hpp"
#include "work_span/runtimes/tasks.hpp"

namespace shadow {

namespace {

bool is_visible(RoutineClass c, bool below_hidden) {
  switch (c) {
  case RoutineClass::program:
  case RoutineClass::templates:
  case RoutineClass::cleanup: return true;
  case RoutineClass::system:
  case RoutineClass::system_cleanup: return !below_hidden;
  default: return false;
  }
}

} // namespace

void start(const Settings& settings) {
  new (state) State(settings);
  state->latest_of.resize(VG_N_THREADS);
  routine_classes = create<RoutineClasses>("cilkshadow.classes");
  inline_info::want(); // for SiteTable
}

bool routine_may_wait(RoutineId routine) {
  return routine != RoutineId::none && routine != RoutineId::stub &&
         is_plain(routine_classes->of(routine)) && !template_code::has_libtbb();
}
bool code_may_wait(GuestAddr address) {
  const char* name;
  if (!VG_(get_fnname)(VG_(current_DiEpoch)(), address, &name)) // not to number each block of it
    return RoutineClasses::is_plain_without_name(address) && !template_code::has_libtbb();
  return routine_may_wait(routines->containing(address));
}

namespace {

// It is no longer what its thread of the core ran last.
void forget_latest(const Thread* gone) {
  for (Thread*& latest : state->latest_of)
    if (latest == gone)
      latest = nullptr;
}

} // namespace

void forget_thread(Thread& gone) {
  forget_hooks(gone);
  spin_waits::forget(gone);
  state->engine.abandon(gone.span);
  gone.span = nullptr;
  gone.frames.clear();
  gone.activations.clear();
  forget_latest(&gone);
}

void restart(u64 threads_before) {
  account();
  count_summaries();
  state->engine.restart();
  for (u32 i = 0; i < state->sites.size(); i++)
    state->sites[SiteId{i}].spawned = 0;
  forget_totals();
  state->mistakes = {};
  state->overhead = 0;
  state->on_way_before = *state->settings.on_way_to_binder;
  state->threads_before = threads_before;
}

namespace {

WorkSpan& accounted_engine() {
  account();
  count_summaries();
  return state->engine;
}

} // namespace

WorkSpan::Results finish_and_take() { return accounted_engine().finish_and_take(); }
WorkSpan::Results results_so_far() { return accounted_engine().results_so_far(); }

Thread* start_thread(ThreadIndex thread) {
  Thread* creator = state->running;
  account();
  SpanThread* span = state->engine.start_thread(creator == nullptr ? nullptr : creator->span);
  auto* made = create<Thread>("cilkshadow.thread", span, thread);
  if (creator != nullptr)
    made->site = creator->site;
  state->threads = std::max<u64>(state->threads, index(thread));
  return made;
}

void end_thread(Thread* thread) {
  account();
  forget_hooks(*thread);
  state->engine.paths().drop(thread->atomic.arrived);
  annotations::before_end(*thread);
  spin_waits::before_end(*thread);
  state->regions.abandon_all(*thread->span);
  for (const Frame& frame : thread->frames)
    state->mistakes.abandoned += frame.task;
  state->engine.end_thread(*thread->span);
  // A coroutine's stack or a handler's: what its thread does next comes after.
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

// What its thread of the core ran before; null if that was the same, or has gone.
Thread* run_instead(Thread* to) {
  account();
  state->running = to;
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
  thread->activations.clear();
  while (!thread->frames.empty()) {
    const Frame frame = thread->frames.back();
    if (frame.is_on_engine())
      state->engine.return_from_top(*thread->span);
    thread->frames.pop_back();
    if (frame.task)
      tasks::end_current(*thread);
  }
  forget_hooks(*thread);
}

namespace {

// By the program, of the program or of the system on its behalf.
void begin_plain_call(State& s, const SiteTable::Known& call) {
  Thread& thread = *s.running;
  SpanThread& span = *thread.span;
  if (s.regions.in_spawn(span)) [[unlikely]]
    s.sites[call.site].spawned += s.regions.before_call(span, call.origin());
  thread.frames.push_back({});
  s.engine.call(span, call.site, call.callee);
}

// What a run-time library uses itself orders nothing that it does not say itself; but what the
// thread has left to the libraries to do when its routines are through is the program's.
bool is_for_program(const Thread& thread) {
  return !thread.is_hidden() || (thread.pthread.notifies_at_exit && thread.span->frames.empty());
}

// With a run-time library or a template's code on one side.
void begin_other_call(Thread& thread, RoutineId routine, RoutineClass c, GuestAddr site) {
  state->in_program = false;
  const bool below_hidden = thread.is_hidden();
  const bool below_template = !thread.frames.empty() && thread.frames.back().transparent;
  const Hook* hook = is_for_program(thread) ? routine_classes->hook_of(routine) : nullptr;
  const bool task = below_hidden && is_visible(c, true) && task_begins(thread, routine);
  const bool transparent = c == RoutineClass::templates && !task;
  if (transparent || !is_visible(c, below_hidden)) {
    if (!below_hidden && !below_template)
      thread.site = site;
    thread.frames.push_back({.hidden = !transparent,
                             .hooked = hook != nullptr,
                             .in_libtbb = c == RoutineClass::libtbb,
                             .transparent = transparent});
    if (hook != nullptr) {
      if (state->regions.in_spawn(*thread.span)) {
        const CallOrigin origin = state->sites.find(thread.site, routine, c).origin();
        state->regions.before_order(*thread.span, origin);
      }
      hook_entered(thread, *hook, routine);
    }
    return;
  }
  const GuestAddr by = below_hidden || below_template ? thread.site : site;
  const SiteId id = state->sites.find(by, routine, c).site;
  state->sites[id].spawned += task && thread.tasks.current->span != nullptr;
  thread.frames.push_back({.task = task});
  state->engine.call(*thread.span, id, routine);
}

// By the program, from a place that has called the routine lately; otherwise null.
const SiteTable::Known* known_call(State& s, RoutineId routine, GuestAddr site) {
  return s.in_program ? s.sites.known(site, routine) : nullptr;
}

[[gnu::noinline]] void begin_new_call(State& s, RoutineId routine, GuestAddr site) {
  Thread& thread = *s.running;
  const RoutineClass c = routine_classes->of(routine);
  const bool by_program = !thread.frames.empty() && thread.frames.back().is_on_engine();
  if (by_program && is_plain(c))
    begin_plain_call(s, s.sites.find(site, routine, c));
  else
    begin_other_call(thread, routine, c, site);
}

Invocation returned_last;

// Of a frame that is none of the engine. Its run-time library may have gone on with another path.
Invocation since(const Activation& activation) {
  const Span now = activation.span->path().lengths.span;
  return {.work = activation.span->work - activation.work,
          .span = now < activation.path ? 0 : now - activation.path};
}

[[gnu::noinline]] void end_hidden_call(Thread& thread) {
  if (thread.frames.back().hooked)
    hook_returns(thread);
  thread.frames.pop_back();
  if (state->settings.invocations)
    returned_last = since(thread.activations.back());
}

// Of the program, or of the system on its behalf.
Invocation end_plain_call(State& s) {
  Thread& thread = *s.running;
  SpanThread& span = *thread.span;
  if (s.regions.is_in_region(span)) [[unlikely]]
    s.regions.before_return(span);
  const Invocation returned = s.engine.return_from_top(span);
  const Frame frame = thread.frames.back();
  thread.frames.pop_back();
  if (frame.task) [[unlikely]] {
    s.in_program = false;
    tasks::end_current(thread);
    return returned;
  }
  if (s.regions.in_spawn(span) && !thread.is_hidden())
    s.regions.after_return(span);
  if (thread.frames.empty() || !thread.frames.back().is_on_engine() || span.frames.empty())
      [[unlikely]]
    s.in_program = false;
  return returned;
}

[[gnu::noinline]] const Invocation* return_elsewhere(State& s) {
  Thread& thread = *s.running;
  if (!thread.tasks.annotated.empty())
    annotations::before_return(thread);
  if (thread.frames.back().is_on_engine())
    returned_last = end_plain_call(s);
  else
    end_hidden_call(thread);
  if (!s.settings.invocations)
    return nullptr;
  thread.activations.pop_back();
  return &returned_last;
}

} // namespace

void call(RoutineId routine, GuestAddr site) {
  State& s = *state;
  account_running(s);
  const SiteTable::Known* known = known_call(s, routine, site);
  if (known != nullptr && is_plain(known->callee_class)) [[likely]]
    begin_plain_call(s, *known);
  else
    begin_new_call(s, routine, site);
  if (s.settings.invocations) [[unlikely]] {
    const SpanThread& span = *s.running->span;
    s.running->activations.push_back(
        {&span, span.work, span.path().lengths.span, span.frames.size() - 1});
  }
}

const Invocation* return_() {
  State& s = *state;
  account_running(s);
  if (!s.in_program) [[unlikely]]
    return return_elsewhere(s);
  end_plain_call(s);
  return nullptr;
}

void unwind() {
  account();
  const Thread& thread = *state->running;
  if (thread.frames.empty())
    return;
  if (thread.frames.back().is_on_engine())
    state->regions.before_unwinding(*thread.span);
  if (thread.frames.back().hooked)
    thread.hooked_calls.back()->left = true;
  if (thread.frames.back().task)
    thread.tasks.current->left = true;
}

void leave_tail_call() {
  account();
  const Thread& thread = *state->running;
  if (!thread.frames.empty() && thread.frames.back().is_on_engine())
    state->regions.before_tail_return(*thread.span);
}

Vector<Invocation> so_far(const Thread& thread) {
  account();
  Vector<Invocation> pending("cilkshadow.pending");
  for (std::size_t i = 0; i < thread.activations.size(); i++) {
    const Activation& activation = thread.activations[i];
    const bool on_engine = thread.frames[i].is_on_engine();
    pending.push_back(on_engine ? state->engine.so_far(*activation.span, activation.frame)
                                : since(activation));
  }
  return pending;
}

void marker(u32 kind, SourceLocation location, u32 since) {
  State& s = *state;
  account_running(s, s.settings.by_instruction ? since : 0);
  if (s.in_program && kind == static_cast<u32>(Marker::sync))
    s.regions.sync(*s.running->span);
  else if (!s.running->is_hidden())
    s.regions.marker(*s.running->span, kind, location);
}

void suspend() {
  account();
  state->running->suspended = true;
}

void resume() {
  account();
  state->running->suspended = false;
}

} // namespace shadow
