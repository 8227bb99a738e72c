#include "work_span/runtimes/teams.hpp"

#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "trace/markers.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <algorithm>
#include <utility>

namespace teams {

using tasks::Task;

namespace {

Lazy<Vector<Team*>> active{"cilkshadow.teams"};
u64 most_threads = 0;
u64 in_one_chunk = 0;
u64 serialised = 0;
u64 of_alike = 0; // threads that may belong to another region than the one they are counted for

shadow::Thread& running() { return *shadow::running(); }
WorkSpan& engine() { return shadow::engine(); }
Task& task() { return tasks::current(running()); }

bool is_called(const Body& body, RoutineId routine) {
  if (body.routine != routine)
    return false;
  for (unsigned i = 0; i < body.count; i++)
    if (guest::argument(body.first + i) != body.arguments[i])
      return false;
  return true;
}

Alike* alike(const Body& body) {
  for (const Team* team : *active)
    if (team->body == body)
      return team->alike;
  return create<Alike>("cilkshadow.teams");
}

void end_one(Alike* teams) {
  if (--teams->active > 0)
    return;
  most_threads = std::max(most_threads, (teams->threads + teams->teams - 1) / teams->teams);
  if (teams->threads == teams->teams)
    in_one_chunk += teams->shared_loops;
  destroy(teams);
}

} // namespace

void add_reference(Team* team) { team->references++; }

void drop_reference(Team* team) {
  if (--team->references > 0)
    return;
  for (Round& round : team->rounds)
    engine().paths().drop(round.arrived_at);
  engine().paths().drop(team->late.arrived_at);
  engine().paths().drop(team->ordered);
  destroy(team);
}

bool is_over(const Team& team, std::size_t number) {
  return number < team.rounds_gone || (number - team.rounds_gone < team.rounds.size() &&
                                       team.rounds[number - team.rounds_gone].is_over);
}

Round& round(Team& team, std::size_t number) {
  if (is_over(team, number))
    return team.late;
  number -= team.rounds_gone;
  while (number >= team.rounds.size())
    team.rounds.emplace_back(); // resize would reallocate for each round
  return team.rounds[number];
}

Team* begin(const Body& body, u32 threads) {
  shadow::Thread& thread = running();
  const ControlVariables control = tasks::current(thread).control;
  Team* team = create<Team>("cilkshadow.teams",
                            Team{.body = body,
                                 .alike = alike(body),
                                 .origin = engine().start_thread(thread.span),
                                 .is_serial = (threads != 0 ? threads : control.threads) == 1,
                                 .control = control});
  team->alike->active++;
  team->alike->teams++;
  team->alike->threads++;
  active->push_back(team);
  tasks::begin(thread, *tasks::create_implicit(team));
  return team;
}

namespace {

// If several regions have the same body, it is unknown which of them a thread belongs to. A thread
// that still runs when its region ends belongs to another one.
void give_back_running(Team* team) {
  for (Team* other : *active) {
    if (other == team || !(other->body == team->body))
      continue;
    for (Task* member : team->running) {
      add_reference(other);
      drop_reference(std::exchange(member->team, other));
      other->running.push_back(member);
    }
    team->running.clear();
    return;
  }
}

} // namespace

void end(Team* team) {
  shadow::Thread& thread = running();
  tasks::wait_for_all(*thread.tasks.current, *thread.span);
  tasks::end_current(thread);
  if (!team->running.empty())
    give_back_running(team);
  engine().end_thread(*team->origin);
  tasks::unite(team->ended, team->origin);
  tasks::join(*thread.span, team->ended);
  end_one(team->alike);
  serialised += team->has_serialised;
  for (std::size_t i = 0; i < active->size(); i++)
    if ((*active)[i] == team)
      active->swap_remove(i--);
  if (team->threads > 1)
    engine().count_sync();
  drop_reference(team);
}

bool member_begins(shadow::Thread& thread, RoutineId routine) {
  if (active->empty() || !thread.hooked_calls.empty())
    return false; // the thread that met the region keeps its task
  Team* team = nullptr;
  u64 candidates = 0;
  for (Team* candidate : *active)
    if (is_called(candidate->body, routine)) {
      candidates++;
      if (team == nullptr || candidate->threads < team->threads)
        team = candidate;
    }
  if (team == nullptr)
    return false;
  of_alike += candidates > 1;
  team->threads++;
  team->alike->threads++;
  Task* implicit = tasks::create_implicit(team);
  implicit->span = engine().start_thread(team->origin);
  engine().count_spawn_without_burden();
  team->running.push_back(implicit);
  tasks::begin(thread, *implicit);
  return true;
}

void member_ended(Team& team, Task* member) {
  for (std::size_t i = 0; i < team.running.size(); i++)
    if (team.running[i] == member)
      team.running.swap_remove(i--);
}

void arrive() {
  if (task().team == nullptr)
    return;
  engine().barrier_in_loops(*running().span);
  Round& here = round(*task().team, task().round);
  engine().paths().gather(here.arrived_at, engine().publish(*running().span));
  here.arrived++;
  task().is_at_barrier = true;
  tasks::put_before_barrier(task());
}

void arrive_late() {
  if (task().team != nullptr)
    engine().paths().gather(round(*task().team, task().round).arrived_at,
                            engine().publish(*running().span));
}

namespace {

// Once there are many, it frees those that are over. O(1) amortised.
void free_rounds(Team& team) {
  constexpr std::size_t kMany = 64;
  Vector<Round>& rounds = team.rounds;
  if (rounds.size() < kMany)
    return;
  std::size_t over = 0;
  while (over < rounds.size() && rounds[over].is_over)
    over++;
  if (over < rounds.size() / 2)
    return;
  for (std::size_t i = over; i < rounds.size(); i++)
    rounds[i - over] = std::move(rounds[i]);
  for (std::size_t i = 0; i < over; i++)
    rounds.pop_back();
  team.rounds_gone += over;
}

} // namespace

void pass() {
  if (task().team == nullptr)
    return;
  Team& team = *task().team;
  Round& here = round(team, task().round++);
  task().loops_met = 0;
  task().is_at_barrier = false;
  const bool is_late = &here == &team.late;
  // A thread that was taken for another team's passes alone.
  if (++here.left < (is_late ? here.arrived : std::max(here.arrived, team.threads)))
    return;
  engine().paths().drop(here.arrived_at);
  here = Round{};
  if (is_late)
    return;
  here.is_over = true;
  team.posts.forget_until(task().doacross.met);
  free_rounds(team);
}

// Its arrival stays gathered. That has no effect, because the thread comes to the next barrier
// later.
void withdraw() {
  if (task().team == nullptr)
    return;
  round(*task().team, task().round).arrived--;
  task().is_at_barrier = false;
}

void leave() {
  if (task().team == nullptr)
    return tasks::wait_for_all(task(), *running().span);
  observe_arrived();
  pass();
  tasks::take_over_work(task(), *running().span);
}

void observe_arrived() {
  if (task().team != nullptr)
    engine().observe_copy(*running().span, round(*task().team, task().round).arrived_at);
}

bool all_have_arrived() {
  const Team* team = task().team;
  return team != nullptr && round(*task().team, task().round).arrived == team->threads;
}

namespace {

// The end of the last ordered section: of the team or, outside of regions, of the only thread.
PathPoint& ordered() { return task().team != nullptr ? task().team->ordered : task().ordered; }

} // namespace

void begin_ordered() { engine().observe_copy(*running().span, ordered()); }

void end_ordered() { engine().paths().gather(ordered(), engine().publish(*running().span)); }

void next_chunk(bool more) {
  shadow::Thread& thread = running();
  Team* team = task().team;
  if (thread.span->frames.empty() || team == nullptr)
    return;
  if (team->is_serial) {
    team->has_serialised |= more;
    return;
  }
  const bool inside = shadow::regions().in_parallel_loop(*thread.span);
  const auto mark = [&](Marker marker) {
    shadow::regions().marker(*thread.span, static_cast<u32>(marker), 0);
  };
  if (more != inside)
    divided_loops::pause(more);
  if (more && !inside)
    mark(Marker::for_begin);
  if (more)
    mark(Marker::for_iteration);
  else if (inside)
    mark(Marker::for_end);
}

void begin_shared_loop() {
  if (Team* team = task().team; team != nullptr && !team->is_serial)
    team->alike->shared_loops++;
}

u64 largest() { return most_threads; }
u64 threads_of_alike() { return of_alike; }
u64 loops_in_one_chunk() { return in_one_chunk; }
u64 that_serialised() { return serialised; }
void forget_totals() { most_threads = of_alike = in_one_chunk = serialised = 0; }

} // namespace teams
