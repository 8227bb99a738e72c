// Tests of folding on small dags: which strands are merged, and into what. work_span_test.cpp tests
// that folding preserves the work and span of whole runs.
#include "recorded_dag.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace {

class FoldingTest : public testing::Test {
protected:
  explicit FoldingTest(StrandLimits limits = {}) : strands_(limits) {}

  // Adds a strand after all of `before`, not pinned.
  StrandId strand(Work work, std::initializer_list<StrandId> before, PathId path = PathId::root) {
    const StrandId id = strands_.add(1, StrandId::none);
    strands_.unpin(id);
    for (const StrandId one : before)
      strands_.order(one, id);
    strands_.add_work(id, path, work, paths_);
    strands_[id].span = work;
    return id;
  }
  void section(StrandId id, u32 lock) { strands_[id].acquires = strands_[id].releases = lock; }
  void fold(Work grain) { Folding(strands_, paths_).fold(grain); }
  // The only remaining strand.
  const Strand& all() {
    EXPECT_EQ(strands_.live(), 1u);
    u32 i = 1;
    while (!strands_[StrandId{i}].is_used)
      i++;
    return strands_[StrandId{i}];
  }

  std::map<u32, Work> by_share() { // by the number of its division
    std::map<u32, Work> work;
    for (u32 i = 1; i < strands_.end(); i++)
      if (const Strand& strand = strands_[StrandId{i}]; strand.is_used)
        work[strand.share.division] += strand.work;
    return work;
  }

  // What is executed under each lock, on each path.
  std::map<std::pair<u32, PathId>, Work> held() {
    std::map<std::pair<u32, PathId>, Work> found;
    for (u32 i = 1; i < strands_.end(); i++) {
      const Strand& strand = strands_[StrandId{i}];
      if (!strand.is_used)
        continue;
      strands_.for_each_part(strand, [&](const StrandPart& part) {
        if (strand.acquires != 0)
          found[{strand.acquires, part.path}] += part.work;
      });
      strands_.for_each_lock(strand, [&](const LockUse& use) {
        strands_.for_each_part(use, [&](const SectionPart& part) {
          found[{use.lock, part.path}] += part.length;
        });
      });
    }
    return found;
  }

  CallPaths paths_{[](SiteId) { return CallPaths::Call{}; }};
  Strands strands_;
};

class FoldingBeyondLimitsTest : public FoldingTest {
protected:
  FoldingBeyondLimitsTest() : FoldingTest({.parts = 0, .held = 0}) {}
};

TEST_F(FoldingTest, SeriesHaveTheSpansOfBoth) {
  strand(20, {strand(10, {})});
  fold(29);
  EXPECT_EQ(strands_.live(), 2u);
  fold(30);
  EXPECT_EQ(all().work, 30u);
  EXPECT_EQ(all().span, 30u);
}

TEST_F(FoldingTest, OverheadStaysOfItsKind) {
  const StrandId first = strand(10, {});
  const StrandId second = strand(20, {first});
  strands_.add_overhead(first, PathId::root, OverheadKind::scheduling, 1, paths_);
  strands_.add_overhead(first, PathId::root, OverheadKind::spinning, 2, paths_);
  strands_.add_overhead(second, PathId::root, OverheadKind::spinning, 4, paths_);
  fold(1000);
  EXPECT_EQ(all().overhead, 7u);
  strands_.for_each_part(all(), [](const StrandPart& part) {
    EXPECT_EQ(part.overhead.kinds(), 4u);
    for (unsigned i = 0; i < kOverheadKinds; i++)
      EXPECT_EQ(part.overhead[i], i == 0 ? 1u : i == 3 ? 6u : 0u);
  });
}

TEST_F(FoldingTest, AShareTakesOverWhatFollowsButNotAnotherShare) {
  const StrandId first = strand(10, {});
  const StrandId share = strand(20, {first});
  const StrandId rest = strand(30, {share});
  const StrandId later = strand(40, {rest});
  strands_[share].share = {1, 0, 1, 4};
  strands_[later].share = {2, 0, 1, 4};
  fold(100);
  const RecordedDag dag(strands_);
  EXPECT_EQ(dag.span, 100u);
  EXPECT_EQ(strands_.live(), 3u);
  EXPECT_EQ(by_share(), (std::map<u32, Work>{{0, 10}, {1, 50}, {2, 40}}));
}

