// The work-span shadow in a hosted build: provides what the shadow and the log need from Valgrind's
// core, debug info and run-time libraries, for the programs of tests.
//
// Addresses determine routines: the code of routine r begins at r * kCodeBytes, which is its entry.
// From kStubs on there are linkage stubs, from kNameless on code without symbols.
#pragma once

#include "trace/sink.hpp"
#include "work_span/engine/call_origin.hpp"
#include "work_span/state/routine_class.hpp"

#include <functional>

namespace hosted {

constexpr GuestAddr kCodeBytes = 0x1000;
constexpr GuestAddr kStubs = 0x50000;
constexpr GuestAddr kNameless = 0x60000;

constexpr u32 kMain = 1; // begins on the stack, and never returns
constexpr GuestAddr kStackTop = 0x7000000;

constexpr GuestAddr entry_of(u32 routine) { return routine * kCodeBytes; }

// The program's properties, set by a test.
struct Program {
  std::function<RoutineClass(RoutineId)> class_of;
  std::function<CallOrigin(GuestAddr call, RoutineId callee)> origin_of;
};
extern Program program;

// A sink that ignores the trace.
class Sink {
public:
  virtual ~Sink() = default;
  virtual void call(RoutineId, GuestAddr) {}
  virtual void return_() {}
  virtual void unwind() {}
  virtual void leave_tail_call() {}
  virtual void marker(u32, u64, u32) {}
  virtual void suspend() {}
  virtual void resume() {}
  virtual event_log::Taken take_batch(CallStack&, const event_log::Event* event,
                                      const event_log::Event*, bool) {
    return {event};
  }
};
extern Sink no_sink;
extern Sink* current_sink;

} // namespace hosted
