// Records the dag of a run as the engine (work_span/engine/work_span.hpp) executes it. The engine
// reports each fork, join and order, with the work of its thread up to then, and each call.
//
// Mirrors the engine's branches: for each thread, the strand that it is extending, and beneath it
// the strands where it forked and those that ended its children. Independent of Valgrind.
//
// The size of the dag is bounded: when there are too many strands, those with less work than a
// grain are folded (folding.hpp), and the grain grows until half of the room is free again. A call
// or return costs O(1), everything else O(1) amortised. If most strands stay far below the grain,
// folding does not help. There may then be kUnfolded times as many; beyond that, recording is given
// up and there is no dag.
#pragma once

#include "work_span/dag/folding.hpp"

#include <algorithm>

class DagRecorder {
public:
  static constexpr u32 kDefaultStrands = 1 << 15; // some 80 bytes each in a profile

  static constexpr u32 kUnfolded = 3;

  // `most` bounds the number of strands in the end, if they fold; while the program runs there may
  // be twice as many.
  explicit DagRecorder(CallPaths::Call (*call_at)(SiteId), u32 most = kDefaultStrands)
      : most_(most), paths_(call_at) {}

  // Iterations of a parallel loop that were summarised (WorkSpan::repeat_iteration): the latest
  // ones form one strand, and the earlier ones have been joined.
  struct Iterations {
    u64 waits; // what waits for them: a frame and a scope
    StrandId before;
    StrandId latest;
  };
  struct Thread {
    Vector<StrandId> positions{"cilkshadow.dag.threads"}; // one for each branch; pinned
    Vector<PathId> callers{"cilkshadow.dag.threads"};
    Vector<Iterations> iterations{"cilkshadow.dag.threads"};
    PathId path{};
    Vector<u32> locks{"cilkshadow.dag.threads"}; // locks that it holds, by number
    Work overhead = 0;      // since it last executed code of the program, or made a task
    Work recorded = 0;      // part of the thread's work that is recorded; may be ahead of it
    std::size_t number = 0; // index in threads_

    StrandId& position() { return positions.back(); }
  };

  // `now` is always the thread's work so far.
  Thread* start();
  // The thread continues from where `from` has published `point`.
  void go_on_from(Thread& thread, const Thread& from, StrandId point);
  StrandId end(Thread* thread, Work now); // pinned; frees the thread
  void abandon(Thread* thread);

  // Records what the thread itself has executed since the last record.
  void record(Thread& thread, Work now);
  void call(Thread& thread, Work now, SiteId site);
  void return_(Thread& thread, Work now);
  // A callee without calls has returned. Its work, `amount`, has not been recorded in any other
  // way.
  void add_leaf(Thread& thread, SiteId site, Work amount) {
    thread.recorded += amount;
    execute(thread, paths_.called(thread.path, site), amount);
  }
  // The same for an execution of a loop in such a callee.
  void add_loop_of_leaf(Thread& thread, SiteId call, SiteId loop, Work amount) {
    thread.recorded += amount;
    execute(thread, paths_.called(paths_.called(thread.path, call), loop), amount);
  }
  // The same for executions of a loop, the first of which began at `now`.
  void add_leaf_loop(Thread& thread, Work now, SiteId site, Work amount) {
    record(thread, now);
    cut_if_long(thread);
    add_leaf(thread, site, amount);
    cut_if_long(thread);
  }
  // The same for a callee that was summarised, and for an iteration of a parallel loop.
  template <typename Summary> void add_callee(Thread& thread, const Summary& summary) {
    thread.recorded += summary.work;
    executed(thread).span += summary.lengths.span;
    add_parts(thread.position(), thread.path, summary);
  }
  template <typename Summary>
  void add_iteration(Thread& thread, Work now, u64 waits, const Summary& summary) {
    record(thread, now);
    thread.recorded += summary.work;
    const StrandId strand = iterations(thread, waits, summary.work).latest;
    if (strands_[strand].span < summary.lengths.span)
      strands_[strand].span = summary.lengths.span;
    add_parts(strand, thread.path, summary);
  }
  // Adds what a run-time library executes on the thread's behalf. More than one call of it takes is
  // waiting, and no cost of the strand.
  void add_overhead(Thread& thread, OverheadKind kind, Work amount);
  // A call of a run-time library makes one more task, as those for the tasks of a loop do: so far,
  // it has not waited.
  void note_task(Thread& thread) { thread.overhead = 0; }

  void fork(Thread& thread, Work now);
  void end_spawn(Thread& thread, Work now);
  void unite_kept(Thread& thread);
  void wait_for_child(Thread& thread, Work now, u64 waits);
  void undo_spawn(Thread& thread, Work now);
  void undo_outer_spawn(Thread& thread);

  StrandId publish(Thread& thread, Work now);  // pinned
  StrandId meet(StrandId one, StrandId other); // see Strands::meet
  void observe(Thread& thread, Work now, StrandId point);
  // The thread has observed the end of others, which nobody else waits for.
  void has_waited(Thread& thread) {
    if (grain_ > 0 && !given_up_)
      folding_.fold_before(thread.position(), grain_);
  }
  void acquire(Thread& thread, Work now, u32& lock); // `lock`: its number; 0 if it has none yet
  void release(Thread& thread, Work now, u32 lock);
  void begin_share(Thread& thread, Work now, const Share& share);
  // Takes back a chunk with which a strand of the current critical section has begun. Returns false
  // if it is not there any more.
  bool withdraw_chunk(Thread& thread, u32 division, u64 number);

