#include "work_span/annotations.hpp"

#include "base/lazy.hpp"
#include "trace/threads.hpp"
#include "work_span/cilkshadow.h"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"

#include <utility>

namespace annotations {
namespace {

using shadow::Thread;

struct Task {
  SpanThread* span = nullptr; // until somebody has waited for it
  bool ended = false;
};

Lazy<AddressMap<Task>> tasks{"cilkshadow.tasks"};

Task& task_at(GuestAddr address) {
  Task* known = tasks->find(address);
  return known != nullptr ? *known : tasks->insert(address, {});
}

void unmatched() { shadow::mistakes().unmatched++; }

// One that nobody waits for stays in the engine until the end.
void create_task(Thread& thread, GuestAddr address) {
  SpanThread* span = shadow::engine().start_thread(thread.span);
  shadow::engine().count_spawn(*span);
  shadow::engine().add_burden(*thread.span, 1);
  task_at(address) = {span, false};
}

void begin_task(Thread& thread, GuestAddr address) {
  Task& task = task_at(address);
  if (task.span == nullptr || task.ended) {
    unmatched();
    return;
  }
  spin_waits::is_known(thread);
  thread.tasks.annotated.push_back(
      {address, std::exchange(thread.span, task.span), thread.frames.size()});
}

void end_latest(Thread& thread) {
  const shadow::AnnotatedTask latest = thread.tasks.annotated.back();
  thread.tasks.annotated.pop_back();
  shadow::engine().end_thread(*thread.span);
  Task& task = task_at(latest.address);
  if (task.span == thread.span)
    task.ended = true;
  thread.span = latest.interrupted;
}

void end_task(Thread& thread, GuestAddr address) {
  if (!thread.tasks.annotated.empty() && thread.tasks.annotated.back().address == address &&
      thread.tasks.annotated.back().depth == thread.frames.size())
    end_latest(thread);
  else
    unmatched();
}

void wait_for_task(Thread& thread, GuestAddr address) {
  Task& task = task_at(address);
  if (task.span == nullptr || !task.ended) {
    unmatched();
    return;
  }
  shadow::engine().join_thread(*thread.span, std::exchange(task.span, nullptr));
  shadow::engine().count_sync();
}

void runtime(Thread& thread, bool begins) {
  if (!begins && thread.tasks.schedulers == 0)
    unmatched();
  else
    thread.tasks.schedulers += begins ? 1 : -1;
}

} // namespace

Bool handle(ThreadId tid, UWord* arguments, UWord* result) {
  if (!VG_IS_TOOL_USERREQ('C', 'S', arguments[0]))
    return False;
  *result = 0;
  threads::make_current(tid);
  shadow::account();
  Thread& thread = *shadow::running();
  const GuestAddr object = arguments[1];
  switch (arguments[0]) {
  case VG_USERREQ__CILKSHADOW_HAPPENS_BEFORE: thread_edges::release(object); return True;
  case VG_USERREQ__CILKSHADOW_HAPPENS_AFTER: thread_edges::acquire(object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_CREATE: create_task(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_BEGIN: begin_task(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_END: end_task(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_WAIT: wait_for_task(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_RUNTIME_BEGIN: runtime(thread, true); return True;
  case VG_USERREQ__CILKSHADOW_RUNTIME_END: runtime(thread, false); return True;
  default: shadow::mistakes().newer++; return True;
  }
}

void before_return(Thread& thread) {
  while (!thread.tasks.annotated.empty() &&
         thread.tasks.annotated.back().depth == thread.frames.size()) {
    unmatched();
    end_latest(thread);
  }
}

void before_end(Thread& thread) {
  while (!thread.tasks.annotated.empty())
    end_latest(thread);
}

} // namespace annotations
