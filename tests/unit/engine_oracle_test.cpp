// Compares the engine with the oracle on random traces: RMS, TRMS, induced first-accesses and cost
// of every activation and every loop, for every cell size, and for counter limits down to 10 ticks.
//
// Each activation is of a routine of its own, so that the routine's record has exactly its numbers.
#include "aprof/engine/engine_loops_fast.hpp"
#include "loop_comparison.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

struct Scenario {
  unsigned cell_shift;
  u64 counter_limit;
  bool check = false;
  std::size_t pack_every = 0;
  unsigned events = 2; // cost events
};

class Trace {
public:
  Trace(const Scenario& scenario, unsigned seed)
      : scenario_(scenario), random_(seed), profile_options_{.event_count = scenario.events},
        profile_(profile_options_), engine_({.cell_shift = scenario.cell_shift,
                                             .counter_limit = scenario.counter_limit,
                                             .pack_every = scenario.pack_every,
                                             .clock = &clock_,
                                             .check = scenario.check},
                                            profile_),
        oracle_(scenario.cell_shift) {
    start_thread();
    switch_thread();
  }

  void run(int events) {
    for (int i = 0; i < events; i++)
      one_event();
    engine_.check();
    for (auto& [number, thread] : threads_) {
      switch_to(number);
      if (oracle_.suspended())
        resume();
      while (oracle_.depth() > 0)
        return_();
    }
    // Every cost is the self cost of some activation, or uncounted.
    AllCosts sum = without_work_span(engine_.uncounted());
    profile_.add_counted();
    profile_.for_each(
        [&](ThreadIndex, const RoutineRecord& record) { sum += record.totals().self; });
    EXPECT_EQ(sum, without_work_span(clock_));
  }

  int compared = 0;
  int with_thread_input = 0;
  int with_kernel_input = 0;
  int executions() const { return loops_.executions; }
  int octaves() const { return loops_.octaves; }
  u64 renumberings() const { return engine_.renumberings(); }
  const ShadowMemory& shadow() const { return engine_.shadow(); }

private:
  struct Thread {
    LogicalThread* logical;
    std::vector<RoutineId> pending;
  };