  // The client thread that is running.
  void runs(u32 thread) { running_ = thread; }
  // Resets all numbers to zero, as in a forked child.
  void restart();
  // Folds the dag to the size that it may have in a file.
  void finish();

  bool has_dag() const { return !given_up_; }
  Work grain() const { return grain_; }
  Strands& strands() { return strands_; }
  const CallPaths& paths() const { return paths_; }

private:
  StrandId add_after(StrandId before); // pinned
  void order(StrandId before, StrandId after);
  void cut(Thread& thread);
  void cut_if_long(Thread& thread);
  // Whether nobody else can contend for a lock.
  bool is_alone(const Thread& thread) const {
    return threads_.size() == 1 && thread.positions.size() == 1;
  }
  // Ends the strand that the thread is executing, and returns it; if it is empty, the one before.
  StrandId end_strand(Thread& thread);
  // The strand that the thread is executing. Its thread is the one that executes it first, not the
  // one that forked it.
  Strand& executed(const Thread& thread) {
    Strand& strand = strands_[thread.positions.back()];
    if (strand.work == 0)
      strand.thread = running_;
    return strand;
  }
  void execute(Thread& thread, PathId path, Work amount) {
    executed(thread).span += amount;
    strands_.add_work(thread.position(), path, amount, paths_);
  }
  bool is_untouched(StrandId id) const { return strands_[id].is_empty(); }
  template <typename Summary> void add_parts(StrandId strand, PathId path, const Summary& summary);
  template <typename Summary> void find_parts(const Summary& summary);
  template <typename Summary> void find_paths(PathId path, const Summary& summary);
  template <typename Summary>
  void take_from_routine(RoutineId routine, Work work, const Summary& summary);
  Iterations& iterations(Thread& thread, u64 waits, Work amount);
  void make_room() {
    if (strands_.live() >= room_) [[unlikely]] {
      fold(most_ / 2, kUnfolded * most_ * 3 / 2);
      room_ = std::max(2 * most_, std::min(2 * strands_.live(), 2 * kUnfolded * most_));
    }
  }
  void fold(u32 most, u32 most_unfolded);
  bool has_fine_strands() const;

  const u32 most_;
  u32 room_ = 2 * most_; // strands, before they are folded again

  Strands strands_;
  CallPaths paths_;
  Folding folding_{strands_, paths_};
  Vector<Thread*> threads_{"cilkshadow.dag.threads"};
  Work grain_ = 0;
  u32 running_ = 0;
  u32 locks_ = 0;
  bool given_up_ = false;
  StrandId rest_ = StrandId::none; // of all threads that have begun since
};

// In a summary, callers come before their callees, and loops before what they contain. So what a
// site is in is found by its routine or loop.
template <typename Summary> void DagRecorder::find_parts(const Summary& summary) {
  auto& of_sites = summary.paths.of_sites;
  summary.paths.own = summary.work;
  const auto find = [&](auto is_it) {
    for (u32 i = static_cast<u32>(of_sites.size()); i-- > 0;)
      if (is_it(summary.sites[i].site))
        return i;
    return SummaryPaths::kOutside;
  };
  for (const auto& of : summary.sites) {
    const CallPaths::Call call = paths_.call_at(of.site);
    u32 within = SummaryPaths::kOutside;
    if (call.loop != CallPaths::Call::kNoLoop)
      within = find([&](SiteId site) { return site == call.loop; });
    if (within == SummaryPaths::kOutside)
      within = find([&](SiteId site) { return paths_.call_at(site).callee == call.caller; });
    const Work work = of.on_work.local.work;
    of_sites.emplace_back(PathId::root, work, within);
    if (!call.is_loop())
      summary.paths.own -= work;
  }
  for (const auto& of : summary.sites)
    if (const CallPaths::Call call = paths_.call_at(of.site); call.is_loop())
      take_from_routine(call.caller, of.on_work.local.work, summary);
}

template <typename Summary> void DagRecorder::find_paths(PathId path, const Summary& summary) {
  auto& of_sites = summary.paths.of_sites;
  if (summary.paths.caller == SummaryPaths::kNobody)
    find_parts(summary);
  summary.paths.caller = path;
  for (std::size_t i = 0; i < of_sites.size(); i++) {
    const u32 within = of_sites[i].within;
    const PathId caller = within == SummaryPaths::kOutside ? path : of_sites[within].path;
    of_sites[i].path = paths_.called(caller, summary.sites[i].site);
  }
}

// Work in a loop is not its routine's own, wherever the routine was called.
template <typename Summary>
void DagRecorder::take_from_routine(RoutineId routine, Work work, const Summary& summary) {
  auto& of_sites = summary.paths.of_sites;
  for (std::size_t i = of_sites.size(); i-- > 0;)
    if (paths_.call_at(summary.sites[i].site).callee == routine) {
      const Work taken = work < of_sites[i].work ? work : of_sites[i].work;
      of_sites[i].work -= taken;
      work -= taken;
    }
  summary.paths.own -= work;
}

template <typename Summary>
void DagRecorder::add_parts(StrandId strand, PathId path, const Summary& summary) {
  if (summary.paths.caller != path)
    find_paths(path, summary);
  for (const SummaryPaths::Part& part : summary.paths.of_sites)
    if (part.work > 0) // a loop that has not begun has none, and gets no part
      strands_.add_work(strand, part.path, part.work, paths_);
  if (summary.paths.own > 0)
    strands_.add_work(strand, path, summary.paths.own, paths_);
}
