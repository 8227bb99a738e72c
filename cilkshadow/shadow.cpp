#include "cilkshadow/shadow.hpp"

#include "base/valgrind.hpp"
#include "cilkshadow/annotations.hpp"
#include "cilkshadow/hooks.hpp"
#include "cilkshadow/routine_classes.hpp"
#include "cilkshadow/tasks.hpp"
#include "cilkshadow/thread_edges.hpp"
#include "cilkshadow/work_span_fast.hpp"
#include "trace/call_events.hpp"

#include <algorithm>

namespace shadow {
namespace {

// All that the shadow knows.
struct State {
  explicit State(const Settings& with)
      : settings(with), engine(with.engine), regions(engine, mistakes) {}

  Settings settings;
  WorkSpan engine;
  SiteTable sites;
  RoutineClasses classes;
  CilkMistakes mistakes;
  CilkRegions regions;
  AddressMap<SourcePlace> places{"cilkshadow.places"};
  Logical* running = nullptr;
  // Its latest call and then its latest marker, while nothing has followed them: most calls return
  // before anything does, and never become a frame; most markers of spawns go with a call.
  struct {
    enum : u8 { nothing = 0, call = 1, spawn = 2 };
    u8 pending = nothing;
    SiteId site;
    RoutineId routine;
    u32 marker;
    SourcePlace place;
    Work before_marker; // since what was before them
  } late;
  Vector<Logical*> latest_of{"cilkshadow.threads"}; // by the core's thread: what it ran last
  u64 settled = 0;                                  // clock
  u64 settled_not_work = 0;
  Invocation returned; // by the latest return
  u64 overhead = 0;
  u64 on_way_before = 0; // restart
  u64 threads = 0;
  u64 threads_before = 0; // restart
};
State* state;

SourcePlace place_of(const RoutineTable::SourceLine& line) {
  return u64{line.file} << 32 | line.line;
}

SourcePlace place_of(GuestAddr address) {
  if (const SourcePlace* known = state->places.find(address))
    return *known;
  return state->places.insert(address, place_of(routines->line_of(address)));
}

// Visible from the program, and no template's code. It has no hook.
bool is_plain(RoutineClass c) {
  return RoutineClass::program <= c && c <= RoutineClass::system_cleanup;
}

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

[[gnu::always_inline]] inline void enter_late_call(State& s) {
  s.running->frames.push_back({});
  s.engine.call(*s.running->span, s.late.site, s.late.routine);
}

[[gnu::noinline]] void take_late_spawn(State& s) {
  if ((s.late.pending & s.late.call) != 0)
    enter_late_call(s);
  s.late.pending = s.late.nothing;
  SpanThread& span = *s.running->span;
  s.engine.work(span, s.late.before_marker);
  s.regions.marker(span, s.late.marker, s.late.place);
}

// What is late happens.
[[gnu::always_inline]] inline void take_late(State& s) {
  if (s.late.pending == s.late.nothing)
    return;
  if ((s.late.pending & s.late.spawn) != 0) [[unlikely]]
    return take_late_spawn(s);
  s.late.pending = s.late.nothing;
  enter_late_call(s);
}

// What has run since it was asked for last, without what is no work.
[[gnu::always_inline]] inline Work elapsed(State& s) {
  const u64 now = *s.settings.clock;
  const u64 amount = now - s.settled;
  s.settled = now;
  u64 not_work = *s.settings.not_work - s.settled_not_work;
  if (not_work > 0) [[unlikely]] {
    not_work = std::min(amount, not_work);
    s.settled_not_work += not_work;
    s.overhead += not_work;
  }
  return amount - not_work;
}

// Inlined into calls and returns.
[[gnu::always_inline]] inline void settle_running(State& s) {
  take_late(s);
  const Work amount = elapsed(s);
  Logical* thread = s.running;
  if (thread == nullptr || thread->is_hidden() || thread->is_idle() || thread->span->frames.empty())
      [[unlikely]]
    s.overhead += amount;
  else
    s.engine.work(*thread->span, amount);
}

} // namespace

void start(const Settings& settings) {
  state = create<State>("cilkshadow.state", settings);
  state->latest_of.resize(VG_N_THREADS);
}

WorkSpan& engine() {
  take_late(*state);
  return state->engine;
}
SiteTable& sites() { return state->sites; }
CilkRegions& regions() { return state->regions; }
const CilkMistakes& mistakes() { return state->mistakes; }
void count_unmatched() { state->mistakes.unmatched++; }
void count_newer() { state->mistakes.newer++; }
Logical* running() {
  take_late(*state);
  return state->running;
}
u64 overhead() {
  return state->overhead + *state->settings.on_way_to_binder - state->on_way_before;
}
u64 threads() { return state->threads - state->threads_before; }

namespace {

// It is no longer what its thread of the core ran last.
void forget_latest(const Logical* gone) {
  for (Logical*& latest : state->latest_of)
    if (latest == gone)
      latest = nullptr;
}

} // namespace

void forget_thread(Logical& gone) {
  forget_hooks(gone);
  state->engine.abandon(gone.span);
  gone.span = nullptr;
  gone.frames.clear();
  gone.entered.clear();
  forget_latest(&gone);
}

void restart(u64 threads_before) {
  settle();
  state->engine.restart();
  for (u32 i = 0; i < state->sites.size(); i++)
    state->sites[SiteId{i}].spawned = 0;
  forget_totals();
  state->mistakes = {};
  state->overhead = 0;
  state->on_way_before = *state->settings.on_way_to_binder;
  state->threads_before = threads_before;
}

void settle() { settle_running(*state); }

Logical* start_thread(ThreadIndex thread) {
  Logical* creator = state->running;
  settle();
  SpanThread* span = state->engine.start_thread(creator == nullptr ? nullptr : creator->span);
  auto* made = create<Logical>("cilkshadow.thread", span, thread);
  if (creator != nullptr)
    made->site = creator->site;
  state->threads = std::max<u64>(state->threads, index(thread));
  return made;
}

void end_thread(Logical* thread) {
  settle();
  forget_hooks(*thread);
  annotations::before_end(*thread);
  state->regions.abandon_all(*thread->span);
  for (const FrameKind& frame : thread->frames)
    state->mistakes.abandoned += frame.task;
  state->engine.end_thread(*thread->span);
  // A coroutine's stack or a handler's: what its thread does next comes after.
  Logical* by = state->running;
  if (by != nullptr && by != thread && by->thread == thread->thread)
    state->engine.join_thread(*by->span, thread->span);
  else
    thread_edges::keep_ended(*thread);
  forget_latest(thread);
  if (state->running == thread)
    state->running = nullptr;
  destroy(thread);
}

void switch_thread(Logical* to) {
  settle();
  state->running = to;
  Logical*& latest = state->latest_of[VG_(get_running_tid)()];
  if (latest != nullptr && latest != to) {
    PathPoint point = state->engine.publish(*latest->span);
    state->engine.observe(*to->span, point);
  }
  latest = to;
  if (!to->begun) {
    to->begun = true;
    thread_edges::begins(*to);
  }
}

void cut_off(Logical* thread) {
  settle();
  thread->entered.clear();
  while (!thread->frames.empty()) {
    const FrameKind frame = thread->frames.back();
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
[[gnu::always_inline]] inline void begin_plain_call(Logical& thread, RoutineId routine,
                                                    RoutineClass c, GuestAddr address) {
  SpanThread& span = *thread.span;
  const SiteId id = state->sites.find(address, routine);
  if (state->regions.in_spawn(span)) [[unlikely]] {
    const bool spawnable = c == RoutineClass::program || c == RoutineClass::system;
    Site& site = state->sites[id];
    site.spawned += state->regions.before_call(span, place_of(site.line), spawnable);
  }
  if (!state->settings.invocations && !thread.is_idle() && !span.frames.empty()) [[likely]] {
    state->late.pending = state->late.call;
    state->late.site = id;
    state->late.routine = routine;
    return;
  }
  thread.frames.push_back({});
  state->engine.call(span, id, routine);
}

// With a run-time library or a template's code on one side.
[[gnu::noinline]] void begin_other_call(Logical& thread, RoutineId routine, RoutineClass c,
                                        GuestAddr site) {
  const bool below_hidden = thread.is_hidden();
  const bool below_template = !thread.frames.empty() && thread.frames.back().transparent;
  // What a run-time library uses itself orders nothing that it does not say itself.
  const Hooked* hooked = below_hidden ? nullptr : state->classes.hooked(routine);
  const bool task = below_hidden && is_visible(c, true) && task_begins(thread, routine);
  const bool transparent = c == RoutineClass::templates && !task;
  if (transparent || !is_visible(c, below_hidden)) {
    if (!below_hidden && !below_template)
      thread.site = site;
    thread.frames.push_back({.hidden = !transparent,
                             .hooked = hooked != nullptr,
                             .in_libtbb = c == RoutineClass::libtbb,
                             .transparent = transparent});
    if (hooked != nullptr)
      hook_entered(thread, *hooked);
    return;
  }
  const SiteId id = state->sites.find(below_hidden || below_template ? thread.site : site, routine);
  state->sites[id].spawned += task && thread.task->piece != nullptr;
  thread.frames.push_back({.task = task});
  state->engine.call(*thread.span, id, routine);
}

// Whether a marker may wait for what follows it.
[[gnu::always_inline]] inline bool may_be_late(const State& s) {
  if (s.late.pending != s.late.nothing)
    return s.late.pending == s.late.call;
  const Logical& thread = *s.running;
  return !s.settings.invocations && !thread.is_idle() && !thread.is_hidden() &&
         !thread.span->frames.empty();
}

// A call by the program after the late marker of a spawn: true if it is what the marker is for.
[[gnu::always_inline]] inline bool spawn_late(State& s, RoutineId routine, GuestAddr address) {
  const RoutineClass c = s.classes.of(routine);
  if (c != RoutineClass::program && c != RoutineClass::system)
    return false;
  const SiteId id = s.sites.find(address, routine);
  Site& site = s.sites[id];
  if (s.late.place == 0 || place_of(site.line) != s.late.place)
    return false;
  if ((s.late.pending & s.late.call) != 0)
    enter_late_call(s);
  SpanThread& span = *s.running->span;
  s.engine.work(span, s.late.before_marker + elapsed(s));
  s.regions.spawn_before_call(span, s.late.marker, s.late.place);
  site.spawned++;
  s.late.pending = s.late.call;
  s.late.site = id;
  s.late.routine = routine;
  return true;
}

[[gnu::always_inline]] inline void begin_call(Logical& thread, RoutineId routine, GuestAddr site) {
  const RoutineClass c = state->classes.of(routine);
  const bool in_program = !thread.frames.empty() && thread.frames.back().is_on_engine();
  if (in_program && is_plain(c)) [[likely]]
    begin_plain_call(thread, routine, c, site);
  else
    begin_other_call(thread, routine, c, site);
}

// Of a frame that is none of the engine. Its run-time library may have gone on with another path.
Invocation since(const Entered& entered) {
  const Span now = entered.span->path().lengths.span;
  return {.work = entered.span->work - entered.work,
          .span = now < entered.path ? 0 : now - entered.path};
}

[[gnu::noinline]] void end_hidden_call(Logical& thread) {
  if (thread.frames.back().hooked)
    hook_returns(thread);
  thread.frames.pop_back();
  if (state->settings.invocations)
    state->returned = since(thread.entered.back());
}

[[gnu::always_inline]] inline void end_call(Logical& thread) {
  if (!thread.tasks.empty()) [[unlikely]]
    annotations::before_return(thread);
  const FrameKind frame = thread.frames.back();
  if (!frame.is_on_engine()) [[unlikely]]
    return end_hidden_call(thread);
  SpanThread& span = *thread.span;
  if (state->regions.is_in_region(span)) [[unlikely]]
    state->regions.before_return(span);
  const Invocation returned = state->engine.return_from_top(span);
  if (state->settings.invocations) [[unlikely]]
    state->returned = returned;
  thread.frames.pop_back();
  if (frame.task) [[unlikely]]
    tasks::end_current(thread);
  else if (state->regions.in_spawn(span) && !thread.is_hidden()) [[unlikely]]
    state->regions.after_return(span);
}

} // namespace

void call(RoutineId routine, GuestAddr site) {
  if ((state->late.pending & state->late.spawn) != 0 && spawn_late(*state, routine, site))
    return;
  settle_running(*state);
  Logical& thread = *state->running;
  begin_call(thread, routine, site);
  if (state->settings.invocations) [[unlikely]] {
    const SpanThread& span = *thread.span;
    thread.entered.push_back({&span, span.work, span.path().lengths.span, span.frames.size() - 1});
  }
}

const Invocation* return_() {
  if (state->late.pending == state->late.call) {
    state->late.pending = state->late.nothing;
    SpanThread& span = *state->running->span;
    state->engine.call_leaf(span, state->late.site, elapsed(*state));
    if (state->regions.in_spawn(span)) [[unlikely]]
      state->regions.after_return(span);
    return nullptr;
  }
  settle_running(*state);
  Logical& thread = *state->running;
  end_call(thread);
  if (!state->settings.invocations) [[likely]]
    return nullptr;
  thread.entered.pop_back();
  return &state->returned;
}

Vector<Invocation> so_far(const Logical& thread) {
  settle();
  Vector<Invocation> pending("cilkshadow.pending");
  for (std::size_t i = 0; i < thread.entered.size(); i++) {
    const Entered& entered = thread.entered[i];
    const bool on_engine = thread.frames[i].is_on_engine();
    pending.push_back(on_engine ? state->engine.so_far(*entered.span, entered.frame)
                                : since(entered));
  }
  return pending;
}

void marker(u32 kind, GuestAddr address) {
  State& s = *state;
  if (CilkRegions::is_spawn(kind) && may_be_late(s)) {
    s.late.before_marker = elapsed(s);
    s.late.pending |= s.late.spawn;
    s.late.marker = kind;
    s.late.place = place_of(address);
    return;
  }
  settle_running(s);
  Logical& thread = *s.running;
  if (!thread.is_hidden())
    state->regions.marker(*thread.span, kind,
                          kind == static_cast<u32>(Marker::sync) ? 0 : place_of(address));
}

void suspend() {
  settle();
  state->running->suspended = true;
}

void resume() {
  settle();
  state->running->suspended = false;
}

} // namespace shadow