  int any(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  // A few cells on both sides of chunk boundaries, so that accesses meet and cross them.
  static constexpr GuestAddr kRegions[] = {0x10000, 0x20000, 0x7'0000'0000, kLowAddressEnd,
                                           0xC0'0000'0000};
  GuestAddr address() { return kRegions[any(5)] - 48 + static_cast<GuestAddr>(any(96)); }
  std::size_t bytes() {
    static constexpr std::size_t kSizes[] = {1, 2, 4, 8, 16, 32, 12, 24, 28, 64, 10, 512};
    return kSizes[any(any(10) == 0 ? 12 : 10)];
  }

  void one_event() {
    clock_.of[0] += 1;
    clock_.of[1] += scenario_.events == 1 ? 0 : 7;
    oracle_.cost(1);
    if (any(6) == 0)
      loop();
    const int kind = any(100);
    if (kind < 20)
      call();
    else if (kind < 38)
      return_();
    else if (kind < 62)
      read(address(), bytes());
    else if (kind < 76)
      write(address(), bytes());
    else if (kind < 80)
      modify(address(), bytes());
    else if (kind < 83)
      kernel_read(address(), bytes());
    else if (kind < 88)
      kernel_write(address(), bytes());
    else if (kind < 94)
      switch_thread();
    else if (kind < 95 && threads_.size() < 6)
      start_thread();
    else if (kind < 96)
      any(4) == 0 ? cut_off() : end_thread();
    else if (kind < 97)
      map_or_forget();
    else if (kind < 98)
      oracle_.suspended() ? resume() : suspend();
    else if (kind < 99)
      move();
  }

  void start_thread() {
    const int number = next_thread_++;
    threads_[number].logical = &engine_.start_thread(ThreadIndex{static_cast<u32>(number)});
    oracle_.start_thread(number);
  }
  void end_thread() {
    if (threads_.size() < 2)
      return;
    const int number = current_;
    const std::vector<Cut> cut = pending_of(number);
    engine_.end_thread(*threads_[number].logical);
    oracle_.end_thread(number);
    compare(cut);
    threads_.erase(number);
    switch_thread();
  }
  // Of the current thread or another one.
  void cut_off() {
    auto thread = threads_.begin();
    std::advance(thread, any(static_cast<int>(threads_.size())));
    const std::vector<Cut> cut = pending_of(thread->first);
    engine_.cut_off(*thread->second.logical);
    oracle_.cut_off(thread->first);
    compare(cut);
    thread->second.pending.clear();
  }
  struct Cut {
    RoutineRecord* record;
    Oracle::Result expected;
  };
  std::vector<Cut> pending_of(int number) {
    std::vector<Cut> cut;
    const std::vector<LoopOracle::Activation> so_far = oracle_.pending(number);
    for (std::size_t i = 0; i < threads_[number].pending.size(); i++)
      cut.push_back(
          {&profile_.record(ThreadIndex{static_cast<u32>(number)}, threads_[number].pending[i]),
           so_far[i].result});
    return cut;
  }
  void compare(const std::vector<Cut>& all) {
    loops_.take(oracle_);
    for (const Cut& cut : all) {
      loops_.compare(*cut.record);
      ASSERT_EQ(cut.record->totals().unfinished, 1u);
      compare(*cut.record, cut.expected);
    }
  }
  // The numbers that do not depend on how the activation ended.
  void compare(const RoutineRecord& record, const Oracle::Result& expected) {
    ASSERT_EQ(static_cast<i64>(record.totals().induced_by_thread), expected.induced_by_thread);
    ASSERT_EQ(static_cast<i64>(record.totals().induced_by_kernel), expected.induced_by_kernel);
    ASSERT_EQ(static_cast<i64>(record.totals().inclusive.of[0]), expected.inclusive);
    ASSERT_EQ(static_cast<i64>(record.totals().self.of[0]), expected.self);
    ASSERT_EQ(record.totals().inclusive.of[1],
              scenario_.events == 1 ? 0 : 7 * record.totals().inclusive.of[0]);
  }
  void switch_thread() {
    auto thread = threads_.begin();
    std::advance(thread, any(static_cast<int>(threads_.size())));
    switch_to(thread->first);
  }
  void switch_to(int number) {
    current_ = number;
    engine_.switch_thread(*threads_[number].logical);
    oracle_.switch_thread(number);
  }

  void call() {
    if (oracle_.suspended())
      return;
    const RoutineId routine{next_routine_++};
    threads_[current_].pending.push_back(routine);
    engine_.call(&profile_.record(ThreadIndex{static_cast<u32>(current_)}, routine));
    oracle_.call(index(routine), true);
  }

  // What translated code does at a header, where an iteration is counted, and where a loop may have
  // ended.
  void loop() {
    if (oracle_.suspended() || oracle_.depth() == 0)
      return;
    const RoutineId routine = threads_[current_].pending.back();
    const Loop& loop = nests_.loop(routine, static_cast<u32>(any(LoopNests::kLoops)));
    Activation& top = **engine_.running();
    if (const int kind = any(20); kind == 0) {
      in_loop(nullptr, routine);
      oracle_.in_loop(nullptr, index(routine));
    } else if (kind == 1) {
      in_loop(&loop, routine);
      oracle_.in_loop(&loop, index(routine));
    } else if (kind < 10) {
      const Loop& again = top.is_loop() && kind < 9 ? *top.loop : loop;
      for (int rounds = any(6); rounds >= 0; rounds--) {
        at_header(again);
        if (any(4) != 0)
          iteration_counts();
        read(address(), bytes());
      }
    } else {
      iteration_counts();
    }
  }
  void in_loop(const Loop* innermost, RoutineId routine) {
    if (!engine_.fast_in_loop(innermost, routine))
      engine_.in_loop(innermost, routine);
  }
  void at_header(const Loop& loop) {
    const Loop* const running = (*engine_.running())->loop;
    if (loop.leaf) {
      if (running != &loop && !engine_.fast_enter_loop(loop))
        engine_.loop(loop);
      oracle_.at_header(loop);
    } else if (any(2) == 0) {
      if (!engine_.fast_next_iteration(loop) && !engine_.fast_loop(loop))
        engine_.loop(loop);
      oracle_.at_header(loop);
    } else {
      at_counting_header(loop);
    }
  }
  // Of a loop whose header is in its body, too: it is counted there.
  void at_counting_header(const Loop& loop) {
    if (!engine_.fast_next_iteration<true>(loop) && !engine_.fast_loop<true>(loop)) {
      engine_.loop(loop);
      engine_.iteration_counts(loop);
    }
    oracle_.at_header(loop);
    oracle_.iteration_counts(loop);
  }
  void iteration_counts() {
    Activation& top = **engine_.running();
    if (!top.is_loop())
      return;
    engine_.iteration_counts(*top.loop);
    oracle_.iteration_counts(*top.loop);
  }

  void return_() {
    if (oracle_.suspended() || oracle_.depth() == 0)
      return;
    const LoopOracle::Activation activation = oracle_.return_from_top();
    const Oracle::Result& expected = activation.result;
    engine_.return_from_top();
    const RoutineId routine = threads_[current_].pending.back();
    threads_[current_].pending.pop_back();
    RoutineRecord& record = profile_.record(ThreadIndex{static_cast<u32>(current_)}, routine);
    loops_.take(oracle_);
    loops_.compare(record);
    ASSERT_EQ(record.rms().size(), 1u);
    ASSERT_EQ(record.trms().size(), 1u);
    ASSERT_EQ(static_cast<i64>(record.rms().point(0).children_rms), activation.callees_rms);
    const auto rms = static_cast<i64>(record.rms().point(0).size);
    const auto trms = static_cast<i64>(record.trms().point(0).size);
    ASSERT_EQ(rms, expected.rms);
    ASSERT_EQ(trms, expected.trms);
    ASSERT_GE(trms, rms);
    compare(record, expected);
    compared++;
    with_thread_input += expected.induced_by_thread > 0;
    with_kernel_input += expected.induced_by_kernel > 0;
  }

  enum class Access { read, write, modify };
  template <unsigned kShift> void engine_access(Access how, GuestAddr a, std::size_t n) {
    const bool writes = how == Access::write;
    const auto sized = [&]<std::size_t kBytes> {
      how == Access::modify ? engine_.access_sized<Modify, kShift, kBytes>(a)
      : writes              ? engine_.access_sized<Write, kShift, kBytes>(a)
                            : engine_.access_sized<Read, kShift, kBytes>(a);
    };
    const auto run = [&]<std::size_t kCells> {
      writes ? engine_.access_run<Write, kCells>(a) : engine_.access_run<Read, kCells>(a);
    };
    switch (n) {
    case 1: return sized.template operator()<1>();
    case 2: return sized.template operator()<2>();
    case 4: return sized.template operator()<4>();
    case 8: return sized.template operator()<8>();
    case 16: return sized.template operator()<16>();
    case 32: return sized.template operator()<32>();
    }
    if (how == Access::modify) { // is only used with these sizes
      engine_access<kShift>(Access::read, a, n);
      return engine_access<kShift>(Access::write, a, n);
    }
    if constexpr (kShift == 2) // runs consist of cells of this size
      switch (n) {
      case 12: return run.template operator()<3>();
      case 24: return run.template operator()<6>();
      case 28: return run.template operator()<7>();
      case 64: return run.template operator()<16>();
      }
    writes ? engine_.access<Write, kShift>(a, n) : engine_.access<Read, kShift>(a, n);
  }
  template <typename F> void with_shift(F f) {
    switch (scenario_.cell_shift) {
    case 0: return f(std::integral_constant<unsigned, 0>{});
    case 1: return f(std::integral_constant<unsigned, 1>{});
    case 2: return f(std::integral_constant<unsigned, 2>{});
    case 3: return f(std::integral_constant<unsigned, 3>{});
    case 4: return f(std::integral_constant<unsigned, 4>{});
    }
  }
  void read(GuestAddr a, std::size_t n) {
    with_shift([&](auto shift) { engine_access<decltype(shift)::value>(Access::read, a, n); });
    oracle_.read(a, n);
  }
  void write(GuestAddr a, std::size_t n) {
    with_shift([&](auto shift) { engine_access<decltype(shift)::value>(Access::write, a, n); });
    oracle_.write(a, n);
  }
  void modify(GuestAddr a, std::size_t n) {
    with_shift([&](auto shift) { engine_access<decltype(shift)::value>(Access::modify, a, n); });
    oracle_.read(a, n);
    oracle_.write(a, n);
  }
  void kernel_read(GuestAddr a, std::size_t n) {
    engine_.kernel_read(a, n);
    oracle_.read(a, n);
  }
  void kernel_write(GuestAddr a, std::size_t n) {
    engine_.kernel_write(a, n);
    oracle_.kernel_write(a, n);
  }
  void map_or_forget() {
    // Two chunks and parts of their neighbours, or a few cells.
    const bool large = any(2) == 0;
    const GuestAddr region = any(2) == 0 ? 0x10000 : kLowAddressEnd - kChunkBytes;
    const GuestAddr a = large ? region - static_cast<GuestAddr>(any(64)) : address();
    const std::size_t n = large ? 2 * kChunkBytes + static_cast<std::size_t>(any(200))
                                : 1 + static_cast<std::size_t>(any(200));
    if (any(2) == 0) {
      engine_.map_external(a, n);
      oracle_.forget(a, n);
      // Only the regions that are accessed, because the oracle is slow.
      for (const GuestAddr region : kRegions) {
        const GuestAddr begin = std::max(a, region - 1024);
        const GuestAddr end = std::min(a + n, region + 1024);
        if (begin < end)
          oracle_.kernel_write(begin, end - begin);
      }
    } else {
      engine_.forget(a, n);
      oracle_.forget(a, n);
    }
  }
  void move() {
    // Begins within a chunk, so that the parts are not aligned.
    const GuestAddr from = kRegions[any(5)] - 32;
    const GuestAddr to = kRegions[any(5)] - 48;
    if (from - 32 == to - 48)
      return; // mremap refuses overlapping ranges
    engine_.move(from, to, 64);
    oracle_.move(from, to, 64);
  }
  void suspend() {
    engine_.suspend();
    oracle_.suspend();
  }
  void resume() {
    engine_.resume();
    oracle_.resume();
  }

  Scenario scenario_;
  std::mt19937 random_;
  Costs clock_;
  ProfileOptions profile_options_;
  Profile profile_;
  Engine engine_;
  LoopOracle oracle_;
  LoopNests nests_;
  LoopComparison loops_;
  std::map<int, Thread> threads_;
  int next_thread_ = 1;
  int current_ = 1;
  u32 next_routine_ = 1;
};

class EngineOracle : public testing::TestWithParam<Scenario> {};

TEST_P(EngineOracle, AgreeOnEveryActivation) {
  int compared = 0;
  int with_thread_input = 0;
  int with_kernel_input = 0;
  int executions = 0;
  int octaves = 0;
  u64 renumberings = 0;
  u64 packed_chunks = 0;
  u64 indexed = 0;
  u64 promoted = 0;
  for (unsigned seed = 0; seed < 25; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Trace trace(GetParam(), seed);
    trace.run(2200);
    if (HasFatalFailure())
      return;
    compared += trace.compared;
    with_thread_input += trace.with_thread_input;
    with_kernel_input += trace.with_kernel_input;
    executions += trace.executions();
    octaves += trace.octaves();
    renumberings += trace.renumberings();
    packed_chunks += trace.shadow().packed();
    indexed += trace.shadow().indexed();
    promoted += trace.shadow().promoted();
  }
  // The traces are not trivial.
  EXPECT_GT(compared, 5000);
  EXPECT_GT(with_thread_input, 200);
  EXPECT_GT(with_kernel_input, 200);
  EXPECT_GT(executions, 2000);
  EXPECT_GT(octaves, 2000);
  EXPECT_EQ(renumberings > 0, GetParam().counter_limit != 0);
  EXPECT_EQ(packed_chunks > 100, GetParam().pack_every != 0);
  EXPECT_EQ(indexed > 100, GetParam().pack_every != 0) << indexed;
  if (GetParam().pack_every == 8) {
    EXPECT_GT(promoted, 20);
  }
}

INSTANTIATE_TEST_SUITE_P(CellSizesAndCounterLimits, EngineOracle,
                         testing::Values(Scenario{0, 0}, Scenario{1, 0}, Scenario{2, 0},
                                         Scenario{3, 0}, Scenario{4, 0}, Scenario{2, 10},
                                         Scenario{0, 170, true}, Scenario{2, 100},
                                         Scenario{4, 300, true}, Scenario{2, 0, false, 2},
                                         Scenario{0, 0, false, 8}, Scenario{3, 50, false, 2},
                                         Scenario{2, 0, true, 8}, Scenario{2, 0, false, 0, 1},
                                         Scenario{2, 100, false, 2, 1}),
                         [](const auto& scenario) {
                           return "CellsOf" + std::to_string(1 << scenario.param.cell_shift) +
                                  "Limit" + std::to_string(scenario.param.counter_limit) + "Pack" +
                                  std::to_string(scenario.param.pack_every) + "Events" +
                                  std::to_string(scenario.param.events);
                         });

} // namespace
