// Where the trace goes: the functions that a tool defines to receive the paper's events. Which
// tool is chosen at link time, so that an event costs a direct call.
//
// Logical threads: each client thread has one, and one more for each level of signal handlers
// that interrupt it, since a handler is a root of its own. call, return_, suspend and resume are
// events of the logical thread switched to last.
#pragma once

#include "base/types.hpp"
#include "trace/logged_event.hpp"

struct Loop;
class CallStack;
namespace sink {

struct LogicalThread; // the tool's

LogicalThread* start_thread(ThreadIndex thread);
void end_thread(LogicalThread* thread);
void switch_thread(LogicalThread* to);
// The same, to a signal handler that interrupts what runs, and back to what it has interrupted.
// Nothing of the handler is pending then.
void begin_signal_handler(LogicalThread* handler);
void end_signal_handler(LogicalThread* interrupted);
// What is pending will not be seen to return; nor is it suspended any more.
void cut_off(LogicalThread* thread);

// `site`: an address within the instruction that called, 0 where that is not known.
void call(RoutineId routine, GuestAddr site);
void return_();
// Before what returns by no return of its own: a longjmp or an exception leaves it.
void unwind();
// Before what returns because, as its last, it jumped to a routine beneath of the same slot: the
// program goes on in it, and they return together.
void leave_tail_call();
// The program is at a marker (trace/markers.hpp), or was, `since` instructions before; only if the
// tool wants them found. The location in the source is what marker_location said of the marker's
// address when its code was translated.
void marker(u32 kind, u64 location, u32 since);
u64 marker_location(GuestAddr address);
// Takes logged events, from the first on, as many as the tool can take at once; the functions above
// get the next one, and then the rest is given again. Takes their calls and returns into `calls`,
// too. The rest may wait only if `more_come`.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);

// Control is at the header of a loop: another iteration of it begins, or the loop does. Of a leaf,
// the first only; and where loops are logged (trace/loops/logged_loops.hpp), where the header tests
// the condition.
void loop(const Loop& header_of);
// Control is in the loop `innermost` of `routine` (null: in none): those that it is not in have
// ended.
void in_loop(const Loop* innermost, RoutineId routine);

// Lazy symbol binding begins and ends: it belongs to no routine.
void suspend();
void resume();

void kernel_read(GuestAddr address, std::size_t bytes);
void kernel_write(GuestAddr address, std::size_t bytes);

void map_external(GuestAddr address, std::size_t bytes); // a data file was mapped
void forget(GuestAddr address, std::size_t bytes);       // unmapped, or mapped afresh
void move(GuestAddr from, GuestAddr to, std::size_t bytes);

} // namespace sink
