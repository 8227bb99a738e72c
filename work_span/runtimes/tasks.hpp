// Tasks of task-parallel run-time libraries: what the routines of each library mean, in one
// language.
//
// A task forks where its creator spawns it, whenever and on whichever thread its body runs: it has
// a thread of the engine of its own. It joins at the first wait that is for it: of its creator for
// its children, or of a taskgroup or barrier for all descendants. Until then the nearest of its
// ancestors that has not ended keeps its end. An undeferred task goes on as its creator's.
//
// A team's thread executes an implicit task. A task lives until its children and itself have ended;
// tasks and teams count their references to each other.
#pragma once

#include "work_span/runtimes/dependences.hpp"
#include "work_span/state/state.hpp"

namespace teams {
struct Team;
}

namespace tasks {

// Tasks that ended and that nobody has waited for, united; null: there are none.
struct Unwaited {
  SpanThread* children = nullptr;
  SpanThread* descendants = nullptr; // of the children, which did not wait for them
};

struct Task {
  explicit Task(teams::Team* of) : team(of) {}

  teams::Team* team;      // null: outside of parallel regions
  Task* parent = nullptr; // its creator; when that has ended, its nearest ancestor that has not;
                          // null: the task is implicit
  std::size_t round = 0;  // the team's next barrier, which waits for it
  std::size_t level = 0;  // taskgroups of its parent that it is in
  u32 references = 1;     // the children's, and its own until it has ended
  bool is_final = false;  // its children are undeferred
  bool has_ended = false;
  bool left = false;             // an exception left its body
  bool shares_by_number = false; // the latest loop is divided by the numbers of the team's threads
  u32 threads = 0;            // of the parallel regions that it meets; 0: as the environment says
  u32 threads_once = 0;       // of the next one; 0: as of the others
  u64 name = 0;               // by which its library knows it
  Task* rest = nullptr;       // of a task that was cut: has its children and all else
  SpanThread* span = nullptr; // its own; null: it is undeferred, or implicit in the thread that
                              // met the region
  Caller creator{};           // of it, and where
  GuestAddr reduction = 0;    // the lock, where a thread reduces in a critical section
  void (*before_end)(shadow::Thread& thread) = nullptr;
  Endings after, ends; // by depend clauses
  PathPoint ordered{}; // the end of the last ordered section, outside of parallel regions

  // What its thread did before it began.
  Task* interrupted = nullptr;
  SpanThread* span_before = nullptr;
  Caller outside_before{};

  Unwaited unwaited;
  Vector<Unwaited> outside{"cilkshadow.tasks"}; // of the taskgroups that it is in
  Dependences* dependences = nullptr;           // of its children
};

Task& current(shadow::Thread& thread);

// A task to be, a child of the current one.
Task* create_child(shadow::Thread& thread, bool is_final);
Task* create_implicit(teams::Team* team);
void depend(Task& child, GuestAddr address, Access access);

void spawn(shadow::Thread& creator, Task& child);
// As spawn, for OpenMP's tasks: undeferred if they must be, and counted outside of parallel
// regions, where there are no threads for them.
void spawn_in_region(shadow::Thread& creator, Task& child);
u64 spawned_outside_regions();
void forget_totals();
void begin(shadow::Thread& thread, Task& task);
void end_current(shadow::Thread& thread);
// Begins a child at once, spawned if it may be deferred.
void run(shadow::Thread& creator, Task* child, bool may_be_deferred);
// Cuts the current task, which is untied: what is left of it runs later, perhaps elsewhere.
Task* cut_current(shadow::Thread& thread);
// A child that never runs.
void discard(Task* child);

// Waits until the children, or all descendants, have ended.
void wait_for_children(shadow::Thread& thread);
void wait_for_all(Task& task, SpanThread& span);
// Counts the work of those that have ended; their order is known otherwise.
void take_over_work(Task& task, SpanThread& span);
// Waits for what a child with the dependences of `empty` would come after. Frees it.
void wait_for_dependences(shadow::Thread& thread, Task* empty);
void begin_group(shadow::Thread& thread);
void end_group(shadow::Thread& thread);

void unite(SpanThread*& into, SpanThread* ended);
void join(SpanThread& by, SpanThread*& ended);

} // namespace tasks
