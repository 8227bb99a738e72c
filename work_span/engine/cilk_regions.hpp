// Interprets the markers of cilk/cilk.h (trace/markers.hpp) for the engine: which call is a spawned
// child, and where scopes and parallel loops begin and end. Independent of Valgrind.
//
// A spawn's marker comes before the evaluation of the child's arguments, and an optimiser may have
// inlined any part of what follows. The child is the last call that can be it; earlier calls were
// in its arguments, whose time is the parent's (as in Cilk). open_region.hpp draws how the child is
// found.
// - In C, nothing tells arguments from a child that is followed by another call in the same line,
//   so such spawns are counted as mistakes. Calls from other lines come from inlined code.
// - In C++, the spawn has an end, and debug info says what is inlined. What comes after the spawned
//   call belongs to the child, too (as in Cilk): its result is stored, and its arguments are
//   destroyed. This may involve calls: `v[i] = cilk_spawn f(x)` calls operator[] last. If it is not
//   known which call is which, the longer one is taken for the child; an operator() is, unless it
//   is a mere accessor.
//
// An iteration of a parallel loop is a spawned child with a scope of its own; the loop waits for
// all of them.
//
// Owns nothing: regions are stored in SpanThread. A marker, and a call or return in a spawn, costs
// O(1) in addition to the engine's work.
#pragma once

#include "trace/markers.hpp"
#include "work_span/engine/work_span_fast.hpp"

struct CilkMistakes {
  u64 unmatched = 0;     // ends without a beginning
  u64 without_call = 0;  // spawns in C without a call
  u64 several_calls = 0; // spawns with several calls that may be the child
  u64 abandoned = 0;     // spawns, scopes and loops whose frame ended before them
  u64 newer = 0;         // markers of unknown kinds
  u64 refused = 0;       // requests with unusable addresses or numbers
  u64 tail_calls = 0;    // tail calls that made their callers wait for spawned children

  bool operator==(const CilkMistakes&) const = default;
};

class CilkRegions {
public:
  CilkRegions(WorkSpan& engine, CilkMistakes& mistakes) : engine_(engine), mistakes_(mistakes) {}

  // `location` is not used for a sync.
  void marker(SpanThread& thread, u32 kind, SourceLocation location);

  // A cheaper equivalent of a sync's marker. There must be a frame.
  void sync(SpanThread& thread) {
    if (in_spawn(thread)) [[unlikely]]
      before_marker(thread);
    engine_.sync(thread);
  }
  // Equivalent to the marker of a spawn followed by the call of its child, if that call is
  // certainly the child. There must be a frame; call before_marker first if it is in a spawn.
  [[gnu::always_inline]] void begin_spawned_call(SpanThread& thread, u32 kind,
                                                 SourceLocation location) {
    open(thread, kind_of(kind), location, State::candidate);
    engine_.begin_spawn(thread);
  }
  // The top frame, which is in a spawn, is at a marker other than that spawn's end.
  void before_marker(SpanThread& thread);

  // Whether the top frame is in a spawn, so that calls and returns matter.
  static bool in_spawn(const SpanThread& thread) {
    return is_in_region(thread) && top(thread).is_spawn();
  }
  static bool in_parallel_loop(const SpanThread& thread) {
    return is_in_region(thread) && top(thread).kind == Kind::loop;
  }
  // Whether the top frame is in any region, so that its return matters.
  static bool is_in_region(const SpanThread& thread) {
    return !thread.frames.empty() && thread.frames.back().region != 0;
  }

