// Compares the work-span engine with the dag oracle on random programs, and tests small programs.
#include "dag_oracle.hpp"
#include "recorded_dag.hpp"
#include "work_span/engine/work_span_fast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>

namespace {

constexpr Span kBurden = 777;

DagOracle::Sums plain(const Measure& m) { return {m.count, m.work, m.span}; }

DagOracle::Sites by_site(const Vector<Measures>& measures) {
  DagOracle::Sites sites;
  for (std::size_t i = 0; i < measures.size(); i++)
    if (measures[i] != Measures{})
      sites[static_cast<int>(i)] = {plain(measures[i].top_site), plain(measures[i].top_caller),
                                    plain(measures[i].local), measures[i].burdened};
  return sites;
}

std::string text(const DagOracle::Site& site) {
  std::string all;
  for (const auto& [count, work, span] : {site.top_site, site.top_caller, site.local})
    all += "{" + std::to_string(count) + " " + std::to_string(work) + " " + std::to_string(span) +
           "} ";
  return all + std::to_string(site.burdened);
}

void expect_equal(const DagOracle::Sites& actual, const DagOracle::Sites& expected,
                  const char* which) {
  EXPECT_EQ(actual.size(), expected.size()) << which;
  for (const auto& [site, sums] : expected) {
    const auto found = actual.find(site);
    ASSERT_NE(found, actual.end()) << which << " site " << site;
    EXPECT_EQ(text(found->second), text(sums)) << which << " site " << site;
  }
}

// What a random program may contain.
struct Shape {
  bool spawns;
  bool threads;
  bool handlers;
};

class Program {
public:
  Program(const Shape& shape, unsigned seed) : shape_(shape), random_(seed) {
    engine_.record(dag_);
    threads_.push_back({engine_.start_thread(nullptr), oracle_.start_thread(-1), {}, {}});
  }

  int summaries() const { return summaries_; }
  int iterations() const { return iterations_; }

  void run(int events) {
    for (int i = 0; i < events; i++) {
      one_event(threads_[below(threads_.size())]);
      if (once_in(500)) // changes nothing
        engine_.results_so_far();
    }
    for (Thread& thread : threads_)
      unlock_all(thread);
    for (Thread& thread : threads_)
      end(thread);
    for (auto& [engine_point, oracle_point] : points_)
      engine_.paths().drop(engine_point);
    const WorkSpan::Totals totals = engine_.finish();
    oracle_.solve(kBurden);
    EXPECT_EQ(totals.work, oracle_.total_work);
    EXPECT_EQ(totals.lengths.span, oracle_.span);
    EXPECT_EQ(totals.lengths.burdened, oracle_.burdened);
    EXPECT_EQ(totals.lengths.serialised, oracle_.serialised);
    expect_equal(by_site(engine_.on_work()), oracle_.on_work, "on work");
    expect_equal(by_site(engine_.on_span()), oracle_.on_span, "on span");
    Span local = 0;
    for (const auto& [site, sums] : oracle_.on_span)
      local += sums.local.span;
    if (outside_ == 0) { // every instruction on the span is some site's own
      EXPECT_EQ(local, oracle_.span);
    }
    measuring_.abandon(measuring_thread_);
    expect_dag();
  }

private:
  static constexpr int kRoutines = 5;
  static constexpr int kLocks = 2;

  struct Spawn {
    std::size_t depth; // of the spawning frame
    int seen;          // value of seen_ when it began
  };
  struct Thread {
    SpanThread* engine;
    int oracle;
    std::vector<int> routines; // pending
    std::vector<Spawn> spawns;
    std::vector<std::pair<int, bool>> locks{}; // held, and whether shared
    bool ended = false;
  };

