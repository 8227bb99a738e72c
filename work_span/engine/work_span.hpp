// The work-span engine (Cilkprof paper, Figure 3): computes work, span and the profile of a
// computation that is executed serially, task within task, or by threads.
//
// A path (path.hpp) is the longest way to where a thread is; the span of an invocation is the
// growth of its thread's path from call to return. If tasks nest in their spawns, this is the
// paper's span of the invocation's trace. Between threads it is the time that passes with enough
// processors.
//
// - Spawned children run at once: begin_spawn forks the path, end_spawn goes back to the fork,
//   keep_spawn leaves the child to be waited for, and sync (or the frame's return) continues with
//   the longer of longest child and continuation. These are F.p, F.l and F.c: the path before the
//   fork, the child's, and the running one, each without what lies before it, unless another thread
//   must know. Between end_spawn and keep_spawn it may turn out that what ran was no child but
//   serial: undo_spawn. The same may happen to a child within which another child of the same frame
//   is running: undo_outer_spawn.
// - Threads fork from their creator's path and join where somebody waits for their end; publish and
//   observe are any other "happens before". A thread's work is counted for the thread that joins
//   it.
//
// An invocation is on the span if its return is on the longest path. The local span of a site on
// the span is what its invocations executed along that path, whether they are on the span or not:
// so the local spans on the span add up to the span.
//
// Independent of Valgrind. Every event costs O(1) amortised.
#pragma once

#include "work_span/dag/recorder.hpp"
#include "work_span/engine/invocation_summary.hpp"
#include "work_span/engine/span_thread.hpp"

// A lock, for the lock-serialised span.
struct SpanLock {
  Span released = 0;        // by the last exclusive holder
  Span released_shared = 0; // by the last shared holder
  Work acquired_at = 0;
  Work held = 0; // work of all exclusive critical sections
  u64 acquisitions = 0;
  u32 number = 0; // in the dag; 0: none yet
};

struct WorkSpanOptions {
  Span burden = 0;          // of each spawned child and each continuation, in the burdened span
  std::size_t tables = 128; // the number of threads that may have a PendingTable
};

class WorkSpan {
public:
  explicit WorkSpan(const WorkSpanOptions& options) : options_(options) {}
  // Affects threads that are started from now on.
  void record(DagRecorder& dag) {
    dag_ = &dag;
    paths_.record(dag);
  }

  // Affects spawns from now on.
  void set_burden(Span burden) { options_.burden = burden; }

  // If `creator` is null, the thread forks from the program's start.
  SpanThread* start_thread(SpanThread* creator);
  // All pending invocations return.
  void end_thread(SpanThread& thread);
  // `ended` has happened before what `by` does next. Frees it.
  void join_thread(SpanThread& by, SpanThread* ended);
  // The same without the order, which `by` observes in another way.
  void join_work(SpanThread& by, SpanThread* ended);

  // `thread`, in which nothing is pending, continues from where `from` is, not from where it was: a
  // signal handler may interrupt one strand and later a parallel one.
  void go_on_from(SpanThread& thread, SpanThread& from);
  // The work of `thread` is counted for `by`, as if it had called `thread`.
  void hand_over_work(SpanThread& by, SpanThread& thread);

  // Merges two ended threads into one that ended when both had. Frees the other one.
  SpanThread* unite_ended(SpanThread* one, SpanThread* other);
  // The fork by start_thread was a spawn; its burden is added to both sides.
  void count_spawn(SpanThread& thread) {
    totals_.spawns++;
    thread.path().lengths.burdened += options_.burden;
  }
  // The same without burden, as for the threads of a region, which wait for it.
  void count_spawn_without_burden() { totals_.spawns++; }
  void count_sync() { totals_.syncs++; }

