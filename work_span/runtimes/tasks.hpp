// Tasks of task-parallel run-time libraries: what a library's routines say, in one language.
//
// A task forks where its creator spawns it, whenever and on whichever thread its body runs: that
// is a piece, a thread of the engine of its own. It joins at the wait that is the first to wait
// for it: of its creator for its children, of a taskgroup or barrier for all descendants. Before
// that, its end is kept by the nearest of its ancestors that has not ended. An undeferred task
// goes on as its creator's.
//
// A team's thread executes an implicit task. Task and Team refer to each other by counts.
#pragma once

#include "work_span/runtimes/dependences.hpp"
#include "work_span/state/state.hpp"

namespace teams {
struct Team;
}

namespace tasks {

// Pieces that ended, united, and nobody has waited for.
struct Unwaited {
  SpanThread* children = nullptr;
  SpanThread* descendants = nullptr; // the children's, which they did not wait for
};

struct Task {
  explicit Task(teams::Team* of) : team(of) {}

  teams::Team* team;      // null: outside of parallel regions
  Task* parent = nullptr; // its creator; when it has ended, the next that had not; null: implicit
  std::size_t round = 0;  // the next barrier of the team, which waits for it
  std::size_t level = 0;  // taskgroups of its parent that it is in
  u32 references = 1;     // the children's, and its own until it has ended
  bool is_final = false;  // its children are undeferred
  bool has_ended = false;
  bool left = false;             // its body, by an exception
  bool shares_by_number = false; // the latest loop, among the team's threads
  u32 threads = 0;             // of the parallel regions that it meets; 0: as the environment says
  u32 threads_once = 0;        // of the next one; 0: as the others
  u64 name = 0;                // its library's
  Task* rest = nullptr;        // has its children and all else, if it was cut
  SpanThread* piece = nullptr; // null: undeferred, or the implicit one of who met the region
  GuestAddr site = 0;          // of its creation
  GuestAddr reduction = 0;     // the lock, where a thread reduces in a critical section
  void (*before_end)(shadow::Thread& thread) = nullptr;
  Endings after, ends; // by depend clauses
  PathPoint ordered{}; // the last ordered section's end, outside of parallel regions

  // Where it runs: what there was before.
  Task* interrupted = nullptr;
  SpanThread* span_before = nullptr;
  GuestAddr site_before = 0;

  Unwaited unwaited;
  Vector<Unwaited> outside{"cilkshadow.tasks"}; // of the taskgroups it is in
  Dependences* dependences = nullptr;           // of its children
};

Task& current(shadow::Thread& thread);

// A task to be, a child of the current one.
Task* create_child(shadow::Thread& thread, bool is_final);
Task* create_implicit(teams::Team* team);
void depend(Task& child, GuestAddr address, Access access);

void spawn(shadow::Thread& creator, Task& child);
// The same for OpenMP's, which only a parallel region gives threads; if its creator may go on
// beside it.
void spawn_in_region(shadow::Thread& creator, Task& child);
u64 spawned_outside_regions();
void forget_totals();
void begin(shadow::Thread& thread, Task& task);
void end_current(shadow::Thread& thread);
// Its body runs at once.
void run(shadow::Thread& creator, Task* child, bool may_be_deferred);
// The rest of the current task runs later, perhaps elsewhere: an untied task between two parts.
Task* cut_current(shadow::Thread& thread);
// Never runs.
void discard(Task* child);

// All that these wait for has ended.
void wait_for_children(shadow::Thread& thread);
void wait_for_all(Task& task, SpanThread& span);
// What ended has been counted; the order is known otherwise.
void take_over_work(Task& task, SpanThread& span);
// What a child with the dependences of `empty` would come after. Frees it.
void wait_for_dependences(shadow::Thread& thread, Task* empty);
void begin_group(shadow::Thread& thread);
void end_group(shadow::Thread& thread);

void unite(SpanThread*& into, SpanThread* ended);
void join(SpanThread& by, SpanThread*& ended);

} // namespace tasks
