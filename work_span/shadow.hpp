// The work-span shadow of the client: passes the trace (trace/sink.hpp) on to the engine. Used by
// cilkshadow, and by aprof-trms with --work-span=yes.
//
// A logical thread of the trace is a thread of the engine. What a signal handler does lies between
// what it interrupts and what follows that; what a coroutine does, between the switches to and from
// it.
// Run-time libraries are neither work nor call sites: their routines' frames are hidden, and what
// they call back is called from the place where the program called them.
#pragma once

#include "trace/event_log.hpp"
#include "work_span/engine/cilk_regions.hpp"
#include "work_span/engine/work_span.hpp"
#include "work_span/sites.hpp"

class CallStack;
namespace tasks {
struct Task;
}

namespace shadow {

struct Hook; // an invocation of a routine that orders threads

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

struct Logical {
  explicit Logical(SpanThread* on, ThreadIndex of) : span(on), thread(of) {}
  SpanThread* span;
  ThreadIndex thread;
  tasks::Task* task = nullptr; // null: the initial one
  Vector<FrameKind> frames{"cilkshadow.frames"};
  Vector<Entered> entered{"cilkshadow.frames"}; // beside frames
  Vector<Hook*> hooks{"cilkshadow.hooks"};      // of the pending hooked frames
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

struct Settings {
  const u64* clock;            // trace/clock.hpp
  const u64* on_way_to_binder; // what linkage stubs execute, which is overhead
  const u64* not_work;         // what of the clock is no work, whoever executes it
  bool by_instruction;         // what the clock counts; otherwise by basic block
  WorkSpanOptions engine;
  bool invocations = false; // each is measured for who asks
};

void start(const Settings& settings);

Logical* start_thread(ThreadIndex thread);
void end_thread(Logical* thread);
void switch_thread(Logical* to);
void begin_signal_handler(Logical* handler);
void end_signal_handler(Logical* interrupted);
void cut_off(Logical* thread);
void call(RoutineId routine, GuestAddr site);
// What returned measured, until the next return; null unless Settings::invocations.
const Invocation* return_();
// Before the return of what a jump leaves, and of what ends by a tail call to what is beneath it.
void unwind();
void leave_tail_call();
void thrown(); // an exception
void handler_begins();
// Reached `since` instructions before.
void marker(u32 kind, SourcePlace place, u32 since);
void suspend();
void resume();
// As sink::take_batch.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);

// Of all that is pending, hidden or not, outermost first.
Vector<Invocation> so_far(const Logical& thread);

// Whether calls of a routine, and what code does itself, may be logged: nothing of that needs the
// client's state.
bool routine_may_wait(RoutineId routine);
bool code_may_wait(GuestAddr address);

// Every event that is not told by the log begins with one of these two, unless it changes nothing
// here. The log is told, and what follows may change what runs, and how;
void flush_log();
// and what has run until now is settled: the engine's numbers of the running thread are up to date.
void settle();
u64 unsettled();              // what has run since
void was_no_work(u64 amount); // of that
// What the clock counts.
u64 by_clock(u64 instructions, u64 blocks);
Logical* running();
WorkSpan& engine();
SiteTable& sites();
RoutineClass class_of(RoutineId routine);
bool is_of_program(GuestAddr instruction);
CilkRegions& regions();
const CilkMistakes& mistakes();
void count_unmatched();
void count_newer();
u64 overhead();
u64 threads();

// Of what has run until now. After the first of them nothing else is measured.
WorkSpan::Results finish_and_take();
WorkSpan::Results results_so_far();

// A forked child: numbers start from zero, and `gone` are of its parent's other threads.
void forget_thread(Logical& gone);
void restart(u64 threads_before);

} // namespace shadow
