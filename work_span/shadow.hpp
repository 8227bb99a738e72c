// The work-span shadow of the client: passes the trace (trace/sink.hpp) on to the engine. Used by
// cilkshadow, and by aprof-trms with --work-span=yes.
//
// Each logical thread of the trace is a thread of the engine. A signal handler is ordered between
// the interrupted code and what follows it; a coroutine between the switches to and from it.
// Run-time libraries are neither work nor call sites: the frames of their routines are hidden, and
// their callbacks count as called from where the program called the library.
//
// Owns shadow::state (state/state.hpp). A call or return costs O(1), less in a batch.
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
// Returns the measures of the invocation that returned, valid until the next return. Null unless
// Settings::invocations.
const Invocation* return_();
// Call before return_() if the invocation does not return by itself: a jump leaves it,
void unwind();
// or it ended with a tail call to a routine beneath it in the same slot.
void leave_tail_call();
// The marker was reached `since` instructions ago.
void marker(u32 kind, SourceLocation location, u32 since);
// The program is in the loop `innermost` of `routine`; null: in none.
void in_loop(const Loop* innermost, RoutineId routine);
void at_condition(const Loop& of);
void iteration(const Loop& of);
void suspend();
void resume();
// Implements sink::take_batch.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);

// Accounts everything up to now. Returns the measures so far of each pending invocation, hidden or
// not, outermost first.
Vector<Invocation> measure_pending(const Thread& thread);

// Whether calls of a routine, or the events of the code at an address, may be logged, because
// handling them does not need the client's state.
bool routine_may_wait(RoutineId routine);
bool code_may_wait(GuestAddr address);

// Account everything up to now, and return all results. Nothing can be measured after
// finish_and_take.
WorkSpan::Results finish_and_take();
WorkSpan::Results measure_so_far();

// In a forked child: `gone` was another thread of the parent, and numbers are reset to zero.
void forget_thread(Thread& gone);
void restart(u64 threads_before);

} // namespace shadow
