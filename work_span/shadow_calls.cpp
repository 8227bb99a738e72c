// The calls, returns and markers of threads.
#include "trace/loops/loop.hpp"
#include "work_span/log/engine_driver.hpp"
#include "work_span/runtimes/annotated_tasks.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/hooks.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/runtimes/routine_class_table.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/shadow.hpp"

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

// The program calls a routine of its own, or of the system on its behalf.
void begin_plain_call(State& s, const SiteTable::Known& call) {
  ThreadDriver driver(s, *s.running);
  driver.before_call(call.site);
  const bool body = divided_loops::is_body(*s.running, call.callee, call.callee_class, 0);
  driver.enter(call.site, call.callee);
  if (body) [[unlikely]]
    divided_loops::body_begins(*s.running);
}

// Whether the hook of a call applies to the program. What a run-time library calls for itself
// orders nothing except as the library's own hooks say. At a thread's exit, however, the C++
// library notifies on behalf of the program.
bool is_for_program(const Thread& thread) {
  return !thread.is_hidden() || (thread.pthread.notifies_at_exit && thread.span->frames.empty());
}

// Returns the program's routine that runs in the thread, as the caller at `site`. A task that the
// program has announced begins and ends within a routine, which is not among the task's own frames.
Caller caller_at(const Thread& thread, GuestAddr site) {
  const SpanThread* span = thread.span;
  for (std::size_t i = thread.tasks.annotated.size(); span->frames.empty() && i-- > 0;)
    span = thread.tasks.annotated[i].interrupted;
  return span->frames.empty() ? Caller{} : Caller{span->frames.back().routine, site};
}

// What the instructions of a hidden routine are, called by the top frame.
u8 kind_of(RoutineId routine, const Thread& caller) {
  const OverheadKind own = routine_classes->overhead_of(routine);
  return static_cast<u8>(own != OverheadKind::none ? own : caller.overhead());
}

// A call from or to a run-time library, or by a template's code.
void begin_other_call(Thread& thread, RoutineId routine, RoutineClass c, GuestAddr site) {
  state->in_program = false;
  const bool below_hidden = thread.is_hidden();
  const bool below_template = !thread.frames.empty() && thread.frames.back().transparent;
  const Hook* hook = is_for_program(thread) ? routine_classes->hook_of(routine) : nullptr;
  if (!thread.frames.empty())
    thread.frames.back().spins = false;
  const bool task = below_hidden && is_visible(c, true) && task_begins(thread, routine);
  const bool body = !below_hidden && divided_loops::is_body(thread, routine, c, site);
  const bool transparent = c == RoutineClass::templates && !task && !body;
  if (transparent || !is_visible(c, below_hidden)) {
    const bool leaves = !below_hidden && !below_template;
    if (leaves)
      thread.outside_before.push_back(std::exchange(thread.outside, caller_at(thread, site)));
    thread.frames.push_back({.hidden = !transparent,
                             .hooked = hook != nullptr,
                             .in_libtbb = c == RoutineClass::libtbb,
                             .transparent = transparent,
                             .leaves = leaves,
                             .kind = transparent ? u8{0} : kind_of(routine, thread)});
    if (hook != nullptr) {
      if (state->regions.in_spawn(*thread.span)) {
        const CallOrigin origin = state->sites.find(thread.outside, routine, c).origin();
        state->regions.before_order(*thread.span, origin);
      }
      hook_entered(thread, *hook, routine);
    }
    return;
  }
  const Caller by = below_hidden || below_template ? thread.outside : caller_at(thread, site);
  const SiteId id = state->sites.find(by, routine, c).site;
  state->sites[id].spawned += task && thread.tasks.current->span != nullptr;
  thread.frames.push_back({.task = task});
  state->engine.call(*thread.span, id, routine);
  if (task)
    divided_loops::task_begins(thread, routine);
  else if (body)
    divided_loops::body_begins(thread);
}

// Returns the call site, if the program calls the routine and has recently done so from there;
// otherwise null.
const SiteTable::Known* known_call(State& s, RoutineId routine, GuestAddr site) {
  return s.in_program ? s.sites.known({s.running->span->frames.back().routine, site}, routine)
                      : nullptr;
}

