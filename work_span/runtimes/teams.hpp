// Parallel regions of OpenMP and what their teams share: barriers, ordered sections, loops.
//
// A region forks from the thread that meets it and ends in it. Each other thread of its team has a
// thread of the engine from the fork on. Chunks of a loop with a dynamic schedule are iterations of
// a parallel loop. A loop with a static schedule is divided by the program itself: it has as much
// parallelism as the team has threads.
#pragma once

#include "work_span/state/state.hpp"

namespace teams {

// One use of a team's barrier.
struct Round {
  PathPoint arrived_at; // the threads, and the tasks that had to end before
  u64 arrived = 0;
  u64 left = 0;
};

// What a region's body is called with, as far as it tells one region from another.
struct Body {
  RoutineId routine;
  unsigned first = 0; // of the arguments below, among all
  unsigned count = 0;
  u64 arguments[3]{};

  bool operator==(const Body& other) const {
    bool equal = routine == other.routine && first == other.first && count == other.count;
    for (unsigned i = 0; equal && i < count; i++)
      equal = arguments[i] == other.arguments[i];
    return equal;
  }
};

// Teams of the same body at the same time. Nothing tells to which of them a thread belongs, only
// how many threads there are of all.
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
  bool is_serial = false;      // one thread was asked for: its tasks and loops are serial
  u32 threads_of_nested = 0;   // regions; 0: as the environment says
  bool has_serialised = false; // tasks, or chunks of loops
  u64 threads = 1;
  Vector<tasks::Task*> running{"cilkshadow.teams"}; // the implicit tasks of its other threads
  u32 references = 1;                               // the region's, and its tasks'
  SpanThread* ended = nullptr;                      // of its threads and tasks, united
  PathPoint ordered{};                              // the end of the last ordered section
  Vector<Round> rounds{"cilkshadow.teams"};
};

void hold(Team* team);
void let_go(Team* team);
Round& round(Team& team, std::size_t number);

// A region begins in the running thread, for so many threads; 0: as its task says. The same thread
// ends it.
Team* begin(const Body& body, u32 threads);
void end(Team* team);
// A run-time library is about to call `routine`. True if that is a region's body, so that the
// thread becomes a member of its team.
bool member_begins(shadow::Thread& thread, RoutineId routine);
void member_ended(Team& team, tasks::Task* member);

// The running thread at its team's barrier: it arrives, and leaves after all who arrived.
void arrive();
void leave();
// Others wait for more than its arrival: for what it has done since.
void arrive_late();
void pass();     // it leaves without having waited
void withdraw(); // it was no barrier: the next one waits for the tasks until there
// What those who have arrived did happens before what the thread does next. It will leave.
void observe_arrived();
bool all_have_arrived();

void begin_ordered();
void end_ordered();

// A chunk of a loop's iterations begins, or there are no more.
void next_chunk(bool more);
// A loop begins that a thread has in one chunk if it is its team's only one.
void begin_shared_loop();

u64 largest();            // threads of a team; 0: there were no parallel regions
u64 threads_of_alike();   // of which nothing tells to which of several regions they belong
u64 loops_in_one_chunk(); // which more threads would have shared
u64 that_serialised();    // regions that had tasks or chunks, and one thread for them
void forget_totals();

} // namespace teams
