#include "work_span/runtimes/onetbb.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <algorithm>
#include <utility>

namespace onetbb {

using shadow::Hook;
using shadow::HookedCall;
using tasks::Task;

namespace {

// All maps are by address unless noted otherwise.
struct State {
  AddressMap<Task*> waiting{"cilkshadow.tbb"};      // tasks that have not begun; null: it has begun
  AddressMap<PathPoint> counted{"cilkshadow.tbb"};  // of a count: its decrements so far
  AddressMap<PathPoint> finished{"cilkshadow.tbb"}; // of a wait context: the thread that made it 0
  // Of a task: the points that its creation required.
  AddressMap<PathPoint> complete{"cilkshadow.tbb"};
  NotUnderstood not_understood;
  u64 threads = 0;
};
Lazy<State> state{"cilkshadow.tbb"};

shadow::Thread& running() { return *shadow::running(); }
WorkSpan& engine() { return shadow::engine(); }

void gather(PathPoint& into) { engine().paths().gather(into, engine().publish(*running().span)); }
void observe_all(SpanThread& span, PathPoint& gathered) {
  if (gathered.node != nullptr)
    engine().observe(span, gathered);
  engine().paths().drop(gathered);
  gathered = {};
}

// Tasks

void spawn_next(shadow::Thread& thread);

Task* create_task(GuestAddr address) {
  Task* task = tasks::create_child(running(), false);
  task->name = address;
  task->before_end = spawn_next;
  task->orders_by_its_end = false;
  state->waiting.at(address) = task;
  return task;
}

void spawn(GuestAddr address) {
  Task* task = create_task(address);
  tasks::spawn(running(), *task);
  if (PathPoint* complete = state->complete.find(address))
    observe_all(*task->span, *complete);
}

// execute() returns the task to run next. If an exception leaves it, the task's own cancel() comes
// next, which decrements the count.
void spawn_next(shadow::Thread& thread) {
  thread.puts_at = 0;
  const Task& task = *thread.tasks.current;
  if (const u64 next = task.left ? task.name : guest::result(); next != 0)
    spawn(next);
}

void spawn_argument(HookedCall& call) { spawn(call.arguments[0]); }

void notify_waiters(HookedCall& call) { gather(state->finished.at(call.arguments[0])); }

void end_wait(GuestAddr context) {
  shadow::Thread& thread = running();
  engine().count_sync();
  tasks::take_over_work(tasks::current(thread), *thread.span);
  if (PathPoint* finished = state->finished.find(context))
    observe_all(*thread.span, *finished);
}
void end_wait_for_argument(HookedCall& call) { end_wait(call.arguments[0]); }

// Arguments: (task, its context, wait context, ...). The caller itself runs the task.
void execute(HookedCall& call) { create_task(call.arguments[0]); }
void end_execute_and_wait(HookedCall& call) { end_wait(call.arguments[2]); }

bool no_task(HookedCall&, shadow::Thread&, RoutineId) { return false; }

void note_concurrency(HookedCall&) {
  state->threads = std::max<u64>(state->threads, static_cast<u32>(guest::result()));
}

// Flow graphs

// A node with several predecessors counts their messages under a lock; the last one creates its
// task. A message is put by a routine or, if that is inlined, between a lock and the allocation of
// a task.

void complete(GuestAddr task, GuestAddr receiver) {
  if (PathPoint* counted = state->counted.find(receiver))
    state->complete.at(task) = std::exchange(*counted, {});
}

void put_message(HookedCall& call) { gather(state->counted.at(call.arguments[0])); }
void end_put(HookedCall& call) {
  constexpr u64 kEnqueued = ~u64{0};
  if (const u64 task = guest::result(); task != 0 && task != kEnqueued)
    complete(task, call.arguments[0]);
}
void end_inlined_put(HookedCall&) { running().puts_at = 0; }

void allocated(HookedCall&) {
  if (const GuestAddr receiver = std::exchange(running().puts_at, 0))
    complete(guest::result(), receiver);
}

} // namespace

const Hook hooks[] = {
    {"tbb::detail::r1::spawn(*", spawn_argument, nullptr},
    {"tbb::detail::r1::submit(*", spawn_argument, nullptr},
    {"tbb::detail::r1::enqueue(*", spawn_argument, nullptr},
    {"tbb::detail::r1::execute_and_wait(*", execute, end_execute_and_wait, no_task},
    {"tbb::detail::r1::wait(tbb::detail::d1::wait_context*", nullptr, end_wait_for_argument,
     no_task},
    {"tbb::detail::r1::notify_waiters(*", notify_waiters, nullptr},
    {"tbb::detail::r1::execute(*", nullptr, nullptr, no_task},
    {"tbb::detail::r1::isolate_within_arena(*", nullptr, nullptr, no_task},
    {"tbb::detail::r1::max_concurrency(*", nullptr, note_concurrency},
    {"tbb::detail::d1::continue_receiver::try_put_task(*", put_message, end_put},
    {"tbb::detail::d1::*::try_put_task(*", nullptr, end_inlined_put},
    {"tbb::detail::r1::allocate(*", nullptr, allocated},
    {nullptr, nullptr, nullptr},
};

// The qualified name decides, not the return type or the arguments.
bool is_template(const char* routine) {
  const char* name = routine;
  int depth = 0;
  for (const char* c = routine; *c != '\0'; c++) {
    const bool operand = depth == 0 && c - name >= 8 && VG_(strncmp)(c - 8, "operator", 8) == 0;
    if (*c == '(' && depth == 0 && c != name && !operand)
      break;
    if (operand)
      continue;
    if (*c == '<' || *c == '(' || *c == '{')
      depth++;
    else if (*c == '>' || *c == ')' || *c == '}')
      depth--;
    else if (*c == ' ' && depth == 0)
      name = c + 1;
  }
  return matches(name, {"tbb::detail::*"}) &&
         !matches(name, {"tbb::detail::d?::concurrent_*",
                         "tbb::detail::d?::enumerable_thread_specific*"});
}

bool task_begins(shadow::Thread& thread) {
  if (state.if_used() == nullptr)
    return false;
  Task** task = state->waiting.find(guest::argument(0));
  if (task == nullptr || *task == nullptr)
    return false;
  tasks::begin(thread, *std::exchange(*task, nullptr));
  return true;
}

// Nothing waits for an observer's callbacks when a thread enters or leaves.
void count_unknown_callback(RoutineId routine) {
  const char* const name = (*routines)[routine].name;
  state->not_understood.callbacks +=
      !matches(name, {"*::on_scheduler_entry(bool)", "*::on_scheduler_exit(bool)"});
}

// A node's count has 4 bytes. A wait context's has 8 and follows its version, which is 1.
// (Reader-writer locks are counts of 8 bytes, too, but order nothing.)
void decremented(GuestAddr address, unsigned bytes, bool to_zero) {
  shadow::flush_log();
  if (running().is_hidden() || (bytes == 8 && *reinterpret_cast<const u64*>(address - 8) != 1))
    return;
  shadow::account();
  PathPoint& counted = state->counted.at(address);
  gather(counted);
  if (to_zero)
    observe_all(*running().span, counted);
}

void locked_to_put(GuestAddr lock) {
  shadow::flush_log();
  if (running().is_hidden())
    return;
  shadow::account();
  gather(state->counted.at(lock));
  running().puts_at = lock;
}

bool is_in_template(const shadow::Thread& thread) {
  const std::size_t depth = thread.frames.size();
  return depth > 1 && (thread.frames[depth - 2].transparent || thread.frames[depth - 2].task);
}

NotUnderstood& not_understood() { return state->not_understood; }
u64 threads() { return state->threads; }

// What was found in the code also holds for a forked child.
void forget_totals() {
  state->threads = state->not_understood.callbacks = state->not_understood.pushes = 0;
}

} // namespace onetbb