[[gnu::noinline]] void begin_new_call(State& s, RoutineId routine, GuestAddr site) {
  Thread& thread = *s.running;
  const RoutineClass c = routine_classes->of(routine);
  const bool by_program = !thread.frames.empty() && thread.frames.back().is_on_engine();
  if (by_program && is_plain(c))
    begin_plain_call(s, s.sites.find(caller_at(thread, site), routine, c));
  else
    begin_other_call(thread, routine, c, site);
}

Invocation returned_last;

// What a frame that is not on the engine has measured since it began. Its run-time library may have
// continued with another path.
Invocation since(const Activation& activation) {
  const Span now = activation.span->path().lengths.span;
  return {.work = activation.span->work - activation.work,
          .span = now < activation.path ? 0 : now - activation.path};
}

[[gnu::noinline]] void end_hidden_call(Thread& thread) {
  if (thread.frames.back().hooked)
    hook_returns(thread);
  thread.pop_frame();
  if (state->settings.invocations)
    returned_last = since(thread.activations.back());
}

// A routine of the program returns, or one of the system that it has called.
Invocation end_plain_call(State& s) {
  Thread& thread = *s.running;
  const bool is_task = thread.frames.back().task;
  const Invocation returned = ThreadDriver(s, thread).leave();
  if (is_task) [[unlikely]]
    tasks::end_current(thread);
  return returned;
}

[[gnu::noinline]] const Invocation* return_elsewhere(State& s) {
  Thread& thread = *s.running;
  if (!thread.tasks.annotated.empty())
    annotated_tasks::before_return(thread);
  if (thread.frames.back().is_on_engine())
    returned_last = end_plain_call(s);
  else
    end_hidden_call(thread);
  if (!s.settings.invocations)
    return nullptr;
  thread.activations.pop_back();
  return &returned_last;
}

void end_toggle(State& s) {
  if (--s.collection.pending == 0)
    collect(false);
}

} // namespace

void call(RoutineId routine, GuestAddr site) {
  State& s = *state;
  account_running(s);
  const bool is_toggle = s.settings.is_toggle != nullptr && s.settings.is_toggle(routine);
  if (is_toggle && s.collection.pending++ == 0)
    collect(true);
  const SiteTable::Known* known = known_call(s, routine, site);
  if (known != nullptr && is_plain(known->callee_class)) [[likely]]
    begin_plain_call(s, *known);
  else
    begin_new_call(s, routine, site);
  if (is_toggle) [[unlikely]]
    s.running->frames.back().collects = true;
  if (s.settings.invocations) [[unlikely]] {
    const SpanThread& span = *s.running->span;
    s.running->activations.push_back(
        {&span, span.work, span.path().lengths.span, span.frames.size() - 1});
  }
}

const Invocation* return_() {
  State& s = *state;
  account_running(s);
  if (s.running->frames.back().has_region) [[unlikely]]
    named_regions::before_return(*s.running);
  if (s.running->frames.back().collects) [[unlikely]]
    end_toggle(s);
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

Vector<Invocation> measure_pending(const Thread& thread) {
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
  account_running(s, s.settings.by_instruction && s.collection.is_on ? since : 0);
  if (s.in_program)
    ThreadDriver(s, *s.running).marker(kind, location);
  else if (!s.running->is_hidden())
    s.regions.marker(*s.running->span, kind, location);
}

namespace {

// Calls f(driver) if the program's routine runs.
template <typename F> void drive_in(RoutineId routine, F f) {
  State& s = *state;
  account_running(s);
  Thread& thread = *s.running;
  if (thread.is_in_program() && thread.span->frames.back().routine == routine)
    f(ThreadDriver(s, thread));
}

} // namespace

void in_loop(const Loop* innermost, RoutineId routine) {
  drive_in(routine, [&](ThreadDriver driver) { driver.in_loop(innermost); });
}
void at_condition(const Loop& of) {
  drive_in(of.routine, [&](ThreadDriver driver) { driver.at_condition(of); });
}

void iteration(const Loop& of) {
  drive_in(of.routine, [&](ThreadDriver driver) { driver.iteration(of); });
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