  // Call before the engine's call from a frame in a spawn. Returns true if the callee may be the
  // child.
  bool before_call(SpanThread& thread, const CallOrigin& call) {
    Region& region = top(thread);
    if (region.kind == Kind::spawn_in_cxx)
      return before_call_in_cxx(thread, region, call);
    if (region.state != State::ended || call.location == region.location || region.location == 0)
      return before_call_in_c(thread, region, call);
    close_ended(thread);
    return false;
  }
  // Call from a frame in a spawn, before an order with other threads by a routine that is no child
  // itself but may be called by an inlined one.
  void before_order(SpanThread& thread, const CallOrigin& call) {
    if (top(thread).kind == Kind::spawn_in_cxx)
      before_call(thread, call);
  }
  // The top frame throws.
  static void thrown(SpanThread& thread) {
    if (in_spawn(thread))
      thread.frames.back().child_threw = true;
  }
  // An exception handler begins. If the exception came from a spawned child and is caught by the
  // function that spawned it, that function has waited for all its children. Otherwise the handler
  // may be that of another, inlined function.
  void handler(SpanThread& thread) {
    if (!thread.frames.empty() && std::exchange(thread.frames.back().child_threw, false) &&
        !in_spawn(thread))
      sync(thread);
  }
  // Call after the engine's return to a frame in a spawn.
  [[gnu::always_inline]] void after_return(SpanThread& thread) {
    Region& region = top(thread);
    if (region.state == State::candidate) {
      if (region.kind == Kind::spawn_in_cxx)
        return begin_result(thread, region);
      engine_.end_spawn(thread);
      region.state = State::ended;
    } else if (region.state == State::second) [[unlikely]] {
      end_second(thread, region);
    }
  }
  // A complete iteration of the loop that the top frame is in, which has just ended.
  void repeat_iteration(SpanThread& thread, const InvocationSummary& summary) {
    Region& loop = top(thread);
    start_iteration(thread, loop);
    loop.state = State::kept;
    engine_.repeat_iteration(thread, summary);
    count_iteration(thread, loop, summary.work);
  }
  // Call before the engine's return from a frame in a region.
  void before_return(SpanThread& thread);
  // Likewise, for a frame that a jump leaves.
  void before_unwinding(SpanThread& thread);
  // Likewise, for a frame that ended with a tail call to the routine of a frame beneath.
  void before_tail_return(const SpanThread& thread) {
    mistakes_.tail_calls += thread.frames.back().forks > 0;
  }
  // The thread is over, whatever is pending.
  void abandon_all(SpanThread& thread);

private:
  using Region = OpenRegion;
  using Kind = Region::Kind;
  using State = Region::State;

  static const Region& top(const SpanThread& thread) {
    return thread.regions[thread.frames.back().region - 1];
  }
  static Region& top(SpanThread& thread) { return thread.regions[thread.frames.back().region - 1]; }
  static Kind kind_of(u32 spawn) {
    return Marker{spawn} == Marker::spawn ? Kind::spawn_in_c : Kind::spawn_in_cxx;
  }
  static void forget_top(SpanThread& thread) {
    thread.frames.back().region = top(thread).outer;
    thread.regions.pop_back();
  }
  static void open(SpanThread& thread, Kind kind, SourceLocation location,
                   State state = State::no_call) {
    SpanFrame& frame = thread.frames.back();
    thread.regions.emplace_back(location, frame.local.whole, frame.region, kind, state);
    frame.region = static_cast<u32>(thread.regions.size());
  }
  bool before_call_in_c(SpanThread& thread, Region& region, const CallOrigin& call);
  bool before_call_in_cxx(SpanThread& thread, Region& region, const CallOrigin& call);
  // In C: the candidate was the child.
  void close_ended(SpanThread& thread) {
    engine_.keep_spawn(thread);
    forget_top(thread);
  }
  // In C++, the cases of a call. Either it belongs to the inlined candidate, or nothing can be the
  // child any more:
  static bool is_no_other(const Region& region, const CallOrigin& call) {
    const bool is_same = call.role == SpawnRole::no_child || call.inlined == region.spawn.inlined;
    return region.state == State::kept || (region.runs_inlined() && is_same);
  }
  // or it uses the result of an inlined leaf that was executed before it;
  bool may_follow_leaf(const SpanThread& thread, const Region& region,
                       const CallOrigin& call) const;
  // or there is a candidate already, and this call shows that it was in an argument, or is a second
  // one.
  void begin_second(SpanThread& thread, Region& region, const CallOrigin& call);

  // What the frame itself has executed since the marker, or since the candidate's call was over.
  static Work strand(const SpanThread& thread, const Region& region) {
    return thread.frames.back().local.whole - region.local;
  }
  static void begin_result(SpanThread& thread, Region& region) {
    region.local = thread.frames.back().local.whole;
    region.state = State::result;
  }
  void begin_inlined(SpanThread& thread, Region& region, u32 inlined);
  void end_inlined(SpanThread& thread, Region& region);
  void end_second(SpanThread& thread, Region& region);
  static void note_argument(Region& region, Span length);
  void undo_running(SpanThread& thread);
  void end_spawn(SpanThread& thread, Region& region);
  void count_several_calls(Region& region) {
    mistakes_.several_calls += !std::exchange(region.several_calls, true);
  }

  void close(SpanThread& thread, Kind kind);
  void end_top(SpanThread& thread);
  void next_iteration(SpanThread& thread);
  void start_iteration(SpanThread& thread, Region& loop) {
    end_iteration(thread, loop);
    loop.loop.iterations++;
    loop.state = State::no_call;
  }
  // Ends the latest iteration, unless it has ended.
  void end_iteration(SpanThread& thread, Region& loop) {
    if (loop.loop.iterations != 0 && loop.state != State::kept)
      end_unkept_iteration(thread, loop);
  }
  void end_unkept_iteration(SpanThread& thread, Region& loop);
  static void find_loop(const SpanThread& thread, Region& region);
  void count_iteration(const SpanThread& thread, Region& region, Work amount);

  WorkSpan& engine_;
  CilkMistakes& mistakes_;
};
