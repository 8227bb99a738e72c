// A thread as the shadow sees it: what it has called, which task it runs, and what it waits for.
//
// There is one for each logical thread of the trace (trace/sink.hpp): a client thread, a signal
// handler that interrupts one, a coroutine. Each executes a thread of the engine, and another one
// while it runs a task. Owned by shadow::start_thread and end_thread.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "work_span/engine/work_span.hpp"
#include "work_span/state/sites.hpp"

namespace tasks {
struct Task;
}

namespace shadow {

struct HookedCall;

// One call that has not returned. A byte, which is loaded as it was stored.
//
//   hidden       a routine of a run-time library: overhead, and no call site
//   transparent  a routine of oneTBB's templates: work, but no call site
//   hooked       hidden, and the latest of the thread's hooked calls
//   in_libtbb    hidden, in libtbb
//   task         the body of a run-time library's task
//   leaves       hidden or transparent, and called by code that is neither
struct Frame {
  bool hidden : 1 = false;
  bool hooked : 1 = false;
  bool in_libtbb : 1 = false;
  bool transparent : 1 = false;
  bool task : 1 = false;
  bool leaves : 1 = false;

  bool is_on_engine() const { return !(hidden | transparent); }
};

// Where the engine's thread was when a frame began; kept if Settings::invocations.
struct Activation {
  const SpanThread* span;
  Work work;
  Span path;
  std::size_t frame; // of the engine's thread, if the frame is on the engine
};

// A task that the program announced by <valgrind/cilkshadow.h> and that runs.
struct AnnotatedTask {
  GuestAddr address;
  SpanThread* interrupted; // what the thread executed before
  std::size_t depth;       // of the frame that began it
};

struct RunningTasks {
  tasks::Task* current = nullptr; // of a run-time library; null: the initial one
  Vector<AnnotatedTask> annotated{"cilkshadow.tasks"};
  u64 schedulers = 0; // pending requests that say "this is the scheduler's own work"
};

// What the C library knows of the thread.
struct Pthread {
  u64 self = 0; // pthread_self()
  bool begun = false;
  bool notifies_at_exit = false; // std::notify_all_at_thread_exit
};

// The latest wait in a loop of the program's own (order/spin_waits.hpp).
struct SpinWait {
  Work at = 0;          // the thread's work at the latest sign of the wait
  unsigned signs = 0;   // how much speaks for it; few: it may have been no wait
  bool lasts = false;   // it does, or has ended and nobody has asked yet
  bool is_work = false; // what goes round in vain is counted as work,
  Work round = 0;       // then: the latest round
  GuestAddr found = 0;  // where it found what it would have waited for; 0: nowhere
  bool listed = false;  // the thread is among those that have waited so
};

// Waits for a std::atomic (order/atomic_waits.hpp).
struct AtomicWait {
  GuestAddr loaded = 0; // the latest that the thread loaded
  PathPoint arrived{};  // at a std::barrier: the latest arrival, which the next phase follows
  Span arrived_at = 0;  // the thread's own span then
  bool yielded = false; // in the latest wait, to the kernel or to other threads
};

// A turn that was already come when the thread acquired a lock, which it holds (order/turns.hpp).
struct FoundTurn {
  GuestAddr lock;
  u32 turn;
  GuestAddr if_signals = 0; // it is one only if the thread signals this condition
};

// Locks of the C library (order/locks.hpp).
struct LockUse {
  GuestAddr tried = 0;      // the latest that the thread tried in vain
  GuestAddr acquired = 0;   // the latest that it acquired
  GuestAddr waits_from = 0; // the call that acquired the one under which it waits; 0: not known
  Vector<GuestAddr> held{"cilkshadow.locks"};
  Vector<FoundTurn> turns{"cilkshadow.turns"};
};

// A region that the program has named and not ended (work_span/named_regions.hpp).
struct OpenNamedRegion {
  u32 name;
  const SpanThread* on; // that began it, with what that had behind it
  Work work;
  Span path;
  Span burdened;
};

struct Thread {
  explicit Thread(SpanThread* on, ThreadIndex of) : span(on), client(of) {}
  SpanThread* span; // the engine's thread that it executes now
  ThreadIndex client;
  Vector<Frame> frames{"cilkshadow.frames"};
  Vector<Activation> activations{"cilkshadow.frames"}; // beside frames
  // Who called the hidden frames on top, or else created the thread; nobody: neither.
  Caller outside{};
  Vector<Caller> outside_before{"cilkshadow.frames"}; // what that was, for each frame that leaves
  bool suspended = false;

  Vector<HookedCall*> hooked_calls{"cilkshadow.hooks"}; // pending
  RunningTasks tasks{};
  Vector<OpenNamedRegion> named_regions{"cilkshadow.regions"};
  Pthread pthread{};
  SpinWait spin{};
  AtomicWait atomic{};
  LockUse lock{};

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
  // Whether the routine on top is the program's, as the engine has it.
  bool is_in_program() const {
    return !frames.empty() && frames.back().is_on_engine() && !span->frames.empty();
  }
};

} // namespace shadow
