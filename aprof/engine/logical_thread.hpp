// A logical thread: anything with a shadow stack of its own, which is a thread of the client, a
// signal handler while it interrupts one, or a coroutine's stack.
//
// Owns its shadow stack and its slots of shadow memory. Owned by the engine.
#pragma once

#include "aprof/cells/chunk.hpp"
#include "aprof/engine/shadow_stack.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/loops/loop.hpp"

namespace shadow {
struct Thread;
}

struct LogicalThread {
  LogicalThread(u32 its_number, ThreadIndex of) : number(its_number), thread(of) {}

  u32 number;         // in order of creation, never reused
  ThreadIndex thread; // whose profile its activations belong to
  ShadowStack stack;  // S_t
  AccessTable ts;     // ts_t
  Costs elapsed;      // its clock at the last switch, suspension or resumption
  Vector<u32> pending{"aprof.engine.pending"}; // by RoutineId: collected activations on the stack
  Vector<u32> pending_loops{"aprof.engine.pending"}; // by LoopId: executions on the stack
  u32 collecting = 0;                                // pending activations with opens_collection
  bool suspended = false;
  u32 live_index = 0;
  shadow::Thread* shadow = nullptr; // its thread in the work-span engine; null: not measured

  u32& pending_of(RoutineId routine) { return count_of(pending, index(routine)); }
  u32& pending_of(LoopId loop) { return count_of(pending_loops, index(loop)); }
  void forget_pending() {
    pending.clear();
    pending_loops.clear();
  }

private:
  static u32& count_of(Vector<u32>& counts, std::size_t i) {
    if (i >= counts.size()) [[unlikely]]
      grow(counts, i);
    return counts[i];
  }
  [[gnu::noinline]] static void grow(Vector<u32>& counts, std::size_t to) {
    counts.resize(to + to / 2 + 64);
  }
};
