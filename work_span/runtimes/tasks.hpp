// Tasks of task-parallel run-time libraries: the common terms in which the hooks of each library
// say what its routines do.
//
// A task forks where its creator spawns it, no matter when and on which thread its body runs: it
// has a thread of the engine of its own. It joins at the first wait that covers it: its creator's
// wait for its children, or that of a taskgroup or barrier for all descendants. Until then, its
// nearest ancestor that has not ended keeps its end. A barrier comes after what its threads keep
// then or get before they leave: what was waited for before comes before that anyway, so that the
// dag can be folded. An undeferred task runs as a part of its creator.
//
// Each thread of a team executes an implicit task. A task is freed when it and its children have
// ended; tasks and teams count their references to each other.
#pragma once

#include "work_span/runtimes/control_variables.hpp"
#include "work_span/runtimes/dependences.hpp"
#include "work_span/runtimes/doacross.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/state/state.hpp"

namespace teams {
struct Team;
}

namespace tasks {

// Ended tasks that nobody has waited for, merged; null: none.
struct Unwaited {
  SpanThread* children = nullptr;
  SpanThread* descendants = nullptr; // of the children, which did not wait for them
};

struct Task {
  static constexpr u32 kUnknown = ~u32{0};

  explicit Task(teams::Team* of) : team(of) {}

  teams::Team* team;      // null: outside of parallel regions
  Task* parent = nullptr; // its creator or, if that has ended, its nearest ancestor that has not;
                          // null: an implicit task
  std::size_t round = 0;  // of an implicit task: the team's next barrier
  std::size_t level = 0;  // number of its parent's taskgroups that contain it
  u32 references = 1;     // one for each child, and one until it has ended
  bool is_final = false;  // its children are undeferred
  bool is_at_barrier = false; // an implicit task that has arrived, and not left
  bool has_ended = false;
  bool left = false;             // by an exception
  bool orders_by_its_end = true; // false: who waits for it comes after an earlier point of it
  bool is_detached = false;      // ends when its event is fulfilled, too; reset then
  bool has_returned = false;     // its body
  bool shares_by_number = false; // the latest loop is divided by thread number
  ControlVariables control{};
  u32 threads_once = 0;                      // of the next one only; 0: like the others
  u32 team_size = 0;                         // as the program has asked for it; 0: it has not
  u32 thread_number = kUnknown;              // likewise
  bool is_in_share = false;                  // of a loop whose end will be seen
  u32 loops_met = 0;                         // of the team's since the barrier, that have shares
  shares::LoopProgress* in_chunks = nullptr; // the loop of which it takes chunks
  doacross::Loop doacross{};                 // the latest that it has met
  u64 name = 0;                              // its identifier in the library
  Task* rest = nullptr;       // if it was cut: the task that has its children and everything else
  SpanThread* span = nullptr; // its own; null: it is undeferred, or the implicit task of the thread
                              // that met the region
  Caller creator{};           // where it was created, and by what
  GuestAddr reduction = 0;    // the lock, if a thread reduces in a critical section
  void (*before_end)(shadow::Thread& thread) = nullptr;
  Endings after, ends;   // by depend clauses
  PathPoint fulfilled{}; // its event, before its body returned
  PathPoint ordered{};   // the end of the last ordered section, outside of parallel regions

  // What its thread did before the task began.
  Task* interrupted = nullptr;
  SpanThread* span_before = nullptr;
  Caller outside_before{};

  Unwaited unwaited;
  Vector<Unwaited> outside{"cilkshadow.tasks"}; // of the taskgroups that contain it
  Dependences* dependences = nullptr;           // of its children

  bool knows_its_number() const { return team_size > 0 && thread_number != kUnknown; }
};

Task& current(shadow::Thread& thread);

// Creates a child of the current task, which has not been spawned yet.
Task* create_child(shadow::Thread& thread, bool is_final);
// The same of any task, created there.
Task* create_child_of(Task& parent, const Caller& creator);
Task* create_implicit(teams::Team* team);
void depend(Task& child, GuestAddr address, Access access);

void spawn(shadow::Thread& creator, Task& child);
// Like spawn, for OpenMP's tasks: they may have to be undeferred, and are counted if outside of
// parallel regions, where there are no threads for them.
void spawn_in_region(shadow::Thread& creator, Task& child);
u64 spawned_outside_regions();
void forget_totals();
void begin(shadow::Thread& thread, Task& task);
void end_current(shadow::Thread& thread);
// The task ends when fulfil is called, too, by the thread that fulfils its event.
void detach(Task& task);
void fulfil(Task& detached);
// Begins a child at once; spawns it if it may be deferred.
void run(shadow::Thread& creator, Task* child, bool may_be_deferred);
// Cuts the current task, which is untied: the rest of it runs later, possibly in another thread.
Task* cut_current(shadow::Thread& thread);
// Frees a child that never runs.
void discard(Task* child);

// What its thread does after a barrier comes after all that the implicit task keeps.
void put_before_barrier(Task& implicit);
// Wait until the children, or all descendants, have ended.
void wait_for_children(shadow::Thread& thread);
void wait_for_all(Task& task, SpanThread& span);
// Counts the work of tasks that have ended; their order is known otherwise.
void take_over_work(Task& task, SpanThread& span);
// Waits for everything that a child with the dependences of `empty` would come after. Frees it.
void wait_for_dependences(shadow::Thread& thread, Task* empty);
void begin_group(shadow::Thread& thread);
void end_group(shadow::Thread& thread);

void unite(SpanThread*& into, SpanThread* ended);
void join(SpanThread& by, SpanThread*& ended);

} // namespace tasks
