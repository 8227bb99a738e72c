// Points that come after others: what they gather, and that all else keeps its order.
#include "work_span/dag/strands.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

class StrandsTest : public testing::Test {
protected:
  // A strand of a thread, after others; pinned.
  StrandId strand(u32 thread, std::initializer_list<StrandId> before = {}) {
    const StrandId id = strands_.add(thread, StrandId::none);
    for (const StrandId one : before)
      strands_.order(one, id);
    strands_.add_work(id, PathId::root, 1, paths_);
    return id;
  }
  StrandId meet(StrandId one, StrandId other) { return strands_.meet(one, other); }
  std::vector<StrandId> directly_before(StrandId id) {
    std::vector<StrandId> found;
    strands_.for_each_before(strands_[id], [&](StrandId before) { found.push_back(before); });
    return found;
  }
  // Strands that execute something, up to this one.
  std::set<StrandId> up_to(StrandId id) {
    std::set<StrandId> found, seen{id};
    for (std::vector<StrandId> left{id}; !left.empty();) {
      const StrandId next = left.back();
      left.pop_back();
      if (strands_[next].work > 0)
        found.insert(next);
      for (const StrandId before : directly_before(next))
        if (seen.insert(before).second)
          left.push_back(before);
    }
    return found;
  }
  u32 pins(StrandId id) { return strands_[id].pins; }

  CallPaths paths_{[](SiteId) { return CallPaths::Call{}; }};
  Strands strands_;
};

using Ids = std::vector<StrandId>;

TEST_F(StrandsTest, APointMeetsItself) {
  const StrandId one = strand(1);
  strands_.pin(one);
  EXPECT_EQ(meet(one, one), one);
  EXPECT_EQ(pins(one), 1u);
}

TEST_F(StrandsTest, OfTwoInSeriesTheLaterIsAfterBoth) {
  const StrandId first = strand(1);
  const StrandId later = strand(1, {first});
  EXPECT_EQ(meet(first, later), later);
  EXPECT_EQ(pins(first), 0u);
  EXPECT_EQ(pins(later), 1u);
  EXPECT_EQ(strands_.live(), 2u);
}

TEST_F(StrandsTest, APointGathersWhatItMeets) {
  const StrandId one = strand(1), other = strand(2), third = strand(3);
  const StrandId meeting = meet(one, other);
  EXPECT_EQ(directly_before(meeting), (Ids{one, other}));
  EXPECT_EQ(meet(meeting, third), meeting);
  const StrandId fourth = strand(4);
  EXPECT_EQ(meet(fourth, meeting), meeting); // whichever comes first
  EXPECT_EQ(directly_before(meeting), (Ids{one, other, third, fourth}));
  EXPECT_EQ(pins(meeting), 1u);
  for (const StrandId gathered : {one, other, third, fourth})
    EXPECT_EQ(pins(gathered), 0u);
}

TEST_F(StrandsTest, OfEachThreadItKeepsTheLatest) {
  StrandId latest[2] = {strand(1), strand(2)};
  strands_.pin(latest[0]);
  strands_.pin(latest[1]);
  StrandId meeting = meet(latest[0], latest[1]);
  const StrandId gathers = meeting;
  for (u32 round = 0; round < 100; round++) {
    StrandId& position = latest[round % 2];
    const StrandId next = strand(round % 2 + 1, {position});
    strands_.unpin(position);
    position = next;
    strands_.pin(next);
    meeting = meet(meeting, next);
  }
  EXPECT_EQ(meeting, gathers);
  EXPECT_EQ(directly_before(meeting), (Ids{latest[0], latest[1]}));
  EXPECT_EQ(up_to(meeting).size(), 102u);
  for (u32 i = 1; i < strands_.end(); i++) // so it can be folded
    if (StrandId{i} != meeting) {
      EXPECT_EQ(strands_[StrandId{i}].after, 1u);
    }
}

TEST_F(StrandsTest, AStrandThatIsNotInSeriesReplacesNone) {
  const StrandId one = strand(1), other = strand(2), again = strand(1); // begun elsewhere
  const StrandId meeting = meet(meet(one, other), again);
  EXPECT_EQ(directly_before(meeting), (Ids{one, other, again}));
}

TEST_F(StrandsTest, APointThatSomebodyHoldsIsNotChanged) {
  const StrandId meeting = meet(strand(1), strand(2)), third = strand(3);
  strands_.pin(meeting);
  const StrandId all = meet(meeting, third);
  EXPECT_NE(all, meeting);
  EXPECT_EQ(directly_before(all), (Ids{meeting, third}));
  EXPECT_EQ(directly_before(meeting).size(), 2u);
  EXPECT_EQ(pins(meeting), 1u);
}

TEST_F(StrandsTest, APointThatSomethingComesAfterGathersNoMore) {
  for (const bool is_moved : {false, true}) {
    const StrandId meeting = meet(strand(1), strand(2));
    StrandId after;
    if (is_moved) {
      after = strand(4, {strand(5)});
      strands_.move_after(after, meeting);
    } else {
      after = strand(4, {meeting});
    }
    const std::set<StrandId> known = up_to(after);
    const StrandId third = strand(3);
    const StrandId all = meet(meeting, third);
    EXPECT_NE(all, meeting);
    EXPECT_EQ(up_to(after), known);
    EXPECT_TRUE(up_to(all).contains(third));
  }
}

class RandomPointsTest : public StrandsTest, public testing::WithParamInterface<unsigned> {};

// Threads publish where they are to some of a few points, and go on after a point, at random: a
// point comes after what it has met, and after nothing else. Nothing that exists gets another
// order.
TEST_P(RandomPointsTest, APointComesAfterWhatItHasMet) {
  constexpr u32 kThreads = 5;
  constexpr std::size_t kPoints = 3;
  std::mt19937 random(GetParam());
  StrandId positions[kThreads];
  StrandId points[kPoints] = {};
  std::map<StrandId, std::set<StrandId>> order; // what comes up to each strand,
  std::set<StrandId> met[kPoints];              // and to each point
  for (u32 i = 0; i < kThreads; i++) {
    positions[i] = strand(i + 1);
    order[positions[i]] = {positions[i]};
  }
  const auto go_on = [&](u32 thread) {
    const StrandId before = positions[thread];
    const StrandId next = positions[thread] = strand(thread + 1, {before});
    strands_.unpin(before);
    order[next] = order[before];
    order[next].insert(next);
    return next;
  };
  for (int step = 0; step < 200; step++) {
    const u32 thread = random() % kThreads;
    const std::size_t number = random() % kPoints;
    StrandId& point = points[number];
    if (point != StrandId::none && random() % 4 == 0) {
      const StrandId next = go_on(thread);
      strands_.order(point, next);
      order[next].insert(met[number].begin(), met[number].end());
    } else {
      const StrandId position = positions[thread];
      strands_.pin(position);
      point = point == StrandId::none ? position
              : random() % 2 == 0     ? meet(point, position)
                                      : meet(position, point);
      met[number].insert(order[position].begin(), order[position].end());
      go_on(thread);
    }
  }
  for (std::size_t i = 0; i < kPoints; i++) {
    EXPECT_EQ(up_to(points[i]), met[i]);
    strands_.unpin(points[i]);
  }
  for (const auto& [id, known] : order)
    ASSERT_EQ(up_to(id), known);
  for (const StrandId position : positions)
    strands_.unpin(position);
  for (u32 i = 1; i < strands_.end(); i++)
    EXPECT_EQ(pins(StrandId{i}), 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPointsTest, testing::Range(0u, 50u));

} // namespace
