#include "work_span/notes.hpp"

#include "base/valgrind.hpp"
#include "trace/threads.hpp"
#include "work_span/code/atomic_code.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/conditions.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/order/turns.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"
#include "work_span/shadow.hpp"

namespace notes {
namespace {

// A limit of the method: the numbers are right, but may be misleading.
Note limit(const char* kind, u64 count, const char* one, const char* many) {
  return {kind, count, count == 1 ? one : many, "", false};
}

Note warning(const char* kind, u64 count, const char* one, const char* many,
             const char* more = "") {
  return {kind, count, count == 1 ? one : many, more, true};
}

// oneTBB's templates are also in the program; they are counted by a note of their own.
u64 atomics_without_lines(const onetbb::NotUnderstood& of_tbb) {
  return shadow::threads() < 2 || of_tbb.without_lines > 0 ? 0 : atomic_code::without_lines();
}

u64 unseen_waits() {
  return thread_edges::unseen_waits() + conditions::unseen_waits() + atomic_waits::unseen() +
         spin_waits::unseen();
}

bool threads_take_turns_fairly() { return VG_(strcmp)(threads::fair_scheduling(), "no") != 0; }

} // namespace

std::array<Note, 22> of_all_kinds() {
  const CilkMistakes& mistakes = shadow::mistakes();
  const onetbb::NotUnderstood& of_tbb = onetbb::not_understood();
  return {
      limit("logical-threads", teams::largest(),
            "thread at most was in a parallel region: where threads divide a loop between them (a "
            "static schedule), its parallelism is at most that; OMP_NUM_THREADS gives more",
            "threads at most were in a parallel region: where they divide a loop between them (a "
            "static schedule), its parallelism is at most that; OMP_NUM_THREADS gives more"),
      warning("serialised-dynamic-loops", teams::loops_in_one_chunk(),
              "loop with a dynamic or guided schedule was one chunk, because clang's run-time "
              "library makes no more in a parallel region of one thread: its parallelism is not "
              "seen",
              "loops with a dynamic or guided schedule were one chunk each, because clang's "
              "run-time library makes no more in a parallel region of one thread: their "
              "parallelism is not seen",
              "; OMP_NUM_THREADS=2 or more (and OMP_MAX_ACTIVE_LEVELS, for nested regions) shows "
              "it"),
      limit("ordered-loops", openmp::ordered_loops_as_taken(),
            "time a thread met a loop with ordered sections and a static or guided schedule, which "
            "would have other chunks with another number of threads: for any number of processors, "
            "it is predicted with those of the run",
            "times threads met loops with ordered sections and a static or guided schedule, which "
            "would have other chunks with another number of threads: for any number of processors, "
            "they are predicted with those of the run"),
      limit("regions-of-one-thread", teams::that_serialised(),
            "parallel region had one thread because of an if clause, num_threads(1) or "
            "omp_set_num_threads(1): its tasks and loops count as serial",
            "parallel regions had one thread because of an if clause, num_threads(1) or "
            "omp_set_num_threads(1): their tasks and loops count as serial"),
      warning("tasks-outside-regions", tasks::spawned_outside_regions(),
              "OpenMP task was created outside of parallel regions, where one thread runs all "
              "tasks, whatever OMP_NUM_THREADS is: it is counted as if there were other threads "
              "to run it",
              "OpenMP tasks were created outside of parallel regions, where one thread runs all "
              "tasks, whatever OMP_NUM_THREADS is: they are counted as if there were other "
              "threads to run them"),
      warning("threads-of-regions-alike", teams::threads_of_alike(),
              "thread began in a parallel region while there were others with the same body and "
              "variables: it may be attributed to the barriers and the end of another region",
              "threads began in a parallel region while there were others with the same body and "
              "variables: they may be attributed to the barriers and the end of another region"),
      limit("tbb-threads", onetbb::threads(),
            "thread was available when oneTBB divided loops: an auto_partitioner makes about 4 "
            "pieces for each thread, and more only where threads are idle, so its loops have no "
            "more parallelism than that. simple_partitioner shows all of it",
            "threads were available when oneTBB divided loops: an auto_partitioner makes about 4 "
            "pieces for each thread, and more only where threads are idle, so its loops have no "
            "more parallelism than that. simple_partitioner shows all of it"),
      warning("spawns-with-several-calls", mistakes.several_calls,
              "spawn has several calls, and which one is spawned is not certain",
              "spawns have several calls, and which one is spawned is not certain",
              ". In C, the last call of the source line is taken: put what runs in parallel with "
              "it on the next line. In C++, the last call is taken, although one before it took "
              "ten times as long; without -g, the longest"),
      warning("openmp-not-understood", openmp::not_understood(),
              "detached or dependent task of gcc's code that cannot be deferred, its end "
              "(omp_fulfill_event), task of gcc's code under libomp, or parallel region of a "
              "statically linked libomp is not in the span",
              "detached or dependent tasks of gcc's code that cannot be deferred, their ends "
              "(omp_fulfill_event), tasks of gcc's code under libomp, or parallel regions of a "
              "statically linked libomp are not in the span"),
      warning("tbb-unknown-callbacks", of_tbb.callbacks,
              "call from libtbb belongs to no known task (but perhaps to task::suspend), or took "
              "from or added to a bounded queue while another did: what it waits for is not in "
              "the span",
              "calls from libtbb belong to no known task (but perhaps to task::suspend), or took "
              "from or added to a bounded queue while another did: what they wait for is not in "
              "the span"),
      warning("tbb-unknown-room", of_tbb.pushes,
              "time a bounded queue of oneTBB, whose room is not known, was added to: if that has "
              "to wait for room, this is not in the span",
              "times bounded queues of oneTBB, whose room is not known, were added to: where that "
              "has to wait for room, this is not in the span"),
      warning("tbb-aggregators", of_tbb.aggregators,
              "piece of code belongs to oneTBB's aggregators (flow-graph nodes that join, buffer "
              "or limit; priority queues): what waits there, and for what, is not in the span",
              "pieces of code belong to oneTBB's aggregators (flow-graph nodes that join, buffer "
              "or limit; priority queues): what waits there, and for what, is not in the span"),
      warning("tbb-without-lines", of_tbb.without_lines,
              "routine of oneTBB's templates has no line information, so its own instructions "
              "count as work; compile with -g",
              "routines of oneTBB's templates have no line information, so their own instructions "
              "count as work; compile with -g"),
      warning("unseen-synchronisation", unseen_waits(),
              "wait (for a futex, a condition or a std::atomic, or in a loop) has no known "
              "partner: what it waited for is not in the span",
              "waits (for futexes, conditions or std::atomics, or in loops) have no known "
              "partner: what they waited for is not in the span",
              "; the requests of <valgrind/cilkshadow.h> can describe it"),
      warning("found-without-waiting", spin_waits::found() + turns::found(),
              "time a thread found a std::atomic already changed, a condition already signalled, "
              "or all others waiting at one: if it would have waited for that, the order is "
              "missing in the span",
              "times threads found a std::atomic already changed, a condition already signalled, "
              "or all others waiting at one: where they would have waited for that, the order is "
              "missing in the span",
              threads_take_turns_fairly()
                  ? "; for conditions it is in the lock-serialised span. The requests of "
                    "<valgrind/cilkshadow.h> can describe the order"
                  : "; for conditions it is in the lock-serialised span. With --fair-sched=yes "
                    "more threads wait; the requests of <valgrind/cilkshadow.h> can describe the "
                    "order"),
      warning("atomics-without-lines", atomics_without_lines(of_tbb),
              "atomic instruction has no line information: if it belongs to a future, semaphore, "
              "latch, barrier or std::atomic that threads wait for, that order may be missing in "
              "the span; compile with -g",
              "atomic instructions have no line information: if they belong to futures, "
              "semaphores, latches, barriers or std::atomics that threads wait for, that order "
              "may be missing in the span; compile with -g"),
      warning(
          "unmatched-markers", mistakes.unmatched + named_regions::still_open(),
          "end of a spawn, scope, loop, task or region has no beginning in its function, or a "
          "beginning no end",
          "ends of spawns, scopes, loops, tasks or regions have no beginning in their function, "
          "or beginnings no end"),
      warning("spawns-without-call", mistakes.without_call,
              "spawn has no call in its source line: it may have been inlined, or merged with "
              "another; see cilkshadow-config --cflags",
              "spawns have no call in their source line: it may have been inlined, or merged with "
              "another; see cilkshadow-config --cflags"),
      warning("tail-calls-with-spawns", mistakes.tail_calls,
              "tail call of a routine that had spawned went back to a routine it came from, so "
              "its children are waited for too early; compile with -fno-optimize-sibling-calls",
              "tail calls of routines that had spawned went back to routines they came from, so "
              "their children are waited for too early; compile with -fno-optimize-sibling-calls"),
      warning("abandoned-spawns", mistakes.abandoned,
              "spawn, scope, loop or task was left by longjmp, exit, or the end of its thread",
              "spawns, scopes, loops or tasks were left by longjmp, exit, or the end of their "
              "thread"),
      warning("newer-markers", mistakes.newer,
              "marker is of an unknown kind: the program was compiled with a newer cilk/cilk.h",
              "markers are of unknown kinds: the program was compiled with a newer cilk/cilk.h"),
      warning("refused-requests", mistakes.refused,
              "request had an address that cannot be read or written, or a negative number: its "
              "region or measurement is missing",
              "requests had addresses that cannot be read or written, or negative numbers: their "
              "regions or measurements are missing"),
  };
}

void print_warnings() {
  for_each([](const Note& note) {
    if (note.warns)
      VG_(umsg)("%'llu %s\n", (ULong)note.count, note.text);
  });
}

} // namespace notes
