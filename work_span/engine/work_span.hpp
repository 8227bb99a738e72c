// The work-span engine (Cilkprof paper, Figure 3): work, span and profile of a computation that is
// executed serially, task within task, or by threads.
//
// A path (path.hpp) is the longest way to where a thread is; an invocation's span is the growth of
// its thread's path from call to return. Where tasks nest in their spawns this is the paper's span
// of the invocation's trace. Between threads it is the time that passes with enough processors.
//
// - Spawned children run at once: begin_spawn forks the path, end_spawn goes back to the fork,
//   keep_spawn leaves the child to be waited for, sync (and the frame's return) lets the longest
//   child or the continuation go on. That is F.p, F.l and F.c: the path before the fork, the
//   child's, and the running one, each without what lies before it, unless another thread must
//   know. Between end_spawn and keep_spawn it may turn out that what ran was no child but serial:
//   undo_spawn. So it may of a child of the same frame within which another runs:
//   undo_outer_spawn.
// - Threads fork from their creator's path and join where somebody waits for their end; publish
//   and observe are any other "happens before". What a thread worked is counted to who joins it.
//
// An invocation is on the span if its return is on the longest path. The local span of a site on
// the span is what its invocations executed along that path, be they on the span or not: the local
// spans on the span add up to the span.
//
// Knows nothing of Valgrind. Every event costs O(1) amortised.
#pragma once

#include "work_span/dag/recorder.hpp"
#include "work_span/engine/invocation_summary.hpp"
#include "work_span/engine/span_thread.hpp"

// A mutual exclusion, for the lock-serialised span.
struct SpanLock {
  Span released = 0;        // by who had it alone
  Span released_shared = 0; // by the last of those who shared it
  Work acquired_at = 0;
  Work held = 0; // work of all critical sections of those who had it alone
  u64 acquisitions = 0;
  u32 number = 0; // in the dag; 0: it has none yet
};

struct WorkSpanOptions {
  Span burden = 0;          // of each spawned child and each continuation, on the burdened span
  std::size_t tables = 128; // of what is pending, for so many threads that ran lately
};

class WorkSpan {
public:
  explicit WorkSpan(const WorkSpanOptions& options) : options_(options) {}
  // Of all threads started from now on.
  void record(DagRecorder& dag) {
    dag_ = &dag;
    paths_.record(dag);
  }

  // `creator` null: from the program's start.
  SpanThread* start_thread(SpanThread* creator);
  // What is pending has returned.
  void end_thread(SpanThread& thread);
  // `ended` has happened before what `by` does next. Frees it.
  void join_thread(SpanThread& by, SpanThread* ended);
  // The same but for the order, which `by` observes otherwise.
  void join_work(SpanThread& by, SpanThread* ended);

  // `thread`, in which nothing is pending, goes on from where `from` is, not from where it has
  // been: a signal handler interrupts one strand, then one beside that.
  void go_on_from(SpanThread& thread, SpanThread& from);
  // What `thread` worked is counted to `by`, as if that had called it.
  void hand_over_work(SpanThread& by, SpanThread& thread);

  // Two that have ended, as one that ended when both had. The other is freed.
  SpanThread* unite_ended(SpanThread* one, SpanThread* other);
  // What start_thread forked was a spawn, with its burden still to come for both sides.
  void count_spawn(SpanThread& thread) {
    totals_.spawns++;
    thread.path().lengths.burdened += options_.burden;
  }
  // The same of one that has no burden, like the threads of a region, which wait for it.
  void count_spawn_without_burden() { totals_.spawns++; }
  void count_sync() { totals_.syncs++; }

