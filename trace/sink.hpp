// The sink of the trace: the functions by which a tool receives the paper's events. Each tool
// defines them; they are bound at link time, so an event costs a direct call.
//
// Each client thread has one logical thread, and one more for each level of signal handlers that
// interrupt it, because a handler is a root of its own. call, return_, suspend and resume are
// events of the logical thread of the latest switch.
#pragma once

#include "base/types.hpp"
#include "trace/logged_event.hpp"

struct Loop;
class CallStack;
namespace sink {

struct LogicalThread; // defined by the tool

LogicalThread* start_thread(ThreadIndex thread);
void end_thread(LogicalThread* thread);
void switch_thread(LogicalThread* to);
// Switch to a signal handler that interrupts the running thread, and back to the interrupted one.
// The handler has no pending activations then.
void begin_signal_handler(LogicalThread* handler);
void end_signal_handler(LogicalThread* interrupted);
// The thread's pending activations will not be seen to return. It is not suspended any more either.
void cut_off(LogicalThread* thread);

// `site`: an address within the call instruction; 0 if unknown.
void call(RoutineId routine, GuestAddr site);
void return_();
// Comes before return_() of an activation that does not return by itself, but is left by a longjmp
// or an exception.
void unwind();
// Comes before return_() of an activation that ended with a tail call, to a routine further down
// that has the same slot. The program continues in that routine, and both return together.
void leave_tail_call();
// The program is at a marker (trace/markers.hpp), or passed one `since` instructions ago. Only sent
// if the tool asked for markers. `location` is what marker_location returned for the marker's
// address when its code was translated.
void marker(u32 kind, u64 location, u32 since);
u64 marker_location(GuestAddr address);
// Processes logged events from `event` on, as many as the tool can take at once. It also applies
// their calls and returns to `calls`. The next event is then delivered through the functions above,
// and the rest is passed here again. Events may be left for later only if `more_come`.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);

// Control is at the header of a loop: the loop or its next iteration begins. A leaf loop reports
// only its first iteration; where loops are logged (trace/loops/logged_loops.hpp), only headers
// that test the loop's condition are reported.
void loop(const Loop& header_of);
// Control is in the loop `innermost` of `routine` (null: in none). All other loops of the routine
// that do not contain it have ended.
void in_loop(const Loop* innermost, RoutineId routine);
// An iteration begins, of a loop whose iterations are logged (Instrumentation::log_iterations).
void iteration(const Loop& of);

// Lazy symbol binding begins and ends. It belongs to no routine.
void suspend();
void resume();

void kernel_read(GuestAddr address, std::size_t bytes);
void kernel_write(GuestAddr address, std::size_t bytes);

void map_external(GuestAddr address, std::size_t bytes); // a data file was mapped
void forget(GuestAddr address, std::size_t bytes);       // unmapped, or mapped anew
void move(GuestAddr from, GuestAddr to, std::size_t bytes);

} // namespace sink