TEST_F(FoldingTest, SharesThatAreShortForTheGrainAreNoneInTheEnd) {
  StrandId before = StrandId::none;
  for (u32 i = 1; i <= 100; i++) {
    const StrandId next = strand(10, {});
    if (before != StrandId::none)
      strands_.order(before, next);
    strands_[next].share = {i, 0, 1, 4};
    before = next;
  }
  fold(100'000);
  EXPECT_EQ(all().work, 1000u);
  EXPECT_EQ(all().share.division, 0u);
}

TEST_F(FoldingTest, ChunksOfALoopBecomeOneWithTheirIterations) {
  const StrandId fork = strand(1, {});
  const StrandId end = strand(1, {});
  for (u64 i = 0; i < 100; i += 2) { // another thread takes the odd ones
    const StrandId chunk = strand(10, {fork});
    strands_.order(chunk, end);
    strands_[chunk].share = {.division = 1,
                             .from = i,
                             .to = i + 1,
                             .of = 100,
                             .iterations = 100,
                             .schedule = Schedule::dynamic,
                             .chunk = 1};
  }
  fold(16 * 50);
  EXPECT_EQ(strands_.live(), 2u + 50 * 10 / 50);
  EXPECT_EQ(by_share()[1], 500u);
  u64 taken = 0;
  for (u32 i = 1; i < strands_.end(); i++)
    if (const Strand& one = strands_[StrandId{i}]; one.is_used && one.share.division == 1) {
      EXPECT_EQ(one.share.to - one.share.from, 9u);
      EXPECT_EQ(one.share.others, 4u);
      taken += one.share.taken();
    }
  EXPECT_EQ(taken, 50u);
}

TEST_F(FoldingTest, ChunksThatCannotBeOfOneLoopAreNone) {
  const auto beside = [&](u32 division, u64 from, u64 of, Schedule schedule) {
    const StrandId fork = strand(1, {});
    const StrandId one = strand(10, {fork}), other = strand(10, {fork});
    strand(1, {one, other});
    strands_[one].share = strands_[other].share = {
        .division = division, .from = 2, .to = 6, .of = 8, .schedule = Schedule::dynamic};
    strands_[other].share.from = from;
    strands_[other].share.to = 8;
    strands_[other].share.of = of;
    strands_[other].share.schedule = schedule;
  };
  beside(1, 6, 8, Schedule::dynamic);
  beside(2, 5, 8, Schedule::dynamic); // they overlap
  beside(3, 6, 9, Schedule::dynamic);
  beside(4, 6, 8, Schedule::guided);
  fold(16 * 30);
  EXPECT_EQ(strands_.live(), 4u);
  EXPECT_EQ(by_share(), (std::map<u32, Work>{{0, 66}, {1, 22}}));
}

TEST_F(FoldingTest, AChunkTakesOverWhatIsBesideIt) {
  const StrandId fork = strand(1, {});
  const StrandId chunk = strand(10, {fork});
  strand(1, {chunk, strand(10, {fork})});
  strands_[chunk].share = {.division = 1, .to = 2, .of = 8, .schedule = Schedule::dynamic};
  fold(16 * 30);
  EXPECT_EQ(by_share()[1], all().work);
}

TEST_F(FoldingTest, AChunkTakesOverWhatIsBeforeIt) {
  const StrandId chunk = strand(20, {strand(10, {})});
  const StrandId none_left = strand(5, {chunk});
  const Share loop{.division = 1, .of = 8, .schedule = Schedule::guided, .chunk = 1};
  strands_[chunk].share = loop;
  strands_[chunk].share.from = 2;
  strands_[chunk].share.to = 4;
  strands_[none_left].share = loop;
  strands_[none_left].share.from = strands_[none_left].share.to = 8;
  fold(16 * 35);
  EXPECT_EQ(all().share.from, 2u);
  EXPECT_EQ(all().share.to, 4u);
}

TEST_F(FoldingTest, WhatIsPinnedStays) {
  const StrandId first = strand(10, {});
  strand(20, {first});
  strands_.pin(first);
  fold(1000);
  EXPECT_EQ(strands_.live(), 2u);
}

TEST_F(FoldingTest, ParallelOnesHaveTheLongerSpan) {
  const StrandId fork = strand(1, {});
  strand(2, {strand(10, {fork}), strand(20, {fork})});
  fold(1000);
  EXPECT_EQ(all().work, 33u);
  EXPECT_EQ(all().span, 23u);
}

TEST_F(FoldingTest, ATailOfATaskJoinsWhatOthersWaitFor) {
  const StrandId fork = strand(1, {});
  const StrandId one = strand(10, {fork});
  const StrandId other = strand(20, {fork});
  strand(2, {one});
  strand(5, {one, other});
  fold(1000);
  EXPECT_EQ(all().work, 38u);
  EXPECT_EQ(all().span, 26u); // longer by no more than the tail, if at all
}

TEST_F(FoldingTest, ATailWithAShareStays) {
  const StrandId one = strand(10, {});
  const StrandId tail = strand(2, {one});
  strand(5, {one, strand(20, {})});
  strands_[one].share = {1, 0, 1, 4};
  strands_[tail].share = {2, 0, 1, 4};
  fold(100);
  EXPECT_EQ(by_share()[1], 10u);
  EXPECT_EQ(by_share()[2], 2u);
}

TEST_F(FoldingTest, SiblingsOfALoopAreBundledUpToTheGrain) {
  StrandId fork = strand(1, {});
  const StrandId end = strand(1, {});
  for (int i = 0; i < 100; i++) {
    strands_.order(strand(10, {fork}), end);
    fork = strand(1, {fork});
  }
  strands_.order(fork, end);
  fold(50);
  // 1,102 of work in bundles of 50, and the strands that fork them.
  EXPECT_LE(strands_.live(), 2u * 1102 / 50);
  EXPECT_EQ(RecordedDag(strands_).work, 1102u);
}

TEST_F(FoldingTest, EmptyStrandsAndImpliedOrdersTakeNoGrain) {
  const StrandId one = strand(10, {});
  const StrandId two = strand(20, {});
  const StrandId meeting = strand(0, {one, two});
  const StrandId last = strand(5, {one, strand(0, {meeting})});
  strands_.pin(last);
  fold(0);
  EXPECT_EQ(strands_.live(), 3u);
  EXPECT_EQ(RecordedDag(strands_).span, 25u);
}

TEST_F(FoldingTest, CriticalSectionsAreCountedWhereTheyGo) {
  const StrandId first = strand(10, {});
  section(first, 7);
  const StrandId second = strand(20, {strand(5, {first})});
  section(second, 7);
  strand(5, {second});
  fold(1000);
  EXPECT_EQ(all().acquires, 0u);
  strands_.for_each_lock(all(), [](const LockUse& use) {
    EXPECT_EQ(use.lock, 7u);
    EXPECT_EQ(use.sections, 2u);
  });
  EXPECT_EQ(held(), (std::map<std::pair<u32, PathId>, Work>{{{7, PathId::root}, 30}}));
  EXPECT_EQ(all().locks.count, 1u);
}

TEST_F(FoldingTest, CriticalSectionsKeepTheirPaths) {
  const PathId called[] = {PathId::root, paths_.called(PathId::root, SiteId{1}),
                           paths_.called(PathId::root, SiteId{2})};
  std::mt19937 random(1);
  const auto below = [&](u32 end) { return static_cast<u32>(random() % end); };
  for (int run = 0; run < 50; run++) {
    const StrandId fork = strand(1, {});
    StrandId ends[] = {fork, fork, fork};
    for (int i = 0; i < 60; i++) {
      StrandId& thread = ends[below(3)];
      thread = strand(1 + below(20), {thread}, called[below(3)]);
      if (below(2) != 0)
        section(thread, 1 + below(2));
    }
    strand(1, {ends[0], ends[1], ends[2]});
    const auto before = held();
    const u32 live = strands_.live();
    for (const Work grain : {Work{20}, Work{100}, Work{10'000}})
      fold(grain);
    EXPECT_EQ(held(), before);
    EXPECT_LT(strands_.live(), live);
  }
}

TEST_F(FoldingBeyondLimitsTest, SectionsAreOnPathsOfTheirStrand) {
  constexpr u32 kPaths = 40;
  const PathId caller = paths_.called(PathId::root, SiteId{0});
  StrandId last = strand(1, {}, caller);
  Work under_lock = 0;
  for (u32 i = 1; i <= kPaths; i++) {
    const PathId path = paths_.called(caller, SiteId{i});
    last = strand(i, {strand(100, {last}, path)}, path);
    section(last, 7);
    under_lock += i;
  }
  strand(1, {last}, caller);
  fold(1'000'000);
  std::map<PathId, Work> on_path;
  strands_.for_each_part(all(), [&](const StrandPart& part) { on_path[part.path] = part.work; });
  EXPECT_LT(on_path.size(), kPaths);
  for (const auto& [at, length] : held()) {
    EXPECT_LE(length, on_path[at.second]);
    under_lock -= length;
  }
  EXPECT_EQ(under_lock, 0u);
}

// A strand that keeps few calls keeps the outermost ones, whatever it executed first.
TEST_F(FoldingBeyondLimitsTest, WhatIsExecutedStaysBelowTheOutermostCalls) {
  std::mt19937 random{11};
  const auto below = [&](u32 bound) { return static_cast<u32>(random() % bound); };
  constexpr u32 kOutermost = 3;
  constexpr u32 kPaths = 300;
  std::vector<PathId> paths{PathId::root};
  for (u32 i = 1; i <= kPaths; i++)
    paths.push_back(
        paths_.called(i <= kOutermost ? PathId::root : paths[1 + below(i - 1)], SiteId{i}));
  std::map<PathId, Work> executed;
  StrandId last = StrandId::none;
  for (int i = 0; i < 2000; i++) {
    const PathId path = paths[1 + below(kPaths)];
    const Work work = 1 + below(9);
    last = last == StrandId::none ? strand(work, {}, path) : strand(work, {last}, path);
    for (PathId at = path; at != PathId::root; at = paths_.caller(at))
      executed[at] += work;
  }
  fold(1'000'000);
  std::map<PathId, Work> found;
  strands_.for_each_part(all(), [&](const StrandPart& part) {
    EXPECT_NE(part.path, PathId::root);
    for (PathId at = part.path; at != PathId::root; at = paths_.caller(at))
      found[at] += part.work;
  });
  EXPECT_LE(all().parts.count, 24 + kOutermost);
  for (u32 i = 1; i <= kPaths; i++) {
    EXPECT_LE(found[paths[i]], executed[paths[i]]);
    if (i <= kOutermost) {
      EXPECT_EQ(found[paths[i]], executed[paths[i]]);
    }
  }
}

TEST_F(FoldingTest, OfTooManyPathsTheLargestAreKept) {
  std::mt19937 random{7};
  const auto below = [&](u32 bound) { return static_cast<u32>(random() % bound); };
  constexpr u32 kPaths = 500;
  constexpr u32 kMost = 60;
  std::vector<PathId> paths{PathId::root};
  for (u32 i = 1; i <= kPaths; i++)
    paths.push_back(paths_.called(paths[below(i)], SiteId{i}));
  StrandId last = strand(1, {});
  for (int i = 0; i < 1000; i++) {
    last = strand(1 + below(1000), {last}, paths[below(kPaths + 1)]);
    section(last, below(3));
    strands_[last].share.path = paths[below(kPaths + 1)];
  }
  fold(3000);
  struct Found {
    std::map<PathId, Work> inclusive, held;
    std::map<u32, Work> by_strand;
    u32 parts = 0;
  };
  const auto find = [&] {
    Found found;
    const auto add = [&](std::map<PathId, Work>& to, PathId path, Work amount) {
      for (to[PathId::root] += amount; path != PathId::root; path = paths_.caller(path))
        to[path] += amount;
    };
    for (const auto& [at, work] : held())
      add(found.held, at.second, work);
    for (u32 i = 1; i < strands_.end(); i++)
      strands_.for_each_part(strands_[StrandId{i}], [&](const StrandPart& part) {
        add(found.inclusive, part.path, part.work);
        found.by_strand[i] += part.work;
        found.parts++;
      });
    return found;
  };
  const Found before = find();
  strands_.keep_largest_paths(kPaths + 1, paths_);
  EXPECT_EQ(find().inclusive, before.inclusive);
  strands_.keep_largest_paths(kMost, paths_);
  const Found after = find();
  EXPECT_EQ(after.by_strand, before.by_strand);
  EXPECT_LT(after.parts, before.parts);
  EXPECT_LE(after.inclusive.size(), kMost);
  EXPECT_GE(after.inclusive.size(), kMost / 4);
  Work least = before.inclusive.at(PathId::root);
  for (const auto& [path, work] : after.inclusive) {
    EXPECT_EQ(work, before.inclusive.at(path));
    least = std::min(least, work);
  }
  for (const auto& [path, work] : before.inclusive) {
    if (!after.inclusive.contains(path)) {
      EXPECT_LT(work, 2 * least);
    }
  }
  for (const auto& [path, work] : after.held)
    EXPECT_EQ(work, before.held.at(path));
  EXPECT_EQ(after.held.at(PathId::root), before.held.at(PathId::root));
  for (u32 i = 1; i < strands_.end(); i++)
    EXPECT_TRUE(after.inclusive.contains(strands_[StrandId{i}].share.path));
}

TEST_F(FoldingBeyondLimitsTest, TheLocksHeldLongestAreKept) {
  constexpr u32 kLocks = 100;
  constexpr u32 kLongest = 70; // shorter at a time than the others, and only in the first half
  StrandId last = strand(1, {});
  for (u32 i = 1; i <= kLocks; i++) {
    last = strand(10, {last});
    section(last, i);
    for (int times = 0; times < 6 && i <= kLocks / 2; times++) {
      last = strand(9, {last});
      section(last, kLongest);
    }
  }
  strand(1, {last});
  for (Work grain = 50; grain < 1'000'000; grain *= 2)
    fold(grain);
  EXPECT_EQ(all().work, 2 + kLocks * (10 + 3 * 9));
  EXPECT_LT(all().locks.count, kLocks / 10 + 1);
  EXPECT_EQ(held()[std::pair(kLongest, PathId::root)], kLocks * 3 * 9);
}

TEST_F(FoldingTest, ASectionOfSeveralStrandsIsOneWhenTheseAre) {
  const StrandId held = strand(10, {strand(5, {})});
  strands_[held].acquires = 7;
  const StrandId rest = strand(20, {held});
  strands_[rest].releases = 7;
  strand(5, {rest});
  fold(1000);
  EXPECT_EQ(all().work, 40u);
  EXPECT_EQ(all().locks.count, 1u);
}

TEST_F(FoldingTest, BesideAnOpenSectionNothingIsFolded) {
  const StrandId fork = strand(1, {});
  const StrandId held = strand(10, {fork});
  strands_[held].acquires = 7;
  strand(2, {held, strand(20, {fork})});
  fold(1000);
  EXPECT_EQ(strands_.live(), 4u);
}

// Two tasks, forked one after the other, and what their creator executes before it waits.
TEST_F(FoldingTest, AThreadThatWaitsFoldsWhatItWaitsFor) {
  const StrandId fork = strand(1, {});
  const StrandId child = strand(100, {fork});
  const StrandId later_fork = strand(2, {fork});
  const StrandId later = strand(30, {later_fork});
  const StrandId rest = strand(40, {later_fork});
  const StrandId met = strand(0, {child, later});
  const StrandId here = strand(5, {rest, met});
  strands_.pin(here);
  Folding folding(strands_, paths_);
  folding.fold_before(here, 80);
  EXPECT_EQ(strands_.live(), 4u); // the child is too long
  folding.fold_before(here, 1000);
  EXPECT_EQ(all().work, 178u);
  EXPECT_EQ(all().span, 1u + 100 + 5);
}

TEST_F(FoldingTest, AThreadThatWaitsLeavesWhatOthersComeAfter) {
  const StrandId fork = strand(1, {});
  const StrandId child = strand(10, {fork});
  strands_.pin(child);
  const StrandId here = strand(5, {strand(20, {fork}), child});
  strands_.pin(here);
  Folding(strands_, paths_).fold_before(here, 1000);
  EXPECT_EQ(strands_.live(), 4u);
}

} // namespace
