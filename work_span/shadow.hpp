// The work-span shadow of the client: passes the trace (trace/sink.hpp) on to the engine. Used by
// cilkshadow, and by aprof-trms with --work-span=yes.
//
// A logical thread of the trace is a thread of the engine. What a signal handler does lies between
// what it interrupts and what follows that; what a coroutine does, between the switches to and from
// it.
// Run-time libraries are neither work nor call sites: their routines' frames are hidden, and what
// they call back is called from the place where the program called them.
#pragma once

#include "work_span/state/state.hpp"

class CallStack;

namespace shadow {

void start(const Settings& settings);

Thread* start_thread(ThreadIndex thread);
void end_thread(Thread* thread);
void switch_thread(Thread* to);
void begin_signal_handler(Thread* handler);
void end_signal_handler(Thread* interrupted);
void cut_off(Thread* thread);
void call(RoutineId routine, GuestAddr site);
// What returned measured, until the next return; null unless Settings::invocations.
const Invocation* return_();
// Before the return of what a jump leaves, and of what ends by a tail call to what is beneath it.
void unwind();
void leave_tail_call();
// Reached `since` instructions before.
void marker(u32 kind, SourceLocation location, u32 since);
void suspend();
void resume();
// As sink::take_batch.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);

// Of all that is pending, hidden or not, outermost first.
Vector<Invocation> so_far(const Thread& thread);

// Whether calls of a routine, and what code does itself, may be logged: nothing of that needs the
// client's state.
bool routine_may_wait(RoutineId routine);
bool code_may_wait(GuestAddr address);

// Of what has run until now. After the first of them nothing else is measured.
WorkSpan::Results finish_and_take();
WorkSpan::Results results_so_far();

// A forked child: numbers start from zero, and `gone` are of its parent's other threads.
void forget_thread(Thread& gone);
void restart(u64 threads_before);

} // namespace shadow
