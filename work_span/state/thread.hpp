// A thread as the shadow sees it: what it has called, and what those who order threads remember of
// it.
//
// There is one for each logical thread of the trace: a client thread, a signal handler that
// interrupts one, a coroutine. Each executes a thread of the engine, and another one while it runs
// a task.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "work_span/engine/work_span.hpp"

namespace tasks {
struct Task;
}

namespace shadow {

struct HookedCall;

// A frame of a logical thread. A byte, which is loaded as it was stored.
struct FrameKind {
  bool hidden : 1 = false;
  bool hooked : 1 = false;
  bool in_libtbb : 1 = false;
  bool transparent : 1 = false; // no call site, but in the program
  bool task : 1 = false;        // the body of one begins there

  bool is_on_engine() const { return !(hidden | transparent); }
};

// Where an activation began; kept if Settings::invocations.
struct Entered {
  const SpanThread* span;
  Work work;
  Span path;
  std::size_t frame; // if it is on the engine
};

// Of <valgrind/cilkshadow.h>: the thread's `span` is the task's meanwhile.
struct RunningTask {
  GuestAddr address;
  SpanThread* interrupted;
  std::size_t depth; // of the frame that began it
};

// A wait in a loop of the program's own.
struct SpinWait {
  Work at = 0;          // the thread's work at the latest sign of it
  unsigned signs = 0;   // of it; few: it may have been no wait
  bool lasts = false;   // or has ended, and nobody has asked yet
  bool is_work = false; // what goes round in vain,
  Work round = 0;       // then: the latest one
  GuestAddr found = 0;  // if not zero: it need not wait, as what it would wait for there has come
  bool listed = false;  // among those that have waited so
};

struct Thread {
  explicit Thread(SpanThread* on, ThreadIndex of) : span(on), thread(of) {}
  SpanThread* span;
  ThreadIndex thread;
  tasks::Task* task = nullptr; // null: the initial one
  Vector<FrameKind> frames{"cilkshadow.frames"};
  Vector<Entered> entered{"cilkshadow.frames"};         // beside frames
  Vector<HookedCall*> hooked_calls{"cilkshadow.hooks"}; // pending
  Vector<RunningTask> tasks{"cilkshadow.tasks"};
  u64 in_runtime = 0; // a scheduler of the program's own
  u64 pthread = 0;    // pthread_self
  GuestAddr site = 0; // of the call that led into hidden frames, or of the thread's creation
  GuestAddr loaded_atomic = 0; // the latest
  SpinWait spin{};
  GuestAddr lock_tried = 0;    // in vain, the latest
  GuestAddr lock_acquired = 0; // the latest
  PathPoint arrived{};         // at a std::barrier: the latest of those for which it goes on there
  Span arrived_at = 0;         // itself
  bool gave_way = false;       // to others, in its latest wait for one
  bool suspended = false;
  bool begun = false;
  bool notifies_at_end = false; // std::notify_all_at_thread_exit

  // What it executes is nobody's work.
  bool is_idle() const { return suspended || in_runtime > 0; }
  bool is_hidden() const { return frames.empty() || frames.back().hidden; }
};

} // namespace shadow