  // The top frame, if there is one, executed instructions.
  void work(SpanThread& thread, Work amount) {
    if (!thread.frames.empty())
      return work_of_top(thread, amount);
    thread.work += amount;
    thread.path().lengths += amount;
  }
  void work_of_top(SpanThread& thread, Work amount) {
    thread.work += amount;
    thread.path().lengths += amount;
    thread.frames.back().local.whole += amount;
  }
  // These are in work_span/engine/work_span_fast.hpp. `unaccounted`: what has been executed until
  // then, which the next work is to contain; 0 if the top frame is open and returns.
  void call(SpanThread& thread, SiteId site, RoutineId callee, Work unaccounted = 0);
  Invocation return_from_top(SpanThread& thread, Work unaccounted = 0);
  // `amount` of the top frame's work, accounted or not, was that of callees, which called
  // nothing themselves: the same for less.
  // `in_loops`: of that, what loop_of_leaf was told before, each of an execution in none.
  void call_leaves(SpanThread& thread, SiteId site, u64 calls, Work amount, Work in_loops = 0);
  void loop_of_leaf(SpanThread& thread, SiteId call, RoutineId callee, SiteId loop, Work amount);
  // The same for one callee, with all that it called; but for what is asked only in the end, how
  // often what was called, which count adds.
  void count_repeats(const InvocationSummary& summary, u64 times);
  void repeat_invocation(SpanThread& thread, const InvocationSummary& summary);
  // The same for an iteration of a parallel loop that the top frame is in, with the iteration's own
  // work, of which no event is reported.
  void repeat_iteration(SpanThread& thread, const InvocationSummary& summary);
  // Moves what the thread, in which but its outermost frame is pending, and the engine have
  // measured since that was done last: they begin anew. `summary` has the sites that are of
  // interest, which are all. False: it is too much.
  bool take_invocation(SpanThread& thread, InvocationSummary& summary);
  // The same, of a loop with one iteration.
  bool take_iteration(SpanThread& thread, InvocationSummary& summary);
  // A thread of an engine that takes summaries, in a frame that calls what they are of; and what
  // such an engine is to be told of each site first.
  SpanThread* start_measuring();
  void discovered(SiteId site);
  // Whether its return has something to end.
  static bool is_open(const SpanFrame& frame) {
    return (frame.forks | frame.scopes | frame.linked | frame.loop) != 0;
  }
  // Of a pending frame; of its children, only those on the thread's path count for the span.
  Invocation so_far(const SpanThread& thread, std::size_t frame) const;

  // The top frame, all of whose work is accounted, begins to execute a loop, within those that it
  // is in, or leaves the innermost of them. A loop measures what its frame does in it; the frame's
  // own measures have that, too.
  void begin_loop(SpanThread& thread, SiteId site);
  void end_loop(SpanThread& thread);
  // The same for whole executions that called nothing, in the loop that the top frame is in; their
  // work is accounted later.
  void leaf_loops(SpanThread& thread, SiteId site, u64 executions, Work amount, Work unaccounted);
  static bool is_in_loop(const SpanThread& thread) { return thread.frames.back().loop != 0; }
  static const LoopFrame& loop_of(const SpanThread& thread) {
    return thread.loops[thread.frames.back().loop - 1];
  }
  // The frame of a thread that measures iterations of a parallel loop (start_measuring) is in the
  // loops that the other's top frame is in, until it is said to be in none again.
  static void begin_in_loops(SpanThread& measuring, const SpanThread& thread);
  static void end_in_loops(SpanThread& measuring);

  // All until end_spawn is a child of the top frame. Before the frame has another event than work,
  // one of the other two must follow.
  void begin_spawn(SpanThread& thread) { fork(thread, options_.burden); }
  // The last `amount` of the top frame's work was the child's already.
  void begin_spawn_before(SpanThread& thread, Work amount);
  // The same without burden, which the loop adds as a whole.
  void begin_iteration(SpanThread& thread) { fork(thread, 0); }
  void add_burden(SpanThread& thread, u64 times) {
    thread.path().lengths.burdened += times * options_.burden;
  }
  void end_spawn(SpanThread& thread);
  void keep_spawn(SpanThread& thread);
  // What ran was serial. (Of what other threads saw of it meanwhile, the burdened span keeps the
  // spawn's burden.)
  void undo_spawn(SpanThread& thread);
  // The running child began within another of the same frame, and that is serial.
  void undo_outer_spawn(SpanThread& thread);
  // Waits for what the running child, inlined, has spawned in the same frame.
  void wait_in_child(SpanThread& thread) {
    if (has_child(thread)) [[unlikely]]
      wait_for_inner(thread);
  }
  // The span of the running child, and of what it began within until then.
  Span length_of_spawn(const SpanThread& thread) const {
    return thread.path().lengths.span - thread.beneath().lengths.span;
  }
  // Of that; or of one that has ended and is neither kept nor undone.
  Span length_of_outer_spawn(const SpanThread& thread) const {
    return thread.beneath().lengths.span - thread.branches.end()[-3].lengths.span;
  }
  // The last `amount` of the top frame's work was a child, which no call entered.
  void spawn_strand(SpanThread& thread, Work amount);
  // Waits for the children of the top frame; within a scope, for those spawned in it.
  void sync(SpanThread& thread);
  void begin_scope(SpanThread& thread);
  void end_scope(SpanThread& thread);
  bool is_in_scope(const SpanThread& thread) const {
    return !thread.frames.empty() && thread.frames.back().scopes > 0;
  }

