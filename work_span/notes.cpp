#include "work_span/notes.hpp"

#include "base/valgrind.hpp"
#include "work_span/code/atomic_code.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/thread_edges.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"
#include "work_span/shadow.hpp"

namespace notes {
namespace {

// Right numbers, which may mislead.
Note limit(const char* kind, u64 count, const char* one, const char* many) {
  return {kind, count, count == 1 ? one : many, "", false};
}

Note warning(const char* kind, u64 count, const char* one, const char* many,
             const char* more = "") {
  return {kind, count, count == 1 ? one : many, more, true};
}

// Those of oneTBB are in the program, too, and told already.
u64 atomics_without_lines(const onetbb::NotUnderstood& of_tbb) {
  return shadow::threads() < 2 || of_tbb.without_lines > 0 ? 0 : atomic_code::without_lines();
}

u64 unseen_waits() {
  return thread_edges::unseen_waits() + atomic_waits::unseen() + spin_waits::unseen();
}

} // namespace

std::array<Note, 19> of_all_kinds() {
  const CilkMistakes& mistakes = shadow::mistakes();
  const onetbb::NotUnderstood& of_tbb = onetbb::not_understood();
  return {
      limit("logical-threads", teams::largest(),
            "thread at most was in a parallel region: where threads divide a loop between them (a "
            "static schedule), its parallelism is at most that; OMP_NUM_THREADS gives more",
            "threads at most were in a parallel region: where they divide a loop between them (a "
            "static schedule), its parallelism is at most that; OMP_NUM_THREADS gives more"),
      warning(
          "serialised-dynamic-loops", teams::loops_in_one_chunk(),
          "loop with a dynamic or guided schedule was one chunk, as clang's run-time library "
          "has it where a parallel region has one thread: its parallelism is not seen",
          "loops with a dynamic or guided schedule were one chunk each, as clang's run-time "
          "library has it where a parallel region has one thread: their parallelism is not "
          "seen",
          "; OMP_NUM_THREADS=2 or more (and OMP_MAX_ACTIVE_LEVELS, of nested regions) shows it"),
      limit("regions-of-one-thread", teams::that_serialised(),
            "parallel region had one thread by an if clause, num_threads(1) or "
            "omp_set_num_threads(1): its tasks and loops count as serial",
            "parallel regions had one thread by an if clause, num_threads(1) or "
            "omp_set_num_threads(1): their tasks and loops count as serial"),
      warning("tasks-outside-regions", tasks::spawned_outside_regions(),
              "OpenMP task was created outside of parallel regions, where one thread runs all "
              "tasks, whatever OMP_NUM_THREADS is: it is counted as if there were others to run it",
              "OpenMP tasks were created outside of parallel regions, where one thread runs all "
              "tasks, whatever OMP_NUM_THREADS is: they are counted as if there were others to run "
              "them"),
      warning("threads-of-regions-alike", teams::threads_of_alike(),
              "thread began in a parallel region while there were others of the same body and "
              "variables: it may be counted to the barriers and the end of another",
              "threads began in a parallel region while there were others of the same body and "
              "variables: they may be counted to the barriers and the end of another"),
      limit("tbb-threads", onetbb::threads(),
            "thread was there when oneTBB divided loops: an auto_partitioner makes about 4 pieces "
            "for each, and more only where threads are idle; loops with it have no more "
            "parallelism. simple_partitioner shows all of it",
            "threads were there when oneTBB divided loops: an auto_partitioner makes about 4 "
            "pieces for each, and more only where threads are idle; loops with it have no more "
            "parallelism. simple_partitioner shows all of it"),
      warning(
          "spawns-with-several-calls", mistakes.several_calls,
          "spawn has several calls, and which is the spawned one is not sure",
          "spawns have several calls, and which is the spawned one is not sure",
          ". In C it is taken to be the last of the source line: what runs beside it belongs on "
          "the next one. In C++ it is the last, though one before took ten times as long; "
          "without -g, the longest"),
      warning("openmp-not-understood", openmp::not_understood(),
              "wait for an iteration (ordered, depend(sink)), detached task or its end "
              "(omp_fulfill_event), task of gcc's under libomp, or parallel region of a libomp "
              "that is linked with the program is not in the span",
              "waits for iterations (ordered, depend(sink)), detached tasks and their ends "
              "(omp_fulfill_event), tasks of gcc's under libomp, or parallel regions of a libomp "
              "that is linked with the program are not in the span"),
      warning("tbb-unknown-callbacks", of_tbb.callbacks,
              "call from libtbb is of no known task (a pipeline's, say, a bounded queue's that may "
              "wait, or task::suspend's): what it waits for is not in the span",
              "calls from libtbb are of no known task (pipelines', say, bounded queues' that may "
              "wait, or task::suspend's): what they wait for is not in the span"),
      warning("tbb-aggregators", of_tbb.aggregators,
              "piece of code is of oneTBB's aggregators (nodes of flow graphs that join, buffer or "
              "limit; priority queues): what waits there for what is not in the span",
              "pieces of code are of oneTBB's aggregators (nodes of flow graphs that join, buffer "
              "or limit; priority queues): what waits there for what is not in the span"),
      warning("tbb-without-lines", of_tbb.without_lines,
              "routine of oneTBB's templates has no line information: its own instructions are "
              "counted as work; -g tells them apart",
              "routines of oneTBB's templates have no line information: their own instructions are "
              "counted as work; -g tells them apart"),
      warning("unseen-synchronisation", unseen_waits(),
              "wait (a futex's, a condition's, a std::atomic's, or in a loop) has no partner that "
              "is known: what it waited for is not in the span",
              "waits (futexes', conditions', std::atomics', or in loops) have no partner that is "
              "known: what they waited for is not in the span",
              "; requests of <valgrind/cilkshadow.h> say it"),
      warning("found-without-waiting", spin_waits::found(),
              "time a thread found a std::atomic changed, or a condition signalled, before it "
              "looked: if it would have waited for that, the order is not in the span",
              "times threads found a std::atomic changed, or a condition signalled, before they "
              "looked: where they would have waited for that, the order is not in the span",
              "; that of conditions is in the lock-serialised one. With --fair-sched=yes more "
              "threads wait; requests of <valgrind/cilkshadow.h> say it"),
      warning("atomics-without-lines", atomics_without_lines(of_tbb),
              "atomic instruction has no line information: if it is of a future, semaphore, latch, "
              "barrier or std::atomic that threads wait for, what that orders may not be in the "
              "span; -g tells",
              "atomic instructions have no line information: if they are of futures, semaphores, "
              "latches, barriers or std::atomics that threads wait for, what those order may not "
              "be in the span; -g tells"),
      warning("unmatched-markers", mistakes.unmatched,
              "end of a spawn, scope, loop or task has no begin in its function, or a begin no end",
              "ends of spawns, scopes, loops or tasks have no begin in their function, or begins "
              "no end"),
      warning("spawns-without-call", mistakes.without_call,
              "spawn has no call in its source line: inlined, perhaps, or united with another; see "
              "cilkshadow-config --cflags",
              "spawns have no call in their source line: inlined, perhaps, or united with others; "
              "see cilkshadow-config --cflags"),
      warning("tail-calls-with-spawns", mistakes.tail_calls,
              "call at the end of a routine that had spawned went back to a routine it came from: "
              "what was spawned is waited for too early; -fno-optimize-sibling-calls",
              "calls at the end of routines that had spawned went back to routines they came from: "
              "what was spawned is waited for too early; -fno-optimize-sibling-calls"),
      warning("abandoned-spawns", mistakes.abandoned,
              "spawn, scope, loop or task was left by longjmp, exit, or the end of its thread",
              "spawns, scopes, loops or tasks were left by longjmp, exit, or the end of their "
              "thread"),
      warning("newer-markers", mistakes.newer,
              "marker is of a kind unknown here: the program was compiled with a newer cilk/cilk.h",
              "markers are of kinds unknown here: the program was compiled with a newer "
              "cilk/cilk.h"),
  };
}

void print_warnings() {
  for_each([](const Note& note) {
    if (note.warns)
      VG_(umsg)("%'llu %s\n", (ULong)note.count, note.text);
  });
}

} // namespace notes