  // The top frame, if there is one, has executed `amount` instructions.
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
  // These are in work_span/engine/work_span_fast.hpp. `unaccounted`: what has been executed so far
  // and will be part of the next work(); 0 if the top frame is open and returns.
  void call(SpanThread& thread, SiteId site, RoutineId callee, Work unaccounted = 0);
  Invocation return_from_top(SpanThread& thread, Work unaccounted = 0);
  // `amount` of the top frame's work, accounted or not, was that of callees that called nothing: a
  // cheaper equivalent of calls and returns. `in_loops`: the part of it that was reported by
  // loop_of_leaf before, for executions that are in no other loop.
  void call_leaves(SpanThread& thread, SiteId site, u64 calls, Work amount, Work in_loops = 0);
  void loop_of_leaf(SpanThread& thread, SiteId call, RoutineId callee, SiteId loop, Work amount);
  // The same for one callee with everything that it called. How often each site was called is only
  // needed in the end, and is added by count_repeats.
  void count_repeats(const InvocationSummary& summary, u64 times);
  void repeat_invocation(SpanThread& thread, const InvocationSummary& summary);
  // The same for an iteration of a parallel loop that the top frame is in, including the
  // iteration's own work, for which no event is reported.
  void repeat_iteration(SpanThread& thread, const InvocationSummary& summary);
  // Moves everything that the thread and the engine have measured since the last call into
  // `summary`; both start anew. Only the outermost frame of the thread may be pending. The summary
  // must contain all sites in question. Returns false if it is too large.
  bool take_invocation(SpanThread& thread, InvocationSummary& summary);
  // The same for a loop with one iteration.
  bool take_iteration(SpanThread& thread, InvocationSummary& summary);
  // For an engine that measures summaries: starts a thread, in a frame that calls what is measured.
  // discovered() must be called first for each site.
  SpanThread* start_measuring();
  void discovered(SiteId site);
  // Whether the frame's return has something to end.
  static bool is_open(const SpanFrame& frame) {
    return (frame.forks | frame.scopes | frame.linked | frame.loop) != 0;
  }
  // The measures so far of a pending frame. Of its children, only those on the thread's path count
  // for the span.
  Invocation so_far(const SpanThread& thread, std::size_t frame) const;

  // The top frame, all of whose work must be accounted, begins to execute a loop, inside of those
  // that it is in, or leaves the innermost one. A loop measures what its frame does in it; that is
  // also part of the frame's own measures.
  void begin_loop(SpanThread& thread, SiteId site);
  void end_loop(SpanThread& thread);
  // The same for whole executions that called nothing, in the loop that the top frame is in. Their
  // work is accounted later.
  void leaf_loops(SpanThread& thread, SiteId site, u64 executions, Work amount, Work unaccounted);
  static bool is_in_loop(const SpanThread& thread) { return thread.frames.back().loop != 0; }
  static const LoopFrame& loop_of(const SpanThread& thread) {
    return thread.loops[thread.frames.back().loop - 1];
  }
  // A loop's execution took so much, which leaf_loops has as a part of a sum.
  void note_execution(SiteId loop, Work amount) { spread_of(loop).add_execution(amount); }
  // The innermost loop, which has just begun, is a part of a parallel one.
  static void begin_part(SpanThread& thread) { thread.loops.back().is_part = true; }
  // Likewise for executions that leaf_loops reports.
  void note_parts(SiteId loop, u64 executions, Work amount) {
    spread_of(loop).add_parts(executions, amount);
  }
  // An iteration of that loop begins, if the top frame is in it. All of the frame's work must be
  // accounted.
  void iteration_of_part(SpanThread& thread, SiteId loop);
  // The top frame meets a barrier: the loops that it is in are not divided.
  void barrier_in_loops(SpanThread& thread);
  // An iteration of a parallel loop took so much.
  void note_iteration(SiteId loop, Work amount) { spread_of(loop).add_iteration(amount); }
  // Puts the frame of a thread that measures iterations of a parallel loop (start_measuring) into
  // the loops that the top frame of `thread` is in, until end_in_loops.
  static void begin_in_loops(SpanThread& measuring, const SpanThread& thread);
  static void end_in_loops(SpanThread& measuring);

  // Everything until end_spawn is a child of the top frame. Then keep_spawn or undo_spawn must
  // follow, before any event of the frame other than work.
  void begin_spawn(SpanThread& thread) { fork(thread, options_.burden); }
  // The last `amount` of the top frame's work already was the child's.
  void begin_spawn_before(SpanThread& thread, Work amount);
  // The same without burden, which is added for the loop as a whole.
  void begin_iteration(SpanThread& thread) { fork(thread, 0); }
  void add_burden(SpanThread& thread, u64 times) {
    thread.path().lengths.burdened += times * options_.burden;
  }
  void end_spawn(SpanThread& thread);
  void keep_spawn(SpanThread& thread);
  // What ran was serial. (If other threads have seen it in the meantime, their burdened span keeps
  // the burden of the spawn.)
  void undo_spawn(SpanThread& thread);
  // The running child began within another child of the same frame, which turns out to be serial.
  void undo_outer_spawn(SpanThread& thread);
  // Waits for the children that the running child, an inlined routine, has spawned in the same
  // frame.
  void wait_in_child(SpanThread& thread) {
    if (has_child(thread)) [[unlikely]]
      wait_for_inner(thread);
  }
  // The span of the running child; if it runs within another child, of that one up to there.
  Span length_of_spawn(const SpanThread& thread) const {
    return thread.path().lengths.span - thread.beneath().lengths.span;
  }
  // The span of that outer child; or of a child that has ended and is neither kept nor undone.
  Span length_of_outer_spawn(const SpanThread& thread) const {
    return thread.beneath().lengths.span - thread.branches.end()[-3].lengths.span;
  }
  // The last `amount` of the top frame's work was a child that was not entered by a call.
  void spawn_strand(SpanThread& thread, Work amount);
  // Waits for the children of the top frame; within a scope, for those spawned in it.
  void sync(SpanThread& thread);
  void begin_scope(SpanThread& thread);
  void end_scope(SpanThread& thread);
  bool is_in_scope(const SpanThread& thread) const {
    return !thread.frames.empty() && thread.frames.back().scopes > 0;
  }

