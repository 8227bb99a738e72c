// Tests of the engine that random traces do not cover: totals of recursive and of unfinished
// activations, clocks of several threads, and a fork.
#include "aprof/engine/engine_loops_fast.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace {

constexpr RoutineId f{1}, g{2};
constexpr ThreadIndex kFirst{1}, kSecond{2};

class EngineTest : public testing::Test {
protected:
  EngineTest() : profile(options), engine({.clock = &clock, .check = true}, profile) {
    first = &engine.start_thread(kFirst);
    engine.switch_thread(*first);
  }

  void call(RoutineId routine) { engine.call(&profile.record(engine.current()->thread, routine)); }
  void spend(u64 cost) { clock.of[0] += cost; }
  RoutineRecord& record(RoutineId routine, ThreadIndex thread = kFirst) {
    RoutineRecord& record = profile.record(thread, routine);
    record.add_counted();
    return record;
  }

  Costs clock;
  ProfileOptions options;
  Profile profile;
  Engine engine;
  LogicalThread* first;
};

// As where a computed jump shows that what ran is within another loop.
TEST_F(EngineTest, ALoopThatIsFoundAroundTheOneThatRunsBegins) {
  Engine without_checks({.clock = &clock}, profile);
  without_checks.switch_thread(without_checks.start_thread(kFirst));
  without_checks.call(f);
  Loop outer{LoopId{1}, f, 0, GuestAddr{8}};
  Loop inner{LoopId{2}, f, 1, GuestAddr{16}};
  const auto enters = [&](const Loop& loop) {
    if (!without_checks.fast_enter_loop(loop))
      without_checks.loop(loop);
    without_checks.iteration_counts(loop);
  };
  enters(inner);
  inner.parent = &outer;
  outer.leaf = false;
  if (!without_checks.fast_in_loop(&outer, f))
    without_checks.in_loop(&outer, f);
  EXPECT_EQ((*without_checks.running())->loop, &outer);
  enters(outer);
  without_checks.return_from_top();
  EXPECT_EQ(record(f).loop(inner).sums().iterations, 1u);
  EXPECT_EQ(record(f).loop(outer).sums().calls, 1u);
  EXPECT_EQ(record(f).loop(outer).sums().iterations, 2u);
}

TEST_F(EngineTest, RecursionCountsInclusiveCostOnce) {
  call(f);
  spend(1);
  call(g);
  spend(10);
  call(f);
  spend(100);
  for (int i = 0; i < 3; i++)
    engine.return_from_top();
  EXPECT_EQ(record(f).totals().inclusive.of[0], 111u);
  EXPECT_EQ(record(f).totals().self.of[0], 101u);
  EXPECT_EQ(record(g).totals().inclusive.of[0], 110u);
  EXPECT_EQ(record(f).calls, 2u);
}

TEST_F(EngineTest, CallsRenumberInTime) {
  Engine often({.counter_limit = 10, .clock = &clock}, profile);
  often.switch_thread(often.start_thread(kFirst));
  for (int i = 0; i < 100; i++) {
    often.call(f);
    often.return_from_top();
  }
  EXPECT_GE(often.renumberings(), 10u);
}

TEST_F(EngineTest, ThreadsDoNotPayForEachOther) {
  LogicalThread& second = engine.start_thread(kSecond);
  call(f);
  spend(1);
  engine.switch_thread(second);
  call(f); // also pending in the other thread: outermost in its own
  spend(10);
  engine.switch_thread(*first);
  spend(2);
  engine.return_from_top();
  engine.switch_thread(second);
  spend(20);
  engine.return_from_top();
  EXPECT_EQ(record(f).totals().inclusive.of[0], 3u);
  EXPECT_EQ(record(f, kSecond).totals().inclusive.of[0], 30u);
}

TEST_F(EngineTest, EndOfAThreadLeavesItsPendingActivationsUnfinished) {
  LogicalThread& second = engine.start_thread(kSecond);
  engine.switch_thread(second);
  call(f);
  spend(5);
  call(g);
  spend(7);
  engine.end_thread(second);
  EXPECT_EQ(record(f, kSecond).totals().unfinished, 1u);
  EXPECT_EQ(record(f, kSecond).totals().inclusive.of[0], 12u);
  EXPECT_EQ(record(f, kSecond).totals().self.of[0], 5u);
  EXPECT_EQ(record(g, kSecond).totals().self.of[0], 7u);
  EXPECT_EQ(record(g, kSecond).trms().size(), 0u);
  engine.switch_thread(*first);
  engine.check();
}

