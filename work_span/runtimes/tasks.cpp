#include "work_span/runtimes/tasks.hpp"

#include "work_span/order/locks.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/runtimes/teams.hpp"

#include <utility>

namespace tasks {
namespace {

u64 outside_regions = 0;

WorkSpan& engine() { return shadow::engine(); }

void drop_reference(Task* task) {
  while (task != nullptr && --task->references == 0) {
    Task* parent = task->parent;
    if (task->team != nullptr)
      teams::drop_reference(task->team);
    engine().paths().drop(task->ordered);
    if (task->dependences != nullptr)
      destroy(task->dependences);
    shares::forget_progress(*task);
    drop_reference(task->rest);
    destroy(task);
    task = parent;
  }
}

void set_parent(Task& task, Task* parent) {
  if (parent != nullptr)
    parent->references++;
  drop_reference(std::exchange(task.parent, parent));
}

// Returns the parent; if that was cut, the rest of it.
Task* parent_now(Task& task) {
  while (task.parent != nullptr && task.parent->rest != nullptr)
    set_parent(task, task.parent->rest);
  return task.parent;
}

void put_end_before_barrier(Task& implicit, const SpanThread* ended) {
  if (ended != nullptr)
    engine().paths().gather(teams::round(*implicit.team, implicit.round).arrived_at,
                            engine().paths().copy(ended->end));
}

// Hands what an ended task leaves over to its nearest ancestor that has not ended, which becomes
// its parent. So in a chain of tasks, each created by the one before, the next is one step away.
void hand_over(Task& task) {
  const bool is_implicit = parent_now(task) == nullptr;
  const bool is_child = !is_implicit && !task.parent->has_ended;
  while (parent_now(task) != nullptr && task.parent->has_ended) {
    task.level = task.parent->level;
    set_parent(task, task.parent->parent);
  }
  Task* ancestor = task.parent;
  if (ancestor == nullptr) {
    if (is_implicit)
      teams::member_ended(*task.team, &task);
    for (SpanThread* ended : {task.span, task.unwaited.children, task.unwaited.descendants})
      unite(task.team->ended, ended);
    return;
  }
  if (ancestor->is_at_barrier)
    for (SpanThread* ended : {task.span, task.unwaited.children, task.unwaited.descendants})
      put_end_before_barrier(*ancestor, ended);
  Unwaited& kept =
      task.level == ancestor->outside.size() ? ancestor->unwaited : ancestor->outside[task.level];
  unite(is_child ? kept.children : kept.descendants, task.span);
  unite(kept.descendants, task.unwaited.children);
  unite(kept.descendants, task.unwaited.descendants);
}

void say_ended(Task& task, SpanThread& span) {
  if (task.ends.empty())
    return;
  PathPoint end =
      task.span != nullptr ? engine().paths().copy(task.span->end) : engine().publish(span);
  for (Ending* ending : task.ends)
    engine().paths().gather(ending->point, engine().paths().copy(end));
  engine().paths().drop(end);
}

// By its depend clauses, a task excludes others while it runs.
void acquire(const Task& task, SpanThread& span) {
  for (Ending* ending : task.ends)
    if (ending->lock != nullptr)
      engine().acquire(span, ending->exclusion);
}

void release(const Task& task, SpanThread& span) {
  for (Ending* ending : task.ends)
    if (ending->lock != nullptr) {
      engine().release(span, ending->exclusion);
      locks::take_totals(*ending->lock, ending->exclusion);
    }
}

} // namespace

void unite(SpanThread*& into, SpanThread* ended) {
  if (ended != nullptr)
    into = into == nullptr ? ended : engine().unite_ended(into, ended);
}

void join(SpanThread& by, SpanThread*& ended) {
  if (ended != nullptr)
    engine().join_thread(by, std::exchange(ended, nullptr));
}

Task& current(shadow::Thread& thread) {
  if (thread.tasks.current == nullptr)
    thread.tasks.current = create_implicit(nullptr);
  return *thread.tasks.current;
}

Task* create_implicit(teams::Team* team) {
  Task* made = create<Task>("cilkshadow.tasks", team);
  if (team != nullptr) {
    teams::add_reference(team);
    made->control = team->control;
  }
  return made;
}

Task* create_child_of(Task& parent, const Caller& creator) {
  parent.references++;
  Task* made = create_implicit(parent.team);
  made->parent = &parent;
  made->level = parent.outside.size();
  made->is_final = parent.is_final;
  made->control = parent.control;
  made->creator = creator;
  return made;
}

Task* create_child(shadow::Thread& thread, bool is_final) {
  Task* made = create_child_of(current(thread), thread.outside);
  made->is_final |= is_final;
  return made;
}

void depend(Task& child, GuestAddr address, Access access) {
  Task& parent = *child.parent;
  if (parent.dependences == nullptr)
    parent.dependences = create<Dependences>("cilkshadow.dependences");
  parent.dependences->enter(address, access, child.after, child.ends);
}

void spawn(shadow::Thread& creator, Task& child) {
  engine().count_spawn(*creator.span);
  if (DagRecorder* dag = shadow::state->dag; dag != nullptr)
    dag->note_task(*creator.span->dag);
  child.span = engine().start_thread(creator.span);
}

void spawn_in_region(shadow::Thread& creator, Task& child) {
  if (child.parent->is_final)
    return;
  if (child.team != nullptr && child.team->is_serial) {
    child.team->has_serialised = true;
    return;
  }
  outside_regions += child.team == nullptr;
  spawn(creator, child);
}

u64 spawned_outside_regions() { return outside_regions; }
void forget_totals() {
  outside_regions = 0;
  for (const Task* task = shadow::running()->tasks.current; task != nullptr;
       task = task->interrupted)
    for (Ending* ending : task->ends)
      ending->exclusion.acquired_at = 0;
}

void begin(shadow::Thread& thread, Task& task) {
  task.interrupted = std::exchange(thread.tasks.current, &task);
  task.span_before = thread.span;
  task.outside_before = thread.outside;
  if (task.span != nullptr)
    thread.span = task.span;
  if (task.parent != nullptr)
    thread.outside = task.creator;
  for (const Ending* ending : task.after)
    engine().observe_copy(*thread.span, ending->point);
  task.after.clear();
  acquire(task, *thread.span);
}

namespace {

// In the dag, nothing will come after this point, so that what is before it can be folded.
void forget_strand(PathPoint& end) {
  if (const StrandId strand = std::exchange(end.strand, StrandId::none); strand != StrandId::none)
    shadow::state->dag->strands().unpin(strand);
}

// Its body has returned, and its event is fulfilled if it is detached.
void end(Task& task, SpanThread& span) {
  task.has_ended = true;
  if (task.span != nullptr) {
    if (task.fulfilled.node != nullptr)
      engine().observe(*task.span, task.fulfilled);
    engine().paths().drop(task.fulfilled);
    engine().end_thread(*task.span);
    if (!task.orders_by_its_end)
      forget_strand(task.span->end);
  }
  say_ended(task, span);
  hand_over(task);
  drop_reference(&task);
}

} // namespace

void end_current(shadow::Thread& thread) {
  Task& task = *thread.tasks.current;
  if (task.before_end != nullptr)
    task.before_end(thread);
  if (task.span != nullptr)
    named_regions::before_end_of_task(thread);
  release(task, *thread.span);
  thread.tasks.current = task.interrupted;
  thread.span = task.span_before;
  thread.outside = task.outside_before;
  task.has_returned = true;
  if (!task.is_detached || task.span == nullptr)
    end(task, *thread.span);
}

void detach(Task& task) {
  task.is_detached = true;
  task.references++;
}

// An undeferred task is a part of its creator, and has ended with its body.
void fulfil(Task& detached) {
  detached.is_detached = false;
  if (!detached.has_ended && detached.span != nullptr) {
    detached.fulfilled = shadow::publish();
    if (detached.has_returned)
      end(detached, *detached.span);
  }
  drop_reference(&detached);
}

void run(shadow::Thread& creator, Task* child, bool may_be_deferred) {
  if (may_be_deferred)
    spawn_in_region(creator, *child);
  begin(creator, *child);
}

Task* cut_current(shadow::Thread& thread) {
  Task& task = *thread.tasks.current;
  release(task, *thread.span);
  task.parent->references++;
  Task* rest = create_implicit(task.team);
  rest->parent = task.parent;
  rest->level = task.level;
  rest->is_final = task.is_final;
  rest->control = task.control;
  rest->creator = task.creator;
  rest->name = task.name;
  if (task.span != nullptr)
    rest->span = engine().start_thread(thread.span);
  rest->ends = std::move(task.ends);
  rest->unwaited = std::exchange(task.unwaited, {});
  rest->outside = std::move(task.outside);
  rest->dependences = std::exchange(task.dependences, nullptr);
  rest->references++;
  task.rest = rest;
  return rest;
}

void discard(Task* child) {
  child->has_ended = true;
  drop_reference(child);
}

void wait_for_children(shadow::Thread& thread) {
  engine().count_sync();
  Task& task = current(thread);
  join(*thread.span, task.unwaited.children);
  for (Unwaited& before_group : task.outside)
    join(*thread.span, before_group.children);
}

void wait_for_all(Task& task, SpanThread& span) {
  join(span, task.unwaited.children);
  join(span, task.unwaited.descendants);
}

void put_before_barrier(Task& implicit) {
  const auto put = [&](const Unwaited& kept) {
    put_end_before_barrier(implicit, kept.children);
    put_end_before_barrier(implicit, kept.descendants);
  };
  put(implicit.unwaited);
  for (const Unwaited& before_group : implicit.outside)
    put(before_group);
}

void take_over_work(Task& task, SpanThread& span) {
  for (SpanThread** ended : {&task.unwaited.children, &task.unwaited.descendants})
    if (*ended != nullptr)
      engine().join_work(span, std::exchange(*ended, nullptr));
}

void wait_for_dependences(shadow::Thread& thread, Task* empty) {
  engine().count_sync();
  begin(thread, *empty);
  end_current(thread);
}

void begin_group(shadow::Thread& thread) {
  Task& task = current(thread);
  task.outside.push_back(std::exchange(task.unwaited, {}));
}

void end_group(shadow::Thread& thread) {
  Task& task = current(thread);
  wait_for_all(task, *thread.span);
  engine().count_sync();
  if (task.outside.empty())
    return;
  task.unwaited = task.outside.back();
  task.outside.pop_back();
}

} // namespace tasks
