#include "trace/threads.hpp"

#include "base/reserve.hpp"
#include "trace/call_events.hpp"
#include "trace/channel_events.hpp"
#include "trace/client_memory.hpp"
#include "trace/clock.hpp"
#include "trace/instrument.hpp"
#include "trace/loops/logged_loops.hpp"
#include "trace/split_stacks.hpp"
#include "trace/string_operations.hpp"
#include "trace/unreported_accesses.hpp"

#include <algorithm>
#include <utility>

extern "C" {
#include "pub_tool_xarray.h"
}

namespace threads {

Stack* current = nullptr;

namespace {

Vector<ClientThread*>* everyone; // by ThreadIndex - 1
ClientThread** by_tid;           // by Valgrind's ThreadId; null if not alive
ThreadId running = VG_INVALID_THREADID;
SuspendedStacks* suspended;
bool switched = false;
bool leaving_handlers = false;
u64 given_up;
u64 not_apart;

Stack* new_stack(ThreadIndex thread) {
  auto* stack = create<Stack>("trace.thread.stack");
  stack->logical = sink::start_thread(thread);
  return stack;
}

void end_stack(Stack* stack) {
  split_stacks::forget_beneath(*stack);
  if (!stack->shares_logical)
    sink::end_thread(stack->logical);
  destroy(stack);
}

// A handler nested deeper shares the logical thread of the one that it interrupts, because each
// logical thread takes address space.
constexpr std::size_t kMostLevels = 1000;
// How far below its lowest known address a stack may continue: interpreters make room in this way,
// and a handler may push onto the stack that it has interrupted.
constexpr GuestAddr kNear = 1024;

Stack* new_level(const ClientThread& thread) {
  if (thread.levels.size() < kMostLevels)
    return new_stack(thread.index);
  not_apart++;
  auto* stack = create<Stack>("trace.thread.stack");
  stack->logical = thread.levels.back()->logical;
  stack->shares_logical = true;
  return stack;
}

void use_stack(Stack* stack) {
  current = stack;
  sink::switch_thread(stack->logical);
}

void say_how_threads_take_turns() {
  if (VG_(clo_verbosity) > 0 && VG_(strcmp)(fair_scheduling(), "no") == 0)
    VG_(umsg)
  ("several threads: add --fair-sched=try to make them take turns as they do natively\n");
}

void created(ThreadId creator, ThreadId child) {
  auto* thread = create<ClientThread>("trace.thread");
  everyone->push_back(thread);
  if (everyone->size() == 2)
    say_how_threads_take_turns();
  thread->index = ThreadIndex{static_cast<u32>(everyone->size())};
  thread->creator = ThreadIndex::none;
  if (ClientThread* parent = find(creator)) {
    thread->creator = parent->index;
    const CallStack& calls = parent->stack()->calls;
    // A recursion may be a million calls deep.
    constexpr std::size_t kLongest = 100;
    for (std::size_t i = calls.depth() - std::min(calls.depth(), kLongest); i < calls.depth(); i++)
      thread->created_in.push_back(calls[i].routine);
    VG_(memcpy)(thread->name, parent->name, sizeof thread->name); // as the kernel does
  }
  thread->levels.push_back(new_stack(thread->index));
  unreported_accesses::created(*thread);
  by_tid[child] = thread;
}

void ended(ThreadId tid) {
  ClientThread* thread = find(tid);
  if (thread == nullptr)
    return;
  make_current(tid);
  unreported_accesses::ends(*thread);
  for (std::size_t i = thread->levels.size(); i-- > 0;)
    end_stack(thread->levels[i]);
  thread->levels.clear();
  by_tid[tid] = nullptr;
  if (running == tid) {
    running = VG_INVALID_THREADID;
    current = nullptr;
  }
}

void starts_running(ThreadId tid, ULong) {
  reserve::stop_if_used();
  make_current(tid);
  if (!current->begun) {
    current->begun = true;
    current->highest = VG_(get_SP)(tid);
    by_tid[tid]->lwp = VG_(gettid)();
    if (is_instrumenting())
      current->calls.begin(routines->containing(VG_(get_IP)(tid)), current->highest);
  }
  routines->look_for_changes();
  client_clock::starts_running(tid);
  string_operations::interrupted();
}

void handler_starts(ThreadId tid, Int signal, Bool) {
  client_clock::signal_comes(tid);
  channel_events::signal_delivered(tid, signal);
  make_current(tid);
  current->lowest = VG_(get_SP)(tid);
  current->interrupted_at = VG_(get_IP)(tid);
  ClientThread& thread = *by_tid[tid];
  if (thread.active == thread.levels.size())
    thread.levels.push_back(new_level(thread));
  thread.active++;
  current = thread.stack();
  current->begun = false;
  logged_loops::handler_starts(tid);
  sink::begin_signal_handler(current->logical);
}

void drop_level(ClientThread& thread) {
  thread.stack()->calls.end_all();
  thread.stack()->binding_slot = 0;
  thread.active--;
  current = thread.stack();
  sink::end_signal_handler(current->logical);
}

// Whether a handler is running and `sp` shows that a jump has left it, to a place where the
// interrupted code was before.
bool leaves_handler(GuestAddr sp) {
  const ClientThread& thread = *by_tid[running];
  for (std::size_t i = 0; i + 1 < thread.active; i++)
    for (const Stack* segment = thread.levels[i]; segment != nullptr; segment = segment->beneath)
      if (segment->has(sp))
        return true;
  return false;
}

// Makes the suspended stack that continues at `sp` the running one; returns null if none is known.
Stack* resume_stack(GuestAddr sp) {
  Stack* stack = suspended->take(sp);
  const std::size_t intact = stack == nullptr ? 0 : stack->calls.intact_depth(sp, client_word);
  if (stack != nullptr && intact == stack->calls.depth()) {
    use_stack(stack);
    return stack;
  }
  Stack* moved = suspended->take_moved(sp, by_tid[running]->index, client_word);
  if (moved == nullptr && intact > 0) {
    use_stack(stack);
    stack->calls.end_above(intact);
    return stack;
  }
  if (stack != nullptr)
    end_stack(stack); // its memory belongs to another stack now
  if (moved != nullptr)
    use_stack(moved);
  return moved;
}

Stack* begin_stack(const ClientThread& thread, GuestAddr sp) {
  Stack* stack = new_stack(thread.index);
  stack->begun = true;
  stack->highest = sp;
  use_stack(stack);
  return stack;
}

void suspend(Stack& stack, GuestAddr lowest, const ClientThread& thread) {
  given_up += suspended->size() == SuspendedStacks::kMost;
  suspended->leave(stack, lowest, thread.index, end_stack);
}

// Turns what was taken for a segment into a stack of its own.
void detach_segment(Stack* segment) {
  ClientThread& thread = *by_tid[running];
  suspend(*segment->beneath, segment->beneath->lowest, thread);
  thread.stack() = begin_stack(thread, segment->highest);
  destroy(segment);
}

// `sp` is on a stack that was interrupted on a lower level, and which does not continue there: a
// handler that had switched stacks has returned. Exchanges the two stacks.
bool resume_interrupted(ClientThread& thread, GuestAddr lowest, GuestAddr sp) {
  for (std::size_t i = 0; i + 1 < thread.active; i++)
    if (thread.levels[i]->lowest <= sp + kNear && sp <= thread.levels[i]->top()) {
      thread.stack()->lowest = lowest;
      std::swap(thread.levels[i], thread.stack());
      use_stack(thread.stack());
      return true;
    }
  return false;
}

// If `sp` is on a segment beneath the running one, makes that the running one and returns true.
bool leave_segments(GuestAddr sp) {
  Stack* segment = split_stacks::leave_segments(current, sp);
  if (segment != nullptr)
    by_tid[running]->stack() = current = segment;
  return segment != nullptr;
}

// Finds the stack of `sp`, on which the running thread is now. `lowest` is the lowest address of
// the stack it was on.
void find_stack(GuestAddr lowest, GuestAddr sp) {
  Stack* const left = current;
  if (lowest <= sp && sp <= left->top())
    return; // unwound, as by longjmp
  if ((sp < lowest && lowest <= sp + kNear && !suspended->holds(sp)) || leave_segments(sp))
    return;
  ClientThread& thread = *by_tid[running];
  if (thread.active >= kMostLevels)
    // Nobody switches there, and a stack that shares a logical thread cannot.
    return;
  if (resume_interrupted(thread, lowest, sp))
    return;
  switched = true;
  Stack* to = resume_stack(sp);
  if (to == nullptr)
    if (Stack* segment = split_stacks::begin_segment(*left, lowest, sp)) {
      thread.stack() = current = segment;
      return;
    }
  if (to == nullptr)
    to = begin_stack(thread, sp);
  suspend(*left, lowest, thread);
  thread.stack() = to;
}

void handler_returned(ThreadId tid, Int) {
  make_current(tid);
  ClientThread& thread = *by_tid[tid];
  if (thread.active > 1)
    drop_level(thread);
  // A handler need not return to where it interrupted. It may have been suspended and resumed on
  // another stack, or it may have made the thread continue elsewhere, as if by a call (this is how
  // Go preempts goroutines).
  const GuestAddr sp = VG_(get_SP)(tid);
  find_stack(current->lowest, sp);
  switched = false;
  if (is_instrumenting() && VG_(get_IP)(tid) != current->interrupted_at)
    event_jump(VG_(get_IP)(tid), sp, 0);
}

} // namespace

void listen() {
  everyone = create<Vector<ClientThread*>>("trace.threads", "trace.threads");
  suspended = create<SuspendedStacks>("trace.threads");
  const std::size_t bytes = VG_N_THREADS * sizeof(ClientThread*);
  by_tid = static_cast<ClientThread**>(allocate("trace.threads", bytes));
  VG_(memset)(by_tid, 0, bytes);
  VG_(track_pre_thread_ll_create)(created);
  VG_(track_pre_thread_ll_exit)(ended);
  VG_(track_start_client_code)(starts_running);
  VG_(track_pre_deliver_signal)(handler_starts);
  VG_(track_post_deliver_signal)(handler_returned);
}

// The core exposes this only through its arguments.
const char* fair_scheduling() {
  constexpr char kOption[] = "--fair-sched=";
  const char* value = "no";
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
    const char* argument = *static_cast<HChar**>(VG_(indexXA)(VG_(args_for_valgrind), i));
    if (VG_(strncmp)(argument, kOption, sizeof kOption - 1) == 0)
      value = argument + sizeof kOption - 1;
  }
  return value;
}

