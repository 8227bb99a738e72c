// The work-span shadow hosted: what it and the log ask of Valgrind's core, of the client's debug
// info and of run-time libraries, answered for the programs of tests.
//
// A program is laid out by address: routine r's code is from r * kCodeBytes on, so that every
// address tells its routine, and the routine's entry is its first byte. Beyond kStubs are linkage
// stubs, beyond kNameless code without a symbol.
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

// What the program is to the shadow; a test sets it.
struct Program {
  std::function<RoutineClass(RoutineId)> class_of;
  std::function<CallOrigin(GuestAddr call, RoutineId callee)> origin_of;
};
extern Program program;

// Where the trace goes. This one ignores it.
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
