// Turns VEX superblocks into the trace: adds to each the counting of its cost, a helper call per
// memory access, and one of trace/call_events.hpp where it ends in a call, a return, or a jump
// that may be one.
//
// What to add is decided here, once per translation; translated code tests nothing but guards of
// the client's own.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/access_runs.hpp"

struct RunningArguments;
struct RunningLoop;

// A helper that takes the address (and the size, where it is not in the name).
struct AccessHelper {
  const char* name;
  void* function;
};

// Helpers for accesses of 1, 2, 4, 8, 16 and 32 bytes, and of any size; null: those are not traced.
// And for runs of so many words, or null: each access is reported by itself.
struct AccessHelpers {
  static constexpr unsigned kSizes = 6;
  AccessHelper of_size[kSizes];
  AccessHelper of_any_size{};
  AccessHelper of_words[AccessRuns::kMostWords + 1] = {};

  bool has_runs() const { return of_words[AccessRuns::kMostWords].function != nullptr; }
};

struct Instrumentation {
  AccessHelpers read;
  AccessHelpers write;
  AccessHelpers modify;    // a read, then a write of the same, of one size; where there are runs
  Costs* on_way_to_binder; // incremented by translated code; all else is the clock's
  bool count_basic_blocks;
  bool count_instructions;
  bool find_markers;                         // of cilk/cilk.h (trace/markers.hpp)
  bool find_sites;                           // of tail calls through linkage stubs, too
  bool count_lines = false;                  // executions of source lines, too
  const RunningLoop* running_loop = nullptr; // null: loops are not traced, unless
  bool log_loops = false;                    // they are logged (trace/loops/logged_loops.hpp)
  const RunningArguments* running_arguments = nullptr; // null: they are not kept
  u64* accesses_reported = nullptr; // incremented by each access reported; null: not counted
  // Whether calls of a routine, and what code does itself, may wait in the log
  // (trace/event_log.hpp). Null: nothing may. Otherwise one cost event is counted.
  bool (*routine_may_wait)(RoutineId routine) = nullptr;
  bool (*code_may_wait)(GuestAddr address) = nullptr;
};

template <typename F> void for_each_counted(const Instrumentation& with, F f) {
  if (with.count_basic_blocks)
    f(CostEvent::basic_blocks);
  if (with.count_instructions)
    f(CostEvent::instructions);
}

// Makes every superblock one guest basic block, or several rounds of one that is a loop if it may
// be `unrolled`; call before the client starts.
void instrument_single_basic_blocks(bool unrolled);

// Whether the client is traced at present. A change asks for all code to be translated anew.
bool is_instrumenting();
void set_instrumenting(bool on);

// Adds what makes the clock right for a helper that comes next.
void publish_clock(const Instrumentation& with, IRSB* block);

IRSB* instrument(const Instrumentation& with, VgCallbackClosure* closure, IRSB* block,
                 const VexGuestLayout* layout);
