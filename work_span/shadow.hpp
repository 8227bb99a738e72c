// The work-span shadow of the client: passes the trace (trace/sink.hpp) on to the engine. Used by
// cilkshadow, and by aprof-trms with --work-span=yes.
//
// A logical thread of the trace is a thread of the engine. What a signal handler does lies between
// what it interrupts and what follows that; what a coroutine does, between the switches to and from
// it. Run-time libraries are neither work nor call sites: their routines' frames are hidden, and
// what they call back is called from the place where the program called them.
//
// Owns shadow::state (state/state.hpp). A call or return costs O(1), and less in a batch.
#pragma once

#include "work_span/state/state.hpp"

class CallStack;
struct Loop;

namespace shadow {

void start(const Settings& settings);

Thread* start_thread(ThreadIndex thread);
void end_thread(Thread* thread);
void switch_thread(Thread* to);
void begin_signal_handler(Thread* handler);
void end_signal_handler(Thread* interrupted);
void cut_off(Thread* thread);
void call(RoutineId routine, GuestAddr site);
// What was measured of the invocation that returned; valid until the next return. Null unless
// Settings::invocations.
const Invocation* return_();
// Before return_(), if the invocation does not return by itself: a jump leaves it,
void unwind();
// or it ends by a tail call to a routine beneath it in the same slot.
void leave_tail_call();
// The marker was reached `since` instructions before.
void marker(u32 kind, SourceLocation location, u32 since);
// The program is in the loop `innermost` of `routine`; null: in none.
void in_loop(const Loop* innermost, RoutineId routine);
void at_condition(const Loop& of);
void suspend();
void resume();
// What sink::take_batch asks for.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);

// Accounts what has run until now; then what each pending invocation measures, hidden or not, the
// outermost first.
Vector<Invocation> measure_pending(const Thread& thread);

// Whether calls of a routine, or the events of the code at an address, may be logged: nothing that
// is done at them needs the client's state.
bool routine_may_wait(RoutineId routine);
bool code_may_wait(GuestAddr address);

// Account what has run until now, and give all results. Nothing is measured after the first.
WorkSpan::Results finish_and_take();
WorkSpan::Results measure_so_far();

// In a forked child: `gone` was another thread of its parent, and numbers start from zero.
void forget_thread(Thread& gone);
void restart(u64 threads_before);

} // namespace shadow
