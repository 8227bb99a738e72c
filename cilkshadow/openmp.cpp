#include "cilkshadow/openmp.hpp"

#include "cilkshadow/thread_edges.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"

#include <algorithm>
#include <utility>

namespace openmp {

using shadow::Hook;
using shadow::Hooked;

namespace {

// A round of a team's barrier.
struct Round {
  PathPoint arrived_at;
  u64 arrived = 0;
  u64 left = 0;
};

struct Team {
  RoutineId body;
  u64 data;           // argument of the body
  SpanThread* origin; // executes nothing: the fork
  SpanThread* ended = nullptr;
  u64 threads = 1;
  Vector<Round> rounds{"cilkshadow.openmp"};
};

} // namespace

// What a task's depend clauses say of one address: who has it written, and who read it since.
struct Dependence {
  PathPoint written;
  PathPoint read;
};

// A task, the implicit one of a team's thread or an explicit one, while it runs.
struct Task {
  Task(Task* creator, Team* of, SpanThread* span) : parent(creator), team(of), span_before(span) {}
  Task* parent; // null: of another thread, or none
  Team* team;   // null: outside of parallel regions
  SpanThread* span_before;
  std::size_t rounds = 0;            // barriers it was at
  SpanThread* children = nullptr;    // that have ended, united
  SpanThread* descendants = nullptr; // theirs, which they did not wait for
  struct Group {
    SpanThread* children;
    SpanThread* descendants;
  };
  Vector<Group> groups{"cilkshadow.openmp"};          // what was there before the taskgroup
  AddressMap<u32> dependence_at{"cilkshadow.openmp"}; // of the children, by address
  Vector<Dependence> dependences{"cilkshadow.openmp"};
};

namespace {

Vector<Team*>* teams; // active
u64 largest = 0;

shadow::Logical& running() { return *shadow::running(); }
WorkSpan& engine() { return shadow::engine(); }

Task& task_of(shadow::Logical& thread) {
  if (thread.task == nullptr)
    thread.task = create<Task>("cilkshadow.openmp", nullptr, nullptr, nullptr);
  return *thread.task;
}

void unite(SpanThread*& into, SpanThread* ended) {
  if (ended != nullptr)
    into = into == nullptr ? ended : engine().unite_ended(into, ended);
}

void join(SpanThread*& ended) {
  if (ended != nullptr)
    engine().join_thread(*running().span, std::exchange(ended, nullptr));
}

void wait_for_all(Task& task) {
  join(task.children);
  join(task.descendants);
}

void push_task(shadow::Logical& thread, Team* team) {
  thread.task = create<Task>("cilkshadow.openmp", thread.task, team, thread.span);
}

void drop(PathPoint& point) {
  if (point.node != nullptr)
    engine().paths().drop(point);
  point = {};
}

void pop_task(shadow::Logical& thread) {
  Task* task = thread.task;
  for (Dependence& dependence : task->dependences) {
    drop(dependence.written);
    drop(dependence.read);
  }
  thread.task = task->parent;
  destroy(task);
}

// Parallel regions

void begin_parallel(Hook& hook) {
  shadow::Logical& thread = running();
  if (teams == nullptr)
    teams = create<Vector<Team*>>("cilkshadow.openmp", "cilkshadow.openmp");
  auto* team =
      create<Team>("cilkshadow.openmp", Team{routines->called(hook.arguments[0]), hook.arguments[1],
                                             engine().start_thread(thread.span)});
  teams->push_back(team);
  hook.kept = team;
  push_task(thread, team);
}

void end_parallel(Hook& hook) {
  auto* team = static_cast<Team*>(hook.kept);
  shadow::Logical& thread = running();
  wait_for_all(*thread.task);
  pop_task(thread);
  engine().end_thread(*team->origin);
  unite(team->ended, team->origin);
  join(team->ended);
  for (Round& round : team->rounds)
    if (round.arrived_at.node != nullptr)
      engine().paths().drop(round.arrived_at);
  largest = std::max(largest, team->threads);
  for (std::size_t i = 0; i < teams->size(); i++)
    if ((*teams)[i] == team)
      teams->swap_remove(i--);
  destroy(team);
}

void arrive_at_barrier(Hook&) {
  Task& task = task_of(running());
  wait_for_all(task);
  if (task.team == nullptr)
    return;
  if (task.rounds == task.team->rounds.size())
    task.team->rounds.push_back({});
  Round& round = task.team->rounds[task.rounds];
  thread_edges::gather(round.arrived_at, engine().publish(*running().span));
  round.arrived++;
}

void leave_barrier(Hook&) {
  Task& task = task_of(running());
  if (task.team == nullptr)
    return;
  Round& round = task.team->rounds[task.rounds++];
  thread_edges::observe_copy(round.arrived_at);
  if (++round.left == round.arrived)
    engine().paths().drop(round.arrived_at);
}

// Tasks

constexpr u64 kDepend = 1 << 3;    // GOMP_TASK_FLAG_DEPEND
constexpr u64 kIfClause = 1 << 10; // GOMP_TASK_FLAG_IF
constexpr u64 kNoGroup = 1 << 11;  // GOMP_TASK_FLAG_NOGROUP

// The depend clauses of GOMP_task's argument, in the client's memory.
class DependClauses {
public:
  explicit DependClauses(const void* argument) : words_(static_cast<const u64*>(argument)) {}

