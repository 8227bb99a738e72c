// A thread of the shadow: what it has called, which task it runs, and what it waits for.
//
// There is one for each logical thread of the trace (trace/sink.hpp): a client thread, a signal
// handler that interrupts one, or a coroutine. Each executes a thread of the engine, and a
// different one while it runs a task. Owned by shadow::start_thread and end_thread.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "work_span/dag/overhead.hpp"
#include "work_span/engine/work_span.hpp"
#include "work_span/state/sites.hpp"

namespace tasks {
struct Task;
}

namespace shadow {

struct HookedCall;

// A call that has not returned. Two bytes, which are loaded as they were stored.
//
//   hidden       a routine of a run-time library: overhead, and no call site
//   transparent  a routine of oneTBB's templates: work, but no call site
//   hooked       hidden, and the latest of the thread's hooked calls
//   in_libtbb    hidden, in libtbb
//   task         the body of a run-time library's task
//   leaves       hidden or transparent, and called by code that is neither
//   collects     of a routine of --toggle-collect
//   has_region   a named region began in it
//   spins        hidden, and has executed a pause since it last called something
//   kind         hidden: the OverheadKind of what it executes
struct Frame {
  bool hidden : 1 = false;
  bool hooked : 1 = false;
  bool in_libtbb : 1 = false;
  bool transparent : 1 = false;
  bool task : 1 = false;
  bool leaves : 1 = false;
  bool collects : 1 = false;
  bool has_region : 1 = false;
  bool spins : 1 = false;
  u8 kind : 4 = 0;

  OverheadKind overhead() const {
    return spins ? OverheadKind::spinning : static_cast<OverheadKind>(kind);
  }
  bool is_on_engine() const { return !(hidden | transparent); }
  // Whether its return changes nothing but its own work and span.
  bool returns_plainly() const { return !(task | collects | has_region); }
};

// Where the engine's thread was when a frame began; kept if Settings::invocations.
struct Activation {
  const SpanThread* span;
  Work work;
  Span path;
  std::size_t frame; // number in the engine's thread, if the frame is on the engine
};

// A running task that the program has announced by <valgrind/cilkshadow.h>.
struct AnnotatedTask {
  GuestAddr address;
  SpanThread* interrupted; // what the thread executed before
  std::size_t depth;       // of the frame that began it
};

struct RunningTasks {
  tasks::Task* current = nullptr; // of a run-time library; null: the initial task
  Vector<AnnotatedTask> annotated{"cilkshadow.tasks"};
  u64 schedulers = 0; // pending requests that mark the scheduler's own work
};

// The C library's view of the thread.
struct Pthread {
  u64 self = 0; // pthread_self()
  bool begun = false;
  bool notifies_at_exit = false; // std::notify_all_at_thread_exit
};

// The latest wait in a loop of the program's own (order/spin_waits.hpp).
struct SpinWait {
  Work at = 0;          // what the thread had executed at the latest sign of the wait
  unsigned signs = 0;   // evidence for a wait; if little, it may have been none
  bool lasts = false;   // it is not over, or has ended and was not processed yet
  bool is_work = false; // its rounds are counted as work
  Work round = 0;       // if so: work of the latest round
  GuestAddr found = 0;  // address of what it found, and might have waited for; 0: none
  bool listed = false;  // the thread is in the list of those that have waited in loops
};

// Waits for a std::atomic (order/atomic_waits.hpp).
struct AtomicWait {
  GuestAddr loaded = 0; // the atomic that the thread loaded last
  PathPoint arrived{};  // at a std::barrier: the latest arrival; the next phase comes after it
  Span arrived_at = 0;  // the thread's own span then
  bool yielded = false; // in the latest wait, to the kernel or to other threads
};

// A turn that had come before the thread acquired a lock, which it still holds (order/turns.hpp).
struct FoundTurn {
  GuestAddr lock;
  u32 turn;
  GuestAddr if_signals = 0; // it is a turn only if the thread signals this condition
};

// Locks of the C library (order/locks.hpp).
struct LockUse {
  GuestAddr tried = 0;      // the latest that the thread failed to acquire
  GuestAddr acquired = 0;   // the latest that it acquired
  GuestAddr waits_from = 0; // the call that acquired the lock of its current wait; 0: unknown
  GuestAddr counted = 0;    // the latest whose acquisition counts as an item taken
  u64 counter = 0;          // by which (runtimes/work_counters.hpp)
  Vector<GuestAddr> held{"cilkshadow.locks"};
  Vector<FoundTurn> turns{"cilkshadow.turns"};
};

// The lengths of a thread's path so far, or their growth between two moments, including everything
// that the thread waited for. Has the layout of wsp_t (cilk/cilkscale.h) in the program's memory.
struct Extent {
  Work work = 0;
  Span span = 0;
  Span burdened = 0;
};

// An open named region (work_span/runtimes/named_regions.hpp).
struct OpenNamedRegion {
  std::size_t name;
  const SpanThread* on; // the thread that began it, and its lengths then
  Extent begin;
  std::size_t depth; // of the frame that began it
  u32 process;       // that began it: forks before
};

struct Thread {
  explicit Thread(SpanThread* on, ThreadIndex of) : span(on), client(of) {}
  SpanThread* span; // the engine's thread that it executes now
  ThreadIndex client;
  Vector<Frame> frames{"cilkshadow.frames"};
  Vector<Activation> activations{"cilkshadow.frames"}; // parallel to frames
  // The caller of the hidden frames on top, or the creator of the thread; nobody if there is
  // neither.
  Caller outside{};
  Vector<Caller> outside_before{
      "cilkshadow.frames"}; // previous values of `outside`, one for each frame that leaves
  bool suspended = false;   // by lazy binding

  Vector<HookedCall*> hooked_calls{"cilkshadow.hooks"}; // pending
  RunningTasks tasks{};
  Vector<OpenNamedRegion> named_regions{"cilkshadow.regions"};
  Pthread pthread{};
  SpinWait spin{};
  AtomicWait atomic{};
  LockUse lock{};
  GuestAddr puts_at = 0;  // of oneTBB's flow graphs: the locked node that it puts a message to
  u64 awaited_ticket = 0; // of oneTBB's queues: 1 + the pop that makes room for the current push

  // Whether what it executes is overhead.
  bool is_idle() const { return suspended || tasks.schedulers > 0; }
  void pop_frame() {
    if (frames.back().leaves) {
      outside = outside_before.back();
      outside_before.pop_back();
    }
    frames.pop_back();
  }
  bool is_hidden() const { return frames.empty() || frames.back().hidden; }
  // What the thread is doing if it executes overhead.
  OverheadKind overhead() const {
    if (suspended)
      return OverheadKind::linking;
    const OverheadKind kind = frames.empty() ? OverheadKind::none : frames.back().overhead();
    return kind == OverheadKind::none ? OverheadKind::scheduling : kind;
  }
  // Whether the top routine is the program's, and on the engine.
  bool is_in_program() const {
    return !frames.empty() && frames.back().is_on_engine() && !span->frames.empty();
  }
};

} // namespace shadow
