// Instruments VEX superblocks to produce the trace: adds code that counts their cost, a helper call
// for each memory access, and a call of trace/call_events.hpp at the end of a block if it is a
// call, a return, or a jump that may be either.
//
// What to add is decided here, once per translation. Translated code tests nothing except the
// client's own guards.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/access_runs.hpp"

struct Loop;
struct RunningArguments;
struct RunningLoop;

// A helper that takes the address, and the size unless its name implies it.
struct AccessHelper {
  const char* name;
  void* function;
};

// Helpers for accesses of 1, 2, 4, 8, 16 and 32 bytes, and of any size; null if such accesses are
// not traced. Also helpers for runs of a number of words; null if each access is reported by
// itself.
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
  AccessHelpers
      modify; // a read and then a write of the same cells, of one size; used if there are runs
  Costs*
      on_way_to_binder; // incremented by translated code; everything else is counted by the clock
  bool count_basic_blocks;
  bool count_instructions;
  bool find_markers;                         // of cilk/cilk.h (trace/markers.hpp)
  bool find_sites;                           // also of tail calls through linkage stubs
  bool count_lines = false;                  // count executions of source lines
  const RunningLoop* running_loop = nullptr; // null: loops are not traced, unless
  bool log_loops = false;                    // they are logged (trace/loops/logged_loops.hpp)
  // Whether each iteration of the loop is logged; null: of none.
  bool (*log_iterations)(Loop& loop) = nullptr;
  const RunningArguments* running_arguments = nullptr; // null: arguments are not kept
  u64* accesses_reported = nullptr; // incremented for each reported access; null: not counted
  // Whether calls of a routine, and the events of a piece of code, may wait in the log
  // (trace/event_log.hpp). Null if nothing may wait. Otherwise only one cost event is counted.
  bool (*routine_may_wait)(RoutineId routine) = nullptr;
  bool (*code_may_wait)(GuestAddr address) = nullptr;
};

template <typename F> void for_each_counted(const Instrumentation& with, F f) {
  if (with.count_basic_blocks)
    f(CostEvent::basic_blocks);
  if (with.count_instructions)
    f(CostEvent::instructions);
}

// Limits every superblock to one guest basic block or, if `unrolled`, to several iterations of one
// that is a loop. Call before the client starts.
void instrument_single_basic_blocks(bool unrolled);

// Whether the client is traced at present. A change discards all translations.
bool is_instrumenting();
void set_instrumenting(bool on);

// Adds code that updates the clock in memory for a helper that is called next.
void publish_clock(const Instrumentation& with, IRSB* block);

IRSB* instrument(const Instrumentation& with, VgCallbackClosure* closure, IRSB* block,
                 const VexGuestLayout* layout);