  // The recorded dag has the work and the span of the run. Folding changes only the span, and only
  // towards the time on one processor.
  void expect_dag() {
    Folding folding(dag_.strands(), dag_.paths());
    const RecordedDag recorded(dag_.strands());
    EXPECT_EQ(recorded.work, oracle_.total_work);
    EXPECT_EQ(recorded.span, oracle_.span);
    EXPECT_EQ(recorded.pins, 0u);
    folding.fold(0);
    EXPECT_EQ(RecordedDag(dag_.strands()), recorded);
    for (const Work grain : {10'000u, 1'000'000u, 100'000'000u}) {
      const u32 before = dag_.strands().live();
      folding.fold(grain);
      const RecordedDag folded(dag_.strands());
      EXPECT_EQ(folded.work, recorded.work);
      EXPECT_EQ(folded.parts, recorded.work);
      EXPECT_GE(folded.span, recorded.span);
      EXPECT_LE(folded.span, recorded.work);
      EXPECT_LE(dag_.strands().live(), before);
    }
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool once_in(std::size_t n) { return below(n) == 0; }

  void work(Thread& thread) {
    const u64 amount = 1 + below(1000000);
    if (thread.routines.empty())
      outside_ += amount;
    engine_.work(*thread.engine, amount);
    oracle_.work(thread.oracle, amount);
  }
  int callee() { return 1 + static_cast<int>(below(kRoutines - 1)); }
  int site_of(const Thread& thread, int callee) {
    const int caller = thread.routines.empty() ? 0 : thread.routines.back();
    return (caller * kRoutines + callee) * 2 + static_cast<int>(below(2));
  }
  void call(Thread& thread) {
    const int callee = this->callee();
    const int site = site_of(thread, callee);
    const u64 unaccounted = unaccounted_work(thread);
    engine_.call(*thread.engine, SiteId(site), RoutineId(callee), unaccounted);
    engine_.work(*thread.engine, unaccounted);
    oracle_.call(thread.oracle, site, callee);
    thread.routines.push_back(callee);
  }
  // Work that the engine gets after the next event.
  u64 unaccounted_work(Thread& thread) {
    const u64 amount = once_in(2) ? 0 : below(1000000);
    if (thread.routines.empty())
      outside_ += amount;
    oracle_.work(thread.oracle, amount);
    return amount;
  }
  void call_leaves(Thread& thread) {
    const int callee = this->callee();
    const int site = site_of(thread, callee);
    const u64 calls = once_in(2) ? 1 : 1 + below(5);
    u64 all = 0;
    for (u64 i = 0; i < calls; i++) {
      const u64 amount = 1 + below(1000000);
      oracle_.call(thread.oracle, site, callee);
      oracle_.work(thread.oracle, amount);
      oracle_.return_from_top(thread.oracle);
      all += amount;
    }
    engine_.call_leaves(*thread.engine, SiteId(site), calls, all);
    engine_.work(*thread.engine, all);
  }

  // An invocation that is measured by itself and then called repeatedly.
  struct Measured {
    InvocationSummary summary;
    std::vector<std::function<void(int)>> events; // for the oracle's thread
  };
  void call_measured(Thread& thread) {
    Measured measured;
    measuring_thread_->frames.back().outermost = thread.engine->frames.back().outermost;
    std::swap(measuring_thread_->pending, thread.engine->pending);
    const bool has_called = measure(measured, thread.routines.back(), 0);
    std::swap(measuring_thread_->pending, thread.engine->pending);
    if (!measuring_.take_invocation(*measuring_thread_, measured.summary) || !has_called)
      return;
    summaries_++;
    for (std::size_t times = 1 + below(3); times > 0; times--) {
      for (const auto& event : measured.events)
        event(thread.oracle);
      engine_.repeat_invocation(*thread.engine, measured.summary);
      engine_.count_repeats(measured.summary, 1);
      engine_.work(*thread.engine, measured.summary.work);
    }
  }
  // A parallel loop with two kinds of iterations, each of which is measured once.
  void iterate(Thread& thread) {
    Measured kinds[2];
    for (Measured& kind : kinds)
      if (!measure_iteration(kind, thread))
        return;
    begin_scope(thread);
    for (std::size_t iterations = below(6); iterations > 0; iterations--) {
      if (once_in(4))
        work(thread); // before the iteration
      if (once_in(6))
        spawn_strand(thread);
      const Measured& kind = kinds[below(2)];
      oracle_.begin_iteration(thread.oracle);
      oracle_.begin_scope(thread.oracle);
      for (const auto& event : kind.events)
        event(thread.oracle);
      oracle_.end_scope(thread.oracle);
      oracle_.end_spawn(thread.oracle);
      oracle_.keep_spawn(thread.oracle);
      engine_.repeat_iteration(*thread.engine, kind.summary);
      engine_.count_repeats(kind.summary, 1);
      iterations_++;
    }
    engine_.end_scope(*thread.engine);
    oracle_.end_scope(thread.oracle);
  }
  bool measure_iteration(Measured& measured, Thread& thread) {
    measuring_thread_->frames.back().outermost = thread.engine->frames.back().outermost;
    std::swap(measuring_thread_->pending, thread.engine->pending);
    measuring_.begin_scope(*measuring_thread_);
    measuring_.begin_iteration(*measuring_thread_);
    measuring_.begin_scope(*measuring_thread_);
    for (std::size_t events = below(7); events > 0; events--)
      measure_event(measured, thread.routines.back(), 0);
    measuring_.end_scope(*measuring_thread_);
    measuring_.end_spawn(*measuring_thread_);
    measuring_.keep_spawn(*measuring_thread_);
    measuring_.end_scope(*measuring_thread_);
    measuring_.add_burden(*measuring_thread_, 1);
    std::swap(measuring_thread_->pending, thread.engine->pending);
    return measuring_.take_iteration(*measuring_thread_, measured.summary);
  }
  bool measure(Measured& measured, int caller, int depth) {
    const int callee = this->callee();
    const int site = (caller * kRoutines + callee) * 2 + static_cast<int>(below(2));
    if (!measuring_thread_->pending.has_room(SiteId(site), RoutineId(callee)))
      return false;
    measured.summary.of(SiteId(site));
    measuring_.discovered(SiteId(site));
    measuring_.call(*measuring_thread_, SiteId(site), RoutineId(callee));
    measured.events.emplace_back([=, this](int on) { oracle_.call(on, site, callee); });
    for (std::size_t events = below(7); events > 0; events--)
      measure_event(measured, callee, depth);
    measuring_.return_from_top(*measuring_thread_);
    measured.events.emplace_back([this](int on) { oracle_.return_from_top(on); });
    return true;
  }
  void measure_event(Measured& measured, int routine, int depth) {
    switch (below(5)) {
    case 0:
      if (depth < 3)
        measure(measured, routine, depth + 1);
      return;
    case 1:
      if (depth < 3) {
        measuring_.begin_spawn(*measuring_thread_);
        measured.events.emplace_back([this](int on) { oracle_.begin_spawn(on); });
        measure(measured, routine, depth + 1);
        measuring_.end_spawn(*measuring_thread_);
        measuring_.keep_spawn(*measuring_thread_);
        measured.events.emplace_back([this](int on) {
          oracle_.end_spawn(on);
          oracle_.keep_spawn(on);
        });
      }
      return;
    case 2:
      measuring_.sync(*measuring_thread_);
      measured.events.emplace_back([this](int on) { oracle_.sync(on); });
      return;
    default:
      const u64 amount = 1 + below(1000000);
      measuring_.work(*measuring_thread_, amount);
      measured.events.emplace_back([=, this](int on) { oracle_.work(on, amount); });
    }
  }
  void return_(Thread& thread) {
    unlock_all(thread);
    while (!thread.spawns.empty() && thread.spawns.back().depth == thread.routines.size())
      thread.spawns.pop_back();
    const bool is_open = WorkSpan::is_open(thread.engine->frames.back());
    const u64 unaccounted = is_open ? 0 : unaccounted_work(thread);
    engine_.return_from_top(*thread.engine, unaccounted);
    engine_.work(*thread.engine, unaccounted);
    oracle_.return_from_top(thread.oracle);
    thread.routines.pop_back();
  }
  void spawn(Thread& thread) {
    if (spawns_here(thread) > 0)
      wait_in_child(thread);
    engine_.begin_spawn(*thread.engine);
    oracle_.begin_spawn(thread.oracle);
    thread.spawns.push_back({thread.routines.size(), seen_});
    if (!once_in(8)) // an inlined child has no call
      call(thread);
  }
  // Of its top frame.
  static std::size_t spawns_here(const Thread& thread) {
    const auto here = [&](const Spawn& spawn) { return spawn.depth == thread.routines.size(); };
    return static_cast<std::size_t>(std::ranges::count_if(thread.spawns, here));
  }
  void wait_in_child(Thread& thread) {
    engine_.wait_in_child(*thread.engine);
    oracle_.wait_in_child(thread.oracle);
  }
  void undo_outer_spawn(Thread& thread) {
    wait_in_child(thread);
    engine_.undo_outer_spawn(*thread.engine);
    oracle_.undo_outer_spawn(thread.oracle);
    thread.spawns.erase(thread.spawns.end() - 2);
  }
  // If other threads may know a path with the burden of a spawn, it must be kept.
  void end_spawn_or_outer(Thread& thread) {
    const bool two = spawns_here(thread) > 1;
    if (two && thread.spawns.end()[-2].seen == seen_ && once_in(2))
      undo_outer_spawn(thread);
    else
      end_spawn(thread);
  }
  void end_spawn(Thread& thread) {
    unlock_all(thread); // a lock is not handed over to a parallel strand
    engine_.end_spawn(*thread.engine);
    oracle_.end_spawn(thread.oracle);
    const int seen = thread.spawns.back().seen;
    thread.spawns.pop_back();
    if (once_in(2))
      work(thread);
    if (seen == seen_ && once_in(4)) {
      engine_.undo_spawn(*thread.engine);
      oracle_.undo_spawn(thread.oracle);
    } else {
      engine_.keep_spawn(*thread.engine);
      oracle_.keep_spawn(thread.oracle);
    }
  }
  void spawn_strand(Thread& thread) {
    oracle_.begin_spawn(thread.oracle);
    const u64 amount = 1 + below(1000000);
    engine_.work(*thread.engine, amount);
    oracle_.work(thread.oracle, amount);
    oracle_.end_spawn(thread.oracle);
    oracle_.keep_spawn(thread.oracle);
    engine_.spawn_strand(*thread.engine, amount);
  }
  void begin_scope(Thread& thread) {
    engine_.begin_scope(*thread.engine);
    oracle_.begin_scope(thread.oracle);
  }
  void sync(Thread& thread) {
    engine_.sync(*thread.engine);
    oracle_.sync(thread.oracle);
  }
  void create(Thread& creator) {
    seen_++;
    threads_.push_back(
        {engine_.start_thread(creator.engine), oracle_.start_thread(creator.oracle), {}, {}});
  }
  void end(Thread& thread) {
    if (thread.ended)
      return;
    thread.ended = true;
    while (!thread.routines.empty())
      return_(thread);
    work(thread); // so that no two threads' paths have the same length
    engine_.end_thread(*thread.engine);
    oracle_.end_thread(thread.oracle);
  }
  void join(Thread& by, std::size_t which) {
    seen_++;
    Thread ended = threads_[which];
    engine_.join_thread(*by.engine, ended.engine);
    oracle_.join_thread(by.oracle, ended.oracle);
    threads_.erase(threads_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  // By one handler on each level, whichever thread it interrupts, and wherever.
  void interrupt(Thread& thread, std::size_t level = 0) {
    if (level == handlers_.size())
      handlers_.push_back(engine_.start_thread(nullptr));
    Thread handler{handlers_[level], oracle_.start_thread(thread.oracle), {}, {}};
    seen_++;
    engine_.go_on_from(*handler.engine, *thread.engine);
    call(handler);
    for (std::size_t i = below(4); i > 0; i--) {
      work(handler);
      if (level < 2 && once_in(4))
        interrupt(handler, level + 1);
      call(handler);
    }
    while (!handler.routines.empty())
      return_(handler);
    work(handler); // as in end()
    PathPoint end = engine_.publish(*handler.engine);
    engine_.observe(*thread.engine, end);
    engine_.hand_over_work(*thread.engine, *handler.engine);
    oracle_.end_thread(handler.oracle);
    oracle_.join_thread(thread.oracle, handler.oracle);
  }
  void order(Thread& thread) {
    seen_++;
    if (points_.size() < 3 || once_in(2)) {
      if (points_.size() == 5) {
        engine_.paths().drop(points_.front().first);
        points_.erase(points_.begin());
      }
      points_.push_back({engine_.publish(*thread.engine), oracle_.publish(thread.oracle)});
      return;
    }
    auto& [engine_point, oracle_point] = points_[below(points_.size())];
    PathPoint copied = engine_.paths().copy(engine_point);
    engine_.observe(*thread.engine, copied);
    oracle_.observe(thread.oracle, oracle_point);
  }
  void lock(Thread& thread) {
    const int lock = static_cast<int>(below(kLocks));
    const bool shared = below(2) == 0;
    if (shared ? held_[lock] < 0 : held_[lock] != 0)
      return;
    held_[lock] += shared ? 1 : -1;
    thread.locks.push_back({lock, shared});
    if (shared)
      engine_.acquire_shared(*thread.engine, locks_[lock]);
    else
      engine_.acquire(*thread.engine, locks_[lock]);
    oracle_.acquire(thread.oracle, lock, shared);
  }
  void unlock_all(Thread& thread) {
    for (auto [lock, shared] : thread.locks) {
      held_[lock] -= shared ? 1 : -1;
      if (shared)
        engine_.release_shared(*thread.engine, locks_[lock]);
      else
        engine_.release(*thread.engine, locks_[lock]);
      oracle_.release(thread.oracle, lock, shared);
    }
    thread.locks.clear();
  }

  void one_event(Thread& thread) {
    if (thread.ended)
      return;
    const std::size_t spawns = spawns_here(thread);
    const bool in_spawn = spawns > 0;
    const std::size_t depth = thread.routines.size();
    if (shape_.handlers && once_in(8))
      return interrupt(thread);
    switch (below(shape_.threads ? 12 : 8)) {
    case 0:
    case 1:
      return depth == 0   ? call(thread)
             : once_in(3) ? call_leaves(thread)
             : once_in(2) ? call_measured(thread)
                          : work(thread);
    case 2: return depth < 12 ? call(thread) : return_(thread);
    case 3:
    case 4: return in_spawn ? end_spawn_or_outer(thread) : depth > 0 ? return_(thread) : void();
    case 5:
      return depth > 0 && depth < 12 && spawns < 3 && shape_.spawns ? spawn(thread) : work(thread);
    case 6: return in_spawn ? end_spawn_or_outer(thread) : work(thread);
    case 7:
      if (depth == 0 || in_spawn || !shape_.spawns)
        return;
      if (once_in(4))
        return spawn_strand(thread);
      if (once_in(3))
        return iterate(thread);
      if (once_in(3))
        return begin_scope(thread);
      if (engine_.is_in_scope(*thread.engine) && once_in(2)) {
        engine_.end_scope(*thread.engine);
        oracle_.end_scope(thread.oracle);
        return;
      }
      return sync(thread);
    case 8: return threads_.size() < 5 ? create(thread) : order(thread);
    case 9:
      if (&thread != &threads_.front() && once_in(6)) {
        unlock_all(thread);
        return end(thread);
      }
      for (std::size_t i = 1; i < threads_.size(); i++)
        if (threads_[i].ended)
          return join(thread.engine == threads_[i].engine ? threads_.front() : thread, i);
      return;
    case 10: return order(thread);
    case 11: return thread.locks.empty() ? lock(thread) : unlock_all(thread);
    }
  }

  Shape shape_;
  std::mt19937_64 random_;
  DagRecorder dag_{[](SiteId site) { // as site_of() numbers them
    const u32 routines = index(site) / 2;
    return CallPaths::Call{RoutineId(routines / kRoutines), RoutineId(routines % kRoutines)};
  }};
  WorkSpan engine_{{.burden = kBurden, .tables = 2}};
  WorkSpan measuring_{{.burden = kBurden}};
  SpanThread* measuring_thread_ = measuring_.start_measuring();
  DagOracle oracle_;
  std::vector<Thread> threads_;
  int summaries_ = 0;                 // that were called
  int iterations_ = 0;                // that were summarised
  std::vector<SpanThread*> handlers_; // by level
  std::vector<std::pair<PathPoint, int>> points_;
  SpanLock locks_[kLocks];
  int held_[kLocks]{}; // number of shared holders; -1: one exclusive holder
  u64 outside_ = 0;
  int seen_ = 0; // events between threads
};

class WorkSpanOracle : public testing::TestWithParam<Shape> {};

TEST_P(WorkSpanOracle, EveryMeasureOfEverySiteAgrees) {
  int summaries = 0;
  int iterations = 0;
  for (unsigned seed = 0; seed < 500; seed++) {
    SCOPED_TRACE(seed);
    Program program(GetParam(), seed);
    program.run(seed < 20 ? 3000 : 20 + 3 * static_cast<int>(seed));
    summaries += program.summaries();
    iterations += program.iterations();
    if (HasFailure())
      return;
  }
  EXPECT_GT(summaries, 1000);
  EXPECT_EQ(iterations > 1000, GetParam().spawns);
}

INSTANTIATE_TEST_SUITE_P(Programs, WorkSpanOracle,
                         testing::Values(Shape{true, false, false}, Shape{false, true, false},
                                         Shape{true, true, false}, Shape{true, false, true}));

// Figure 5 of the Cilkprof paper; sites 4 and 5 are its lines, 13 is the call by main.
class Fib {
public:
  void spawning(WorkSpan& engine, SpanThread& thread, int n) {
    engine.work(thread, 10);
    if (n < 2)
      return;
    engine.begin_spawn(thread);
    call(engine, thread, 4, n - 1);
    engine.end_spawn(thread);
    engine.keep_spawn(thread);
    call(engine, thread, 5, n - 2);
    engine.sync(thread);
    engine.work(thread, 1);
  }
  void call(WorkSpan& engine, SpanThread& thread, u32 site, int n) {
    engine.call(thread, SiteId{site}, RoutineId{1});
    spawning(engine, thread, n);
    engine.return_from_top(thread);
  }
};

TEST(WorkSpan, Fib) {
  WorkSpan engine({});
  SpanThread& thread = *engine.start_thread(nullptr);
  Fib().call(engine, thread, 13, 4);
  const WorkSpan::Totals totals = engine.finish();
  EXPECT_EQ(totals.work, 9u * 10 + 4); // nine instances, four of which spawn
  EXPECT_EQ(totals.lengths.span, 4u * 10 + 3);
  EXPECT_EQ(totals.spawns, 4u);
  const Measures& line4 = engine.on_work()[4];
  const Measures& line5 = engine.on_work()[5];
  EXPECT_EQ(line4.local.count, 4u);
  // Figure 6: fib(3) of fib(4), and fib(1) within fib(2) on the right.
  EXPECT_EQ(line4.top_site, (Measure{2, 52 + 10, 32 + 10}));
  EXPECT_EQ(line5.top_site, (Measure{3, 31 + 10 + 10, 21 + 10 + 10}));
  EXPECT_EQ(line4.top_caller, (Measure{1, 52, 32}));
  EXPECT_EQ(line5.top_caller, (Measure{1, 31, 21}));
}

TEST(WorkSpan, InvocationsAreMeasuredWhenTheyReturnAndWhilePending) {
  WorkSpan engine({});
  SpanThread& main = *engine.start_thread(nullptr);
  engine.call(main, SiteId{0}, RoutineId{1});
  engine.work(main, 5);
  engine.begin_spawn(main);
  engine.call(main, SiteId{1}, RoutineId{2});
  engine.work(main, 30);
  EXPECT_EQ(engine.so_far(main, 0), (Invocation{35, 35, 5, 5}));
  EXPECT_EQ(engine.so_far(main, 1), (Invocation{30, 30, 30, 30}));
  EXPECT_EQ(engine.return_from_top(main), (Invocation{30, 30, 30, 30}));
  engine.end_spawn(main);
  engine.keep_spawn(main);
  engine.work(main, 2);
  EXPECT_EQ(engine.so_far(main, 0), (Invocation{37, 7, 7, 7}));
  engine.call(main, SiteId{2}, RoutineId{3});
  engine.work(main, 100);
  EXPECT_EQ(engine.so_far(main, 0), (Invocation{137, 107, 7, 7}));
  EXPECT_EQ(engine.return_from_top(main), (Invocation{100, 100, 100, 100}));
  engine.sync(main);
  EXPECT_EQ(engine.return_from_top(main), (Invocation{137, 107, 7, 7}));
  engine.finish();
}

// A thread that has executed 5 and spawned a child of 100, which has ended.
SpanThread& start_with_ended_child(WorkSpan& engine) {
  SpanThread& thread = *engine.start_thread(nullptr);
  engine.call(thread, SiteId{0}, RoutineId{1});
  engine.work(thread, 5);
  engine.begin_spawn(thread);
  engine.call(thread, SiteId{1}, RoutineId{2});
  engine.work(thread, 100);
  engine.return_from_top(thread);
  engine.end_spawn(thread);
  return thread;
}

TEST(WorkSpan, ResultsSoFarAreThoseOfAnEnd) {
  WorkSpan engine({});
  SpanThread& thread = start_with_ended_child(engine);
  EXPECT_EQ(engine.results_so_far().totals.lengths.span, 105u);
  engine.keep_spawn(thread);
  engine.work(thread, 7);
  const WorkSpan::Results results = engine.results_so_far();
  EXPECT_EQ(results.totals.work, 112u);
  EXPECT_EQ(results.totals.lengths.span, 105u);
  EXPECT_EQ(results.on_work[0].top_site, (Measure{1, 112, 105}));
  EXPECT_EQ(results.on_span[1].local, (Measure{1, 100, 100}));
  EXPECT_EQ(engine.on_work()[0], Measures{}); // still pending
  engine.finish();
  EXPECT_EQ(engine.on_work()[0].top_site, (Measure{1, 112, 105}));
  EXPECT_EQ(engine.paths().nodes(), 0u);
}

TEST(WorkSpan, ALookAtTheResultsDoesNotChangeWhatIsUndone) {
  WorkSpan engine({});
  SpanThread& thread = start_with_ended_child(engine);
  engine.work(thread, 7);
  EXPECT_EQ(engine.results_so_far().totals.lengths.span, 105u);
  engine.work(thread, 2);
  engine.undo_spawn(thread);
  EXPECT_EQ(engine.finish().lengths.span, 114u);
  EXPECT_EQ(engine.on_span()[0].local, (Measure{1, 14, 14}));
  EXPECT_EQ(engine.paths().nodes(), 0u);
}

TEST(WorkSpan, RestartForgetsWhatWasAndKeepsWhatIsPending) {
  WorkSpan engine({});
  SpanThread& thread = *engine.start_thread(nullptr);
  engine.call(thread, SiteId{0}, RoutineId{1});
  SpanThread* ended = engine.start_thread(&thread);
  SpanThread* gone = engine.start_thread(&thread);
  engine.call(*gone, SiteId{3}, RoutineId{3});
  engine.call(*ended, SiteId{2}, RoutineId{2});
  engine.work(*ended, 5000);
  PathPoint late = engine.publish(*ended);
  engine.end_thread(*ended);
  engine.work(thread, 1000);
  engine.begin_spawn(thread);
  engine.call(thread, SiteId{1}, RoutineId{2});
  engine.work(thread, 100);
  engine.abandon(gone);
  engine.restart();
  engine.work(thread, 30);
  engine.return_from_top(thread);
  engine.end_spawn(thread);
  engine.keep_spawn(thread);
  engine.observe(thread, late); // from before
  engine.join_thread(thread, ended);
  engine.work(thread, 7);
  const WorkSpan::Totals totals = engine.finish();
  EXPECT_EQ(totals.work, 37u);
  EXPECT_EQ(totals.lengths.span, 30u);
  EXPECT_EQ(totals.spawns, 0u);
  EXPECT_EQ(engine.on_work()[0].top_site, (Measure{1, 37, 30}));
  EXPECT_EQ(engine.on_work()[1].top_site, (Measure{1, 30, 30}));
  EXPECT_EQ(engine.on_span()[1].local, (Measure{1, 30, 30}));
  EXPECT_EQ(engine.on_work()[2], Measures{});
  EXPECT_EQ(engine.on_span().size() > 2 ? engine.on_span()[2] : Measures{}, Measures{});
  EXPECT_EQ(engine.on_work().size() > 3 ? engine.on_work()[3] : Measures{}, Measures{});
  EXPECT_EQ(engine.paths().nodes(), 0u);
}

TEST(WorkSpan, AnAbandonedSpawnWhoseChildEndedIsDroppedOnce) {
  WorkSpan engine({});
  SpanThread* thread = engine.start_thread(nullptr);
  engine.call(*thread, SiteId{0}, RoutineId{1});
  engine.begin_spawn(*thread);
  engine.work(*thread, 30);
  engine.end_spawn(*thread);
  engine.work(*thread, 5);
  engine.abandon(thread);
  EXPECT_EQ(engine.paths().nodes(), 0u);
  engine.finish();
}

TEST(WorkSpan, AnOuterSpawnIsUndoneWhereTheInnerHasGoneOnElsewhere) {
  WorkSpan engine{{}};
  SpanThread* main = engine.start_thread(nullptr);
  engine.call(*main, SiteId{0}, RoutineId{1});
  SpanThread* other = engine.start_thread(main);
  engine.work(*other, 1000);
  engine.begin_spawn(*main);
  engine.work(*main, 10);
  engine.begin_spawn(*main);
  PathPoint before = engine.publish(*main);
  engine.paths().drop(before);
  PathPoint longer = engine.publish(*other);
  engine.observe(*main, longer);
  engine.work(*main, 1);
  engine.undo_outer_spawn(*main);
  engine.end_spawn(*main);
  engine.keep_spawn(*main);
  engine.work(*main, 2000);
  PathPoint beside = engine.publish(*main);
  engine.paths().drop(beside);
  engine.return_from_top(*main);
  EXPECT_EQ(engine.finish().lengths.span, 10u + 2000);
  EXPECT_EQ(engine.on_span()[0].local.span, 10u + 2000);
}

TEST(WorkSpan, ASpawnUndoneAfterARestartHasNoBurdenToTakeBack) {
  WorkSpan engine({.burden = 100});
  SpanThread* thread = engine.start_thread(nullptr);
  engine.call(*thread, SiteId{0}, RoutineId{1});
  engine.begin_spawn(*thread);
  engine.work(*thread, 30);
  engine.end_spawn(*thread);
  engine.restart();
  engine.undo_spawn(*thread);
  engine.work(*thread, 5);
  EXPECT_EQ(engine.finish().lengths, Lengths(5));
}

// Tasks that run within each other, and some that have not begun.
TEST(WorkSpan, OnlyThreadsThatRanLatelyHaveATable) {
  constexpr u32 kTasks = 100;
  WorkSpan engine({.tables = 3});
  std::vector<SpanThread*> nested{engine.start_thread(nullptr)};
  std::vector<SpanThread*> waiting;
  engine.call(*nested[0], SiteId{0}, RoutineId{0});
  for (u32 i = 1; i <= kTasks; i++) {
    SpanThread& creator = *nested.back();
    waiting.push_back(engine.start_thread(&creator));
    nested.push_back(engine.start_thread(&creator));
    engine.call(*nested.back(), SiteId{i / 2}, RoutineId{i});
    engine.work(*nested.back(), 1);
  }
  for (const auto& threads : {nested, waiting})
    EXPECT_LE(std::count_if(threads.begin(), threads.end(),
                            [](const SpanThread* thread) { return !thread->pending.empty(); }),
              3);
  for (u32 i = kTasks; i > 0; i--) { // what its creators had pending is still pending above it
    engine.end_thread(*nested[i]);
    engine.call(*waiting[i - 1], SiteId{i / 2}, RoutineId{0});
    engine.work(*waiting[i - 1], 1);
    engine.end_thread(*waiting[i - 1]);
    engine.join_thread(*nested[i - 1], nested[i]);
    engine.join_thread(*nested[i - 1], waiting[i - 1]);
  }
  engine.finish();
  for (u32 site = 1; site < kTasks / 2; site++) { // of two nested tasks and two that waited
    EXPECT_EQ(engine.on_work()[site].local.count, 4u);
    EXPECT_EQ(engine.on_work()[site].top_site.count, 2u);
  }
  EXPECT_EQ(engine.on_work()[0].top_site.count, 1u);
}

TEST(WorkSpan, AStrandThatBeginsWithALoopOfALeafIsOfWhoExecutesIt) {
  DagRecorder dag([](SiteId) { return CallPaths::Call{}; });
  dag.runs(1);
  DagRecorder::Thread* thread = dag.start();
  dag.runs(2);
  dag.add_loop_of_leaf(*thread, SiteId{1}, SiteId{2}, 10);
  const Strand& strand = dag.strands()[dag.end(thread, 10)];
  EXPECT_EQ(strand.thread, 2u);
  EXPECT_EQ(strand.span, 10u);
}

TEST(WorkSpan, SpaceIsBoundedByWhatIsAlive) {
  WorkSpan engine({});
  SpanThread& main = *engine.start_thread(nullptr);
  engine.call(main, SiteId{0}, RoutineId{1});
  for (u32 i = 1; i < 100000; i++) { // each child is the longest so far
    engine.begin_spawn(main);
    engine.call(main, SiteId{1}, RoutineId{2});
    engine.work(main, i);
    engine.return_from_top(main);
    engine.end_spawn(main);
    engine.keep_spawn(main);
    engine.work(main, 1);
  }
  EXPECT_EQ(engine.paths().nodes(), 0u); // nobody looks
  for (u32 i = 1; i < 100000; i++) {     // somebody looks
    engine.begin_spawn(main);
    engine.call(main, SiteId{1}, RoutineId{2});
    engine.work(main, 100000 + i);
    PathPoint point = engine.publish(main);
    engine.paths().drop(point);
    engine.return_from_top(main);
    engine.end_spawn(main);
    engine.keep_spawn(main);
    engine.work(main, 1);
  }
  EXPECT_LE(engine.paths().nodes(), 1024u); // before they are compressed
  engine.sync(main);

  // A ring of threads, each of which waits for the previous one.
  SpanThread* ring[3] = {&main, engine.start_thread(&main), engine.start_thread(&main)};
  PathPoint latest[3];
  for (int i = 0; i < 3; i++) {
    engine.call(*ring[i], SiteId{2}, RoutineId{3});
    latest[i] = engine.publish(*ring[i]);
  }
  for (int i = 0; i < 100000; i++) {
    SpanThread& thread = *ring[i % 3];
    PathPoint before = engine.paths().copy(latest[(i + 2) % 3]);
    engine.observe(thread, before);
    engine.work(thread, 10);
    PathPoint now = engine.publish(thread);
    engine.paths().drop(latest[i % 3]);
    latest[i % 3] = now;
  }
  EXPECT_LT(engine.paths().nodes(), 1200u); // the first compression is at 1024
  for (PathPoint& point : latest)
    engine.paths().drop(point);
  engine.finish();
}

} // namespace
