// A logical thread: whatever has a shadow stack of its own. That is a thread of the client, a
// signal handler while it interrupts one, or a coroutine's stack.
//
// Owns its shadow stack and its slots of shadow memory; the engine owns it.
#pragma once

#include "aprof/cells/chunk.hpp"
#include "aprof/engine/shadow_stack.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

namespace shadow {
struct Thread;
}

struct LogicalThread {
  LogicalThread(u32 its_number, ThreadIndex of) : number(its_number), thread(of) {}

  u32 number;         // in order of creation, never reused
  ThreadIndex thread; // whose profile its activations enter
  ShadowStack stack;  // S_t
  AccessTable ts;     // ts_t
  Costs elapsed;      // its clock at the last switch, suspension or resumption
  Vector<u32> pending{"aprof.engine.pending"}; // by RoutineId: collected activations on the stack
  u32 collecting = 0;                          // pending activations with opens_collection
  bool suspended = false;
  u32 live_index = 0;
  shadow::Thread* shadow = nullptr; // its thread of the work-span engine; null: not measured

  u32& pending_of(RoutineId routine) {
    if (index(routine) >= pending.size()) [[unlikely]]
      add_pending(index(routine));
    return pending[index(routine)];
  }

private:
  [[gnu::noinline]] void add_pending(std::size_t routine) {
    pending.resize(routine + routine / 2 + 64);
  }
};
