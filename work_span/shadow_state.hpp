// All that the shadow knows, for those who tell it events.
#pragma once

#include "work_span/log/event_trie.hpp"
#include "work_span/routine_classes.hpp"
#include "work_span/shadow.hpp"

namespace shadow {

struct Rehearsal;

struct State {
  explicit State(const Settings& with)
      : settings(with), engine(with.engine), regions(engine, mistakes) {}

  Settings settings;
  WorkSpan engine;
  SiteTable sites;
  RoutineClasses classes;
  CilkMistakes mistakes;
  CilkRegions regions;
  Logical* running = nullptr;
  // It is in the program's code, and nothing else holds: calls, returns and markers need not ask
  // what follows from that. False is always right.
  bool in_program = false;
  Vector<Logical*> latest_of{"cilkshadow.threads"}; // by the core's thread: what it ran last
  u64 settled = 0;                                  // clock
  u64 settled_not_work = 0;
  Summaries summaries;
  EventTrie known_events; // of these
  Patience patience;
  Vector<const Summary*> uncounted{"cilkshadow.summaries"};
  u64 pending_changes = 0;        // those that matter to untold invocations
  Rehearsal* rehearsal = nullptr; // null: nothing has been summarised yet
  Invocation returned;            // by the latest return
  u64 overhead = 0;
  u64 on_way_before = 0; // restart
  u64 threads = 0;
  u64 threads_before = 0; // restart
};
extern State* const state;

// Before what is counted is asked for, and before summaries are forgotten.
void count_summaries(State& s);

// Visible from the program, and no template's code. It has no hook.
inline bool is_plain(RoutineClass c) {
  return RoutineClass::program <= c && c <= RoutineClass::system_cleanup;
}

} // namespace shadow
