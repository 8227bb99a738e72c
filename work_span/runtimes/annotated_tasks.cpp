#include "work_span/runtimes/annotated_tasks.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/state/state.hpp"

#include <utility>

namespace annotated_tasks {

using shadow::Thread;

namespace {

struct Task {
  SpanThread* span = nullptr; // until it is waited for
  bool ended = false;
};

Lazy<AddressMap<Task>> tasks{"cilkshadow.tasks"};

Task& task_at(GuestAddr address) {
  Task* known = tasks->find(address);
  return known != nullptr ? *known : tasks->insert(address, {});
}

void unmatched() { shadow::mistakes().unmatched++; }

void end_latest(Thread& thread) {
  const shadow::AnnotatedTask latest = thread.tasks.annotated.back();
  thread.tasks.annotated.pop_back();
  named_regions::before_end_of_task(thread);
  shadow::engine().end_thread(*thread.span);
  Task& task = task_at(latest.address);
  if (task.span == thread.span)
    task.ended = true;
  thread.span = latest.interrupted;
}

} // namespace

// A task that nobody waits for stays in the engine until the end.
void create(Thread& thread, GuestAddr address) {
  SpanThread* span = shadow::engine().start_thread(thread.span);
  shadow::engine().count_spawn(*span);
  shadow::engine().add_burden(*thread.span, 1);
  task_at(address) = {span, false};
}

void begin(Thread& thread, GuestAddr address) {
  Task& task = task_at(address);
  if (task.span == nullptr || task.ended) {
    unmatched();
    return;
  }
  spin_waits::discard_wait(thread);
  thread.tasks.annotated.push_back(
      {address, std::exchange(thread.span, task.span), thread.frames.size()});
}

void end(Thread& thread, GuestAddr address) {
  if (!thread.tasks.annotated.empty() && thread.tasks.annotated.back().address == address &&
      thread.tasks.annotated.back().depth == thread.frames.size())
    end_latest(thread);
  else
    unmatched();
}

void wait_for(Thread& thread, GuestAddr address) {
  Task& task = task_at(address);
  if (task.span == nullptr || !task.ended) {
    unmatched();
    return;
  }
  shadow::engine().join_thread(*thread.span, std::exchange(task.span, nullptr));
  shadow::engine().count_sync();
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

} // namespace annotated_tasks