TEST_F(EngineTest, PendingActivationsCanBeLookedAtWithoutEndingThem) {
  call(f);
  spend(5);
  call(g);
  spend(7);
  std::map<RoutineId, u64> self;
  engine.for_each_pending(
      *first, [&](const Activation& activation, const Sample& sample, const RoutineRecord*) {
        self[activation.record->routine] = sample.self.of[0];
      });
  EXPECT_EQ(self, (std::map<RoutineId, u64>{{f, 5}, {g, 7}}));
  engine.return_from_top();
  engine.return_from_top();
  EXPECT_EQ(record(f).totals().inclusive.of[0], 12u);
}

TEST_F(EngineTest, ForkedChildStartsFromZero) {
  call(f);
  spend(5);
  engine.suspend();
  spend(100);
  engine.resume();
  engine.drop_pending();
  profile.clear();
  call(g);
  spend(7);
  engine.return_from_top();
  engine.return_from_top(); // f, which began in the parent
  EXPECT_EQ(engine.uncounted().of[0], 0u);
  EXPECT_EQ(record(f).calls, 0u);
  EXPECT_EQ(record(g).totals().inclusive.of[0], 7u);
}

Vector<Invocation> two_pending(const LogicalThread& thread) {
  EXPECT_EQ(thread.stack.depth(), 3u); // including the base entry
  Vector<Invocation> pending("test");
  pending.push_back({40, 20, 10, 5});
  pending.push_back({30, 15, 30, 15});
  return pending;
}

TEST(Engine, RecordsWorkAndSpanOfWhatReturnsAndOfWhatIsPending) {
  ProfileOptions options;
  options.event_count = 3;
  options.events[1] = CostEvent::work;
  options.events[2] = CostEvent::span;
  Profile profile(options);
  Costs clock;
  Engine engine({.clock = &clock, .work_span_so_far = two_pending}, profile);
  LogicalThread& thread = engine.start_thread(kFirst);
  engine.switch_thread(thread);
  RoutineRecord& of_f = profile.record(kFirst, f);
  RoutineRecord& of_g = profile.record(kFirst, g);
  engine.call(&of_f);
  engine.call(&of_g);
  const Invocation returned{7, 4, 3, 2};
  engine.return_from_top(&returned);
  EXPECT_EQ(of_g.trms().inclusive(0, 1).sum, 7u);
  EXPECT_EQ(of_g.trms().inclusive(0, 2).sum, 4u);
  EXPECT_EQ(of_g.trms().self(0, 1).sum, 3u);
  EXPECT_EQ(of_g.trms().self(0, 2).sum, 2u);
  engine.call(&of_g);
  engine.cut_off(thread);
  EXPECT_EQ(of_f.totals().inclusive[CostEvent::work], 40u);
  EXPECT_EQ(of_f.totals().self[CostEvent::span], 5u);
  EXPECT_EQ(of_g.totals().inclusive[CostEvent::span], 4u + 15);
}

TEST_F(EngineTest, SuspensionIsUncountedAndUntraced) {
  call(f);
  spend(1);
  engine.suspend();
  spend(100);
  engine.access<Write, 2>(0x1000, 4);
  engine.access<Read, 2>(0x2000, 4);
  engine.resume();
  engine.access<Read, 2>(0x1000, 4); // was not written
  spend(2);
  engine.return_from_top();
  EXPECT_EQ(record(f).totals().inclusive.of[0], 3u);
  EXPECT_EQ(record(f).rms().point(0).key, 1u);
  EXPECT_EQ(engine.uncounted().of[0], 100u);
}

// Each cell of a run in turn is the only one that was not accessed.
template <std::size_t kCells> void read_all_but_one(Engine& engine, RoutineRecord& record) {
  for (std::size_t without = 0; without < kCells; without++) {
    engine.call(&record);
    for (std::size_t i = 0; i < kCells; i++)
      if (i != without)
        engine.access_sized<Read, 2, 4>(0x1000 + 4 * i);
    engine.access_run<Read, kCells>(0x1000);
    engine.access_run<Write, kCells>(0x2000);
    for (std::size_t i = 0; i < kCells + 1; i++)
      engine.access_sized<Read, 2, 4>(0x2000 + 4 * i); // the last one was not written
    engine.return_from_top();
  }
}