ClientThread* find(ThreadId tid) {
  return tid == VG_INVALID_THREADID || tid >= VG_N_THREADS ? nullptr : by_tid[tid];
}

const Vector<ClientThread*>& all() { return *everyone; }

void make_current(ThreadId tid) {
  if (tid == running)
    return;
  running = tid;
  use_stack(by_tid[tid]->stack());
}

void stack_pointer_set(GuestAddr old_sp, GuestAddr sp) {
  switched = false;
  leaving_handlers = leaves_handler(sp);
  if (!leaving_handlers)
    find_stack(old_sp, sp);
}

void forget_calls() {
  suspended->take_all(end_stack);
  for (ClientThread* thread : *everyone)
    for (Stack* stack : thread->levels) {
      sink::cut_off(stack->logical);
      for (; stack != nullptr; stack = stack->beneath) {
        stack->calls.forget();
        stack->binding_slot = 0;
      }
    }
}

bool leave_handlers(GuestAddr sp) {
  if (!leaves_handler(sp))
    return false;
  while (leaves_handler(sp))
    drop_level(*by_tid[running]);
  find_stack(current->lowest, sp);
  return true;
}

bool complete_switch(GuestAddr sp) {
  if (std::exchange(leaving_handlers, false))
    leave_handlers(sp);
  if (switched && current->is_undecided)
    detach_segment(current); // it is entered by a jump
  return std::exchange(switched, false);
}

void look_for_segments(GuestAddr sp) {
  if (current->beneath != nullptr && sp > current->top())
    leave_segments(sp);
}

void unmapped(GuestAddr address, std::size_t bytes) {
  suspended->unmapped(address, address + bytes, end_stack);
}

u64 stacks_given_up() { return given_up; }
u64 handlers_not_apart() { return not_apart; }

} // namespace threads