  // Any other order between threads: what `thread` did before publish happens before what another
  // thread does after observe.
  PathPoint publish(SpanThread& thread);
  void observe(SpanThread& thread, PathPoint& point);
  // The same for a point that others also observe, if there is one.
  void observe_copy(SpanThread& thread, const PathPoint& point);

  void acquire(SpanThread& thread, SpanLock& lock);
  void release(SpanThread& thread, SpanLock& lock);
  // For readers, which exclude writers but not each other.
  void acquire_shared(SpanThread& thread, SpanLock& lock);
  void release_shared(SpanThread& thread, SpanLock& lock);

  struct Totals {
    Work work = 0;
    Lengths lengths;
    u64 spawns = 0;
    u64 syncs = 0;
  };
  // Ends all threads. Afterwards, only the results may be used.
  const Totals& finish();
  struct Results {
    Totals totals;
    Vector<Measures> on_work{"cilkshadow.on_work"};
    Vector<Measures> on_span{"cilkshadow.on_span"};
    Vector<LoopSpread> spreads{"cilkshadow.spreads"}; // by site, of loops
  };
  Results finish_and_take();
  // The results that finish would give now.
  Results results_so_far();
  // Resets all numbers to zero: pending invocations begin here.
  void restart();
  // Removes and frees a thread that has no further events and counts for nothing.
  void abandon(SpanThread* thread);
  // By site; sites beyond the end have no invocations.
  const Vector<Measures>& on_work() const { return on_work_; }
  const Vector<Measures>& on_span() const { return on_span_; }

  Paths& paths() { return paths_; }
  u64 bytes() const { return profs_.bytes(); } // of the profs, which take most of the memory

private:
  void free_thread(SpanThread* thread);
  LoopSpread& spread_of(SiteId loop) {
    if (index(loop) >= spreads_.size()) [[unlikely]]
      spreads_.resize(2 * std::size_t{index(loop)} + 1);
    return spreads_[index(loop)];
  }
  SpanThread* copy_of(SpanThread& thread);
  void restart(SpanThread& thread, const PathPoint& start);
  void make_room(SpanThread& thread, SiteId site, RoutineId routine);
  PendingLink* link_frames(SpanThread& thread);
  void unlink(SpanThread& thread, bool has_link);
  void take_table(SpanThread& thread);
  void fit_table(SpanThread& thread);
  void give_back_table(SpanThread& thread);
  void forget_pending(SpanThread& thread);
  // Calls, or executions of a loop, that called nothing and took `amount` in total.
  void add_leaves(SpanThread& thread, SiteId site, bool top_caller, u64 invocations, Work amount);
  void fork(SpanThread& thread, Span burden);
  struct Fork;
  static void end_fork(SpanThread& thread);
  void unite_kept(SpanThread& thread);
  // An iteration through which the thread's path goes if it ends here.
  void longer_iteration(SpanThread& thread, const Lengths& end, const InvocationSummary& summary);
  // Whether the top frame has a child to wait for.
  static bool has_child(const SpanThread& thread) {
    return thread.frames.back().forks > 0 && thread.beneath().state == Branch::State::kept;
  }
  // Key of the top frame's scope, for the dag.
  static u64 waits(const SpanThread& thread) {
    return u64{thread.frames.size()} << 32 | thread.scopes.size();
  }
  void close_top(SpanThread& thread);
  void wait_for_child(SpanThread& thread);
  void wait_for_inner(SpanThread& thread);
  void put_in_nodes(SpanThread& thread);
  void report(Path& path, SpanThread& thread, SpanFrame& frame, Span until);
  void end_iteration_of_part(const SpanThread& thread, const LoopFrame& loop);
  void report_loop(Path& path, const SpanThread& thread, SpanFrame& frame, Span until);
  // The top frame continues in another branch.
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
  u32 routines_ = 0;                                       // that tables have room for
  Vector<PendingTable> free_tables_{"cilkshadow.pending"}; // nothing is pending in them
  Vector<SpanThread*> with_table_{"cilkshadow.pending"};
  std::size_t next_without_ = 0; // index in with_table_ of the next thread to lose its table
  Vector<Measures> on_work_{"cilkshadow.on_work"};
  Vector<LoopSpread> spreads_{"cilkshadow.spreads"}; // by site, of loops
  Vector<Measures> on_span_{"cilkshadow.on_span"};
  Vector<SpanThread*> threads_{"cilkshadow.threads"};
  Totals totals_;
  Lengths start_; // where all paths begin
};
