// Parallel regions of OpenMP and what their teams share: barriers, ordered sections, loops.
//
// A region forks from the thread that meets it and ends in that thread. Each other thread of its
// team has a thread of the engine from the fork on. The chunks of a loop with a dynamic schedule
// are iterations of a parallel loop. A loop with a static schedule is divided by the program
// itself: its parallelism is the number of threads in the team.
#pragma once

#include "work_span/runtimes/control_variables.hpp"
#include "work_span/runtimes/doacross.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/state/state.hpp"

namespace teams {

// One use of a team's barrier.
struct Round {
  PathPoint arrived_at; // the threads, and the tasks that had to end before
  u64 arrived = 0;
  u64 left = 0;
  bool is_over = false;                  // all threads of the team have left
  u32 division_by_number = 0;            // of what the program divides before it; 0: nothing
  Vector<u32> loops{"cilkshadow.teams"}; // divisions of the loops that threads meet before it
};

// The arguments of a region's body, as far as they distinguish regions.
struct Body {
  RoutineId routine;
  unsigned first = 0; // position of the first of `arguments` among all
  unsigned count = 0;
  u64 arguments[3]{};

  bool operator==(const Body& other) const {
    bool equal = routine == other.routine && first == other.first && count == other.count;
    for (unsigned i = 0; equal && i < count; i++)
      equal = arguments[i] == other.arguments[i];
    return equal;
  }
};

// Teams with the same body at the same time. It is unknown which of them a thread belongs to; only
// the total number of threads is known.
struct Alike {
  u64 active = 0;
  u64 teams = 0;
  u64 threads = 0;
  u64 shared_loops = 0;
};

struct Team {
  Body body;
  Alike* alike;
  SpanThread* origin;          // the fork; it executes nothing
  bool is_serial = false;      // one thread was requested: its tasks and loops are serial
  ControlVariables control{};  // of its tasks
  bool has_serialised = false; // tasks, or chunks of loops
  u64 threads = 1;
  Vector<tasks::Task*> running{"cilkshadow.teams"}; // the implicit tasks of its other threads
  u32 references = 1;                       // one of the region, and one of each of its tasks
  SpanThread* ended = nullptr;              // its ended threads and tasks, merged
  PathPoint ordered{};                      // the end of the last ordered section
  Vector<Round> rounds{"cilkshadow.teams"}; // but for the first ones, which are over
  std::size_t rounds_gone = 0;
  Round late{}; // of a thread that comes to one of these: it was taken for another team's
  doacross::Posts posts{};
  shares::ChunkedLoop loop{}; // that the region consists of
};

void add_reference(Team* team);
void drop_reference(Team* team);
bool is_over(const Team& team, std::size_t number); // a round, for those that belong to the team
Round& round(Team& team, std::size_t number);

// A region begins in the running thread, for so many threads; 0: as its task says. The same thread
// must end it.
Team* begin(const Body& body, u32 threads);
void end(Team* team);
// A run-time library is about to call `routine`. Returns true if that is a region's body, in which
// case the thread becomes a member of the team.
bool member_begins(shadow::Thread& thread, RoutineId routine);
void member_ended(Team& team, tasks::Task* member);

// The running thread arrives at its team's barrier, and leaves after all that have arrived.
void arrive();
void leave();
// Others also wait for what it has done since its arrival.
void arrive_late();
void pass();     // it leaves without having waited
void withdraw(); // it was no barrier: the next one waits for the tasks up to there
// What all threads that have arrived did happens before what the running thread does next. It must
// still leave.
void observe_arrived();
bool all_have_arrived();

void begin_ordered();
void end_ordered();

// A chunk of a loop's iterations begins, or there are no more.
void next_chunk(bool more);
// A loop begins that one thread executes as a single chunk if it is the only one of its team.
void begin_shared_loop();

u64 largest();            // number of threads of a team; 0: no parallel regions
u64 threads_of_alike();   // those that may belong to any of several regions
u64 loops_in_one_chunk(); // that more threads would have shared
u64 that_serialised();    // regions with tasks or chunks, but only one thread for them
void forget_totals();

} // namespace teams