  // Calls f(address, whether the task writes there).
  template <typename F> void for_each(F f) const {
    if (words_ == nullptr)
      return;
    const bool is_long = words_[0] == 0; // what gcc makes for mutexinoutset and depobj
    const u64 all = is_long ? words_[1] : words_[0];
    const u64 out = is_long ? words_[2] + words_[3] : words_[1];
    const u64* addresses = words_ + (is_long ? 5 : 2);
    for (u64 i = 0; i < all; i++)
      f(addresses[i], i < out);
  }

private:
  const u64* words_;
};

Dependence& dependence_at(Task& parent, GuestAddr address) {
  if (const u32* known = parent.dependence_at.find(address))
    return parent.dependences[*known];
  parent.dependence_at.insert(address, static_cast<u32>(parent.dependences.size()));
  return parent.dependences.push_back({});
}

void observe_copy(SpanThread& span, const PathPoint& point) {
  if (point.node == nullptr)
    return;
  PathPoint copy = engine().paths().copy(point);
  engine().observe(span, copy);
}

void wait_for_dependences(Task& parent, SpanThread& piece, const Hook& creation) {
  DependClauses(creation.kept).for_each([&](GuestAddr address, bool writes) {
    const Dependence& dependence = dependence_at(parent, address);
    observe_copy(piece, dependence.written);
    if (writes)
      observe_copy(piece, dependence.read);
  });
}

void satisfy_dependences(Task& parent, const SpanThread& piece, const Hook& creation) {
  DependClauses(creation.kept).for_each([&](GuestAddr address, bool writes) {
    Dependence& dependence = dependence_at(parent, address);
    PathPoint end = engine().paths().copy(piece.end);
    if (writes) {
      drop(dependence.written);
      drop(dependence.read);
      dependence.written = end;
    } else {
      thread_edges::gather(dependence.read, end);
    }
  });
}

// The arguments after the sixth are on the stack, after the return address.
void begin_task(Hook& hook) {
  const auto* stack =
      reinterpret_cast<const u64*>(guest::get(offsetof(VexGuestAMD64State, guest_RSP)));
  if ((static_cast<u32>(stack[1]) & kDepend) != 0)
    hook.kept = reinterpret_cast<void*>(stack[2]);
  guest::set(offsetof(VexGuestAMD64State, guest_R9), hook.arguments[5] & ~u64{0xFF}); // if_clause
}

void begin_group(Hook&) {
  Task& task = task_of(running());
  task.groups.push_back(
      {std::exchange(task.children, nullptr), std::exchange(task.descendants, nullptr)});
}

void end_group(Hook&) {
  Task& task = task_of(running());
  wait_for_all(task);
  engine().count_sync();
  if (task.groups.empty())
    return;
  task.children = task.groups.back().children;
  task.descendants = task.groups.back().descendants;
  task.groups.pop_back();
}

void begin_taskloop(Hook& hook) {
  guest::set(offsetof(VexGuestAMD64State, guest_R9), hook.arguments[5] & ~kIfClause);
  if ((hook.arguments[5] & kNoGroup) == 0)
    begin_group(hook);
}

void end_taskloop(Hook& hook) {
  if ((hook.arguments[5] & kNoGroup) == 0)
    end_group(hook);
}

void wait_for_children(Hook&) {
  engine().count_sync();
  join(task_of(running()).children);
}

// Loops

void next_chunk(Hook&) {
  shadow::Logical& thread = running();
  if (thread.span->frames.empty())
    return;
  const bool more = (guest::result() & 0xFF) != 0;
  const bool inside = thread.regions->in_loop(*thread.span);
  const auto mark = [&](Marker marker) {
    thread.regions->marker(*thread.span, static_cast<u32>(marker), 0);
  };
  if (more && !inside)
    mark(Marker::for_begin);
  if (more)
    mark(Marker::for_iteration);
  else if (inside)
    mark(Marker::for_end);
}

// Locks

void enter_unnamed(Hook& hook) {
  thread_edges::acquired(thread_edges::kUnnamedCritical, "critical", hook.caller);
}
void leave_unnamed(Hook&) { thread_edges::released(thread_edges::kUnnamedCritical); }
void enter_atomic(Hook& hook) {
  thread_edges::acquired(thread_edges::kAtomic, "critical", hook.caller);
}
void leave_atomic(Hook&) { thread_edges::released(thread_edges::kAtomic); }
void enter_named(Hook& hook) { thread_edges::acquired(hook.arguments[0], "critical", hook.caller); }
void set_lock(Hook& hook) { thread_edges::acquired(hook.arguments[0], "mutex", hook.caller); }
void test_lock(Hook& hook) {
  if (static_cast<u32>(guest::result()) != 0)
    set_lock(hook);
}
void unset(Hook& hook) { thread_edges::released(hook.arguments[0]); }

bool is_task_creation(const Hook& hook) {
  return hook.on_return == end_taskloop || hook.on_return == shadow::hooked("GOMP_task")->on_return;
}

void task_created(Hook&) {}

} // namespace

const Hooked hooks[] = {
    {"GOMP_parallel", begin_parallel, end_parallel},
    {"GOMP_parallel_loop_*", begin_parallel, end_parallel},
    {"GOMP_parallel_sections", begin_parallel, end_parallel},
    {"GOMP_barrier", arrive_at_barrier, leave_barrier},
    {"GOMP_barrier_cancel", arrive_at_barrier, leave_barrier},
    {"GOMP_loop_end", arrive_at_barrier, leave_barrier},
    {"GOMP_loop_end_cancel", arrive_at_barrier, leave_barrier},
    {"GOMP_sections_end", arrive_at_barrier, leave_barrier},
    {"GOMP_task", begin_task, task_created},
    {"GOMP_taskloop*", begin_taskloop, end_taskloop},
    {"GOMP_taskwait*", nullptr, wait_for_children},
    {"GOMP_taskgroup_start", begin_group, nullptr},
    {"GOMP_taskgroup_end", nullptr, end_group},
    {"GOMP_loop_*_start", nullptr, next_chunk},
    {"GOMP_loop_*_next", nullptr, next_chunk},
    {"GOMP_sections_start", nullptr, next_chunk},
    {"GOMP_sections_next", nullptr, next_chunk},
    {"GOMP_critical_start", nullptr, enter_unnamed},
    {"GOMP_critical_end", leave_unnamed, nullptr},
    {"GOMP_atomic_start", nullptr, enter_atomic},
    {"GOMP_atomic_end", leave_atomic, nullptr},
    {"GOMP_critical_name_start", nullptr, enter_named},
    {"GOMP_critical_name_end", unset, nullptr},
    {"omp_set_lock", nullptr, set_lock},
    {"omp_set_nest_lock", nullptr, set_lock},
    {"omp_test_lock", nullptr, test_lock},
    {"omp_test_nest_lock", nullptr, test_lock},
    {"omp_unset_lock", unset, nullptr},
    {"omp_unset_nest_lock", unset, nullptr},
    {nullptr, nullptr, nullptr},
};

bool piece_begins(shadow::Logical& thread, RoutineId routine) {
  if (!thread.hooks.empty() && is_task_creation(*thread.hooks.back())) {
    engine().count_spawn(*thread.span);
    SpanThread* piece = engine().start_thread(thread.span);
    wait_for_dependences(task_of(thread), *piece, *thread.hooks.back());
    push_task(thread, task_of(thread).team);
    thread.span = piece;
    return true;
  }
  if (teams == nullptr || !thread.hooks.empty())
    return false; // who met the parallel region goes on as what it is
  const u64 data = guest::argument(0);
  for (std::size_t i = teams->size(); i-- > 0;) {
    Team& team = *(*teams)[i];
    if (team.body != routine || team.data != data)
      continue;
    team.threads++;
    push_task(thread, &team);
    thread.span = engine().start_thread(team.origin);
    return true;
  }
  return false;
}

void piece_ends(shadow::Logical& thread) {
  Task& task = *thread.task;
  SpanThread* piece = thread.span;
  Team* team = task.team;
  const bool implicit = thread.hooks.empty();
  if (implicit)
    wait_for_all(task);
  engine().end_thread(*piece);
  thread.span = task.span_before;
  SpanThread* unwaited = task.children;
  unite(unwaited, task.descendants);
  pop_task(thread);
  if (implicit) {
    unite(team->ended, piece);
    return;
  }
  Task& parent = task_of(thread);
  satisfy_dependences(parent, *piece, *thread.hooks.back());
  unite(parent.children, piece);
  unite(parent.descendants, unwaited);
}

u64 largest_team() { return largest; }

} // namespace openmp