  // Any other order between threads: what `thread` did before publish happens before what another
  // does after observe.
  PathPoint publish(SpanThread& thread);
  void observe(SpanThread& thread, PathPoint& point);
  // The same for a point that others observe, too, if there is one.
  void observe_copy(SpanThread& thread, const PathPoint& point);

  void acquire(SpanThread& thread, SpanLock& lock);
  void release(SpanThread& thread, SpanLock& lock);
  // As readers, who exclude those who want it alone, but not each other.
  void acquire_shared(SpanThread& thread, SpanLock& lock);
  void release_shared(SpanThread& thread, SpanLock& lock);

  struct Totals {
    Work work = 0;
    Lengths lengths;
    u64 spawns = 0;
    u64 syncs = 0;
  };
  // Ends all threads. Nothing but the results may be asked for after it.
  const Totals& finish();
  struct Results {
    Totals totals;
    Vector<Measures> on_work{"cilkshadow.on_work"};
    Vector<Measures> on_span{"cilkshadow.on_span"};
  };
  Results finish_and_take();
  // As finish would find them now.
  Results results_so_far();
  // Forgets all numbers: what is pending begins here.
  void restart();
  // A thread that will have no events any more, and counts for nothing. Frees it.
  void abandon(SpanThread* thread);
  // By site; sites beyond their ends have no invocations.
  const Vector<Measures>& on_work() const { return on_work_; }
  const Vector<Measures>& on_span() const { return on_span_; }

  Paths& paths() { return paths_; }
  u64 bytes() const { return profs_.bytes(); } // of the profs, which are most of the memory

private:
  void free_thread(SpanThread* thread);
  SpanThread* copy_of(SpanThread& thread);
  void restart(SpanThread& thread, const PathPoint& start);
  void make_room(SpanThread& thread, SiteId site, RoutineId routine);
  PendingLink* link_frames(SpanThread& thread);
  void unlink(SpanThread& thread, bool has_link);
  void take_table(SpanThread& thread);
  void fit_table(SpanThread& thread);
  void give_back_table(SpanThread& thread);
  void forget_pending(SpanThread& thread);
  // Of calls or of executions of a loop, which called nothing: `amount` all in all.
  void add_leaves(SpanThread& thread, SiteId site, bool top_caller, u64 invocations, Work amount);
  void fork(SpanThread& thread, Span burden);
  struct Fork;
  static void end_fork(SpanThread& thread);
  void unite_kept(SpanThread& thread);
  // Which its thread's path goes through if it ends here.
  void longer_iteration(SpanThread& thread, const Lengths& end, const InvocationSummary& summary);
  // Whether the top frame has one to wait for.
  static bool has_child(const SpanThread& thread) {
    return thread.frames.back().forks > 0 && thread.beneath().state == Branch::State::kept;
  }
  // The top frame's scope, as the dag has it.
  static u64 waits(const SpanThread& thread) {
    return u64{thread.frames.size()} << 32 | thread.scopes.size();
  }
  void close_top(SpanThread& thread);
  void wait_for_child(SpanThread& thread);
  void wait_for_inner(SpanThread& thread);
  void put_in_nodes(SpanThread& thread);
  void report(Path& path, SpanThread& thread, SpanFrame& frame, Span until);
  void report_loop(Path& path, const SpanThread& thread, SpanFrame& frame, Span until);
  // The top frame goes on in another branch.
  void report_loop_of_branch(SpanThread& thread) {
    SpanFrame& frame = thread.frames.back();
    if (frame.loop != 0) [[unlikely]]
      report_loop(thread.path(), thread, frame, frame.local.whole);
    else
      frame.local.of_loops = frame.local.whole;
  }
  void report_local(SpanThread& thread);
  void forget_local(SpanThread& thread);
  template <typename F> void for_each_unreported(SpanThread& thread, F f);

  WorkSpanOptions options_;
  DagRecorder* dag_ = nullptr;
  ProfPool profs_;
  Paths paths_{profs_};
  u32 routines_ = 0;                                       // for which tables have room
  Vector<PendingTable> free_tables_{"cilkshadow.pending"}; // nothing is pending there
  Vector<SpanThread*> with_table_{"cilkshadow.pending"};
  std::size_t next_without_ = 0; // of those, where another needs its table
  Vector<Measures> on_work_{"cilkshadow.on_work"};
  Vector<Measures> on_span_{"cilkshadow.on_span"};
  Vector<SpanThread*> threads_{"cilkshadow.threads"};
  Totals totals_;
  Lengths start_; // where all paths began
};
