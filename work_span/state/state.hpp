// The shadow's state during a run: the engine, the call sites, and which thread is running. Owns
// all of it; exists once, from shadow::start to the end.
//
// Time is accounted late: what the running thread executes is in the clock, and is added to its
// work when something happens that the engine must know about.
#pragma once

#include "trace/event_log.hpp"
#include "work_span/engine/cilk_regions.hpp"
#include "work_span/engine/work_span_fast.hpp"
#include "work_span/state/shadow_thread.hpp"
#include "work_span/state/sites.hpp"

#include <algorithm>
#include <utility>

namespace shadow {

struct Settings {
  const u64* clock;            // trace/clock.hpp
  const u64* on_way_to_binder; // what linkage stubs execute, which is overhead
  const u64* not_work;         // the part of the clock that is no work, whoever executes it
  bool by_instruction;         // the clock counts instructions; otherwise basic blocks
  WorkSpanOptions engine;
  bool invocations = false; // invocations are measured one by one, for aprof-trms
  bool dag = false;         // record the dag
  u32 dag_strands = DagRecorder::kDefaultStrands; // maximum number of strands
  // Measure only while one of these routines runs; null: always.
  bool (*is_toggle)(RoutineId routine) = nullptr;
};

// Collection: which part of the run is measured. While nothing is measured, the clock stands still.
struct Collection {
  bool is_on = true;
  u64 pending = 0;    // activations of Settings::is_toggle
  u64 clock = 0;      // the time when collection was switched off,
  u64 on_way = 0;     // and what linkage stubs had executed by then
  u64 attributed = 0; // while it is off: the time up to which SpanThread::unmeasured counts
};

struct State {
  explicit State(const Settings& with)
      : settings(with), engine(with.engine), regions(engine, mistakes) {}

  Settings settings;
  WorkSpan engine;
  SiteTable sites;
  CilkMistakes mistakes;
  CilkRegions regions;
  DagRecorder* dag = nullptr; // null: not recorded
  Thread* running = nullptr;
  // The running thread is in the program's own code, and nothing else needs to be checked at calls,
  // returns and markers. May be false at any time.
  bool in_program = false;
  Vector<Thread*> latest_of{"cilkshadow.threads"}; // by the core's thread: what it ran last
  const u64* clock = settings.clock;               // or Collection::clock while nothing is measured
  u64 accounted = 0;                               // clock value
  u64 accounted_not_work = 0;
  u64 overhead = 0;
  u64 on_way_before = 0; // value at the latest restart
  u64 threads = 0;
  u64 threads_before = 0; // value at the latest restart
  Collection collection;
};
extern State* const state;

[[gnu::noinline]] void account_elsewhere(State& s, Work amount);

// Every event that is not logged first calls one of these two, unless it changes nothing here.
// Reads the log, which may change what is running.
void flush_log();
// Reads the log, and accounts everything up to now: afterwards, the engine's numbers of the running
// thread are up to date.
void account();
// Accounts everything since the last time up to `since` before now, except what is no work.
inline void account_running(State& s, u64 since = 0) {
  const u64 now = *s.clock - since;
  Work amount = now - std::exchange(s.accounted, now);
  if (const u64 not_work = std::min(amount, *s.settings.not_work - s.accounted_not_work)) {
    s.accounted_not_work += not_work;
    s.overhead += not_work;
    amount -= not_work;
  }
  if (s.in_program) [[likely]]
    s.engine.work_of_top(*s.running->span, amount);
  else
    account_elsewhere(s, amount);
}

// What the thread has executed, measured or not, as long as it runs. For comparisons only.
u64 executed_by(const Thread& running);

// Switches collection. All work must be accounted.
void collect(bool on);

// What has run and is not accounted yet. The second function accounts a part of it as overhead.
inline u64 unaccounted() { return *state->clock - state->accounted; }
void account_as_overhead(u64 amount);
// Selects the unit of the clock.
inline u64 by_clock(u64 instructions, u64 blocks) {
  return state->settings.by_instruction ? instructions : blocks;
}

inline Thread* running() { return state->running; }
inline WorkSpan& engine() { return state->engine; }
inline SiteTable& sites() { return state->sites; }
inline CilkRegions& regions() { return state->regions; }
inline CilkMistakes& mistakes() { return state->mistakes; }
inline u64 threads() { return state->threads - state->threads_before; }
// What linkage stubs have executed, up to when collection was switched off.
inline u64 on_way_now() {
  const Collection& of = state->collection;
  return of.is_on ? *state->settings.on_way_to_binder : of.on_way;
}
inline u64 overhead() { return state->overhead + on_way_now() - state->on_way_before; }

// Orders between the running thread and others (engine/path.hpp). What a thread did before publish
// happens before what another thread does after it observes the point.
inline SpanThread& span() { return *state->running->span; }
// None if the running thread is in no routine.
inline RoutineId routine_on_top() {
  return span().frames.empty() ? RoutineId::none : span().frames.back().routine;
}
inline Paths& paths() { return state->engine.paths(); }
inline PathPoint publish() { return state->engine.publish(span()); }
inline void observe(PathPoint& point) { state->engine.observe(span(), point); }
inline void observe_copy(const PathPoint& point) { state->engine.observe_copy(span(), point); }

} // namespace shadow