TEST_F(EngineTest, RunsReadAndWriteEachOfTheirCells) {
  read_all_but_one<2>(engine, record(f));
  read_all_but_one<3>(engine, record(f));
  read_all_but_one<6>(engine, record(f));
  read_all_but_one<7>(engine, record(f));
  read_all_but_one<16>(engine, record(f));
  EXPECT_EQ(record(f).calls, 2u + 3 + 6 + 7 + 16);
  std::set<u64> sizes;
  for (std::size_t i = 0; i < record(f).rms().size(); i++)
    sizes.insert(record(f).rms().point(i).key);
  EXPECT_EQ(sizes, (std::set<u64>{2 + 1, 3 + 1, 6 + 1, 7 + 1, 16 + 1}));
}

// If the wts of a chunk is a block, the ts_t of each thread must be a block, too.
TEST_F(EngineTest, ThreadsMakeRoomForTheirBlocksOnce) {
  constexpr std::size_t kChunks = 300;
  LogicalThread* threads[4] = {first};
  for (u32 i = 1; i < 4; i++)
    threads[i] = &engine.start_thread(ThreadIndex{i + 1});
  u64 packed = 0;
  for (int round = 0; round < 3; round++) {
    packed = engine.shadow().packed();
    for (LogicalThread* thread : threads) {
      engine.switch_thread(*thread);
      for (std::size_t i = 0; i < kChunks; i++)
        engine.access<Write, 2>(i * kChunkBytes, 4);
    }
    EXPECT_LE(engine.shadow().blocks(), 449u);
  }
  EXPECT_GT(engine.shadow().blocks(), 400u);
  EXPECT_LT(engine.shadow().packed() - packed, 50u); // in the last round
}

TEST_F(EngineTest, WhatAThreadWroteIsToldFromWhatItReadOfIndexedCells) {
  constexpr GuestAddr kChunks = 400;
  for (GuestAddr chunk = 1; chunk < kChunks; chunk++) // the first of them are packed
    for (GuestAddr cell = 0; cell < 3; cell++)
      engine.access_sized<Write, 2, 4>(chunk * kChunkBytes + 8 * cell);
  GuestAddr indexed = 0;
  call(f);
  while (engine.shadow().indexed() == 0) {
    indexed += kChunkBytes;
    ASSERT_LT(indexed, kChunks * kChunkBytes);
    engine.access_sized<Read, 2, 4>(indexed);
  }
  engine.access_sized<Read, 2, 4>(indexed + 8); // the stamp of the previous read has an entry
  engine.access_sized<Read, 2, 4>(indexed + 16);
  engine.return_from_top();
  EXPECT_EQ(record(f).rms().point(0).key, indexed / kChunkBytes + 2);
  engine.switch_thread(engine.start_thread(kSecond));
  call(g);
  for (GuestAddr cell = 0; cell < 3; cell++)
    engine.access_sized<Read, 2, 8>(indexed + 8 * cell); // half of each was written
  engine.return_from_top();
  EXPECT_EQ(record(g, kSecond).totals().induced_by_thread, 3u);
}

TEST_F(EngineTest, FileMappingTakesNoMemoryUntilTouched) {
  constexpr GuestAddr kFile = 0x10'0000'0000;
  engine.map_external(kFile, std::size_t{10} << 30);
  call(f);
  engine.access<Read, 2>(kFile + (std::size_t{5} << 30), 8);
  engine.forget(kFile, std::size_t{10} << 30);
  engine.access<Read, 2>(kFile, 4);
  engine.return_from_top();
  EXPECT_EQ(record(f).totals().induced_by_kernel, 2u);
  EXPECT_EQ(record(f).trms().point(0).key, 3u);
}

TEST_F(EngineTest, TablesPartWhenTheSizesOfAnActivationDiffer) {
  const auto call_and_read = [&] {
    call(f);
    engine.access<Read, 2>(0x1000, 8);
    engine.access<Read, 2>(0x1000, 4);
  };
  call_and_read(); // sizes agree
  engine.return_from_top();
  EXPECT_EQ(record(f).rms().size(), 1u);
  EXPECT_EQ(&record(f).rms(), &record(f).trms());
  call_and_read();
  engine.kernel_write(0x1000, 4);
  engine.access<Read, 2>(0x1000, 4); // induced
  engine.return_from_top();
  call_and_read(); // agree again
  engine.return_from_top();
  EXPECT_EQ(record(f).rms().size(), 1u);
  EXPECT_EQ(record(f).rms().point(0).calls, 3u);
  EXPECT_EQ(record(f).trms().size(), 2u);
  EXPECT_EQ(record(f).trms().point(0).calls, 2u);
  EXPECT_EQ(record(f).trms().point(1).key, 3u);
}

} // namespace
