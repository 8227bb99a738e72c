#include "aprof/profile/argument_points.hpp"

#include "aprof/profile/routine_record.hpp"

#include <gtest/gtest.h>

namespace {

constexpr u64 kFirstJudged = 1024;

class ArgumentPointsTest : public testing::Test {
protected:
  // As many calls as are made before the first judgement, all with cost `cost` and one input size.
  void call(ArgumentPoints& points, u64 argument, u64 cost, u64 times = kFirstJudged) {
    const Sample sample{0, 0, {cost, 0}, {cost, 0}};
    for (u64 i = 0; i < times; i++) {
      points.add(KeptArguments::Which::of(RoutineId{1}, 1), &argument, sample);
      sizes_.add(1, sample, options_.events);
    }
  }
  ProfileOptions informative_ = {.arguments = KeepArguments::informative};
  ProfileOptions options_;
  PointTable sizes_{1, 100};
};

TEST_F(ArgumentPointsTest, OneValueMayTellLater) {
  ArgumentPoints points(informative_);
  call(points, 1, 10);
  ASSERT_TRUE(points.is_judgement_due());
  EXPECT_TRUE(points.judge(sizes_));
  EXPECT_EQ(points.informative(0, sizes_), nullptr); // too few values so far
  for (u64 n = 2; n < 20; n++)
    call(points, n, 10 * n, 100);
  EXPECT_TRUE(points.judge(sizes_));
  ASSERT_NE(points.informative(0, sizes_), nullptr);
  EXPECT_EQ(points.informative(0, sizes_)->size(), 19u);
}

TEST_F(ArgumentPointsTest, OneValueInVeryManyCallsIsDropped) {
  ArgumentPoints points(informative_);
  call(points, 1, 10, (u64{1} << 20) - 1);
  EXPECT_TRUE(points.judge(sizes_));
  call(points, 1, 10, 1);
  EXPECT_FALSE(points.judge(sizes_));
  ProfileOptions every = {.arguments = KeepArguments::all};
  ArgumentPoints all(every);
  call(all, ~u64{0}, 10, u64{1} << 20);
  EXPECT_TRUE(all.judge(sizes_));
}

TEST_F(ArgumentPointsTest, ThreadsWithOneValueEachTellTogether) {
  ArgumentPoints all(informative_);
  for (u64 n = 1; n < 4; n++) {
    ArgumentPoints points(informative_);
    call(points, n, 10 * n);
    EXPECT_TRUE(points.judge(sizes_));
    all.add(points);
  }
  ASSERT_NE(all.informative(0, sizes_), nullptr);
  EXPECT_EQ(all.informative(0, sizes_)->size(), 3u);
}

TEST_F(ArgumentPointsTest, WhatIsNoSizeIsLeftOut) {
  constexpr u64 kLargest = u64{1} << 40;
  ArgumentPoints points(informative_);
  call(points, kLargest + 1, 10);
  call(points, ~u64{0}, 20);
  EXPECT_TRUE(points.judge(sizes_)); // sizes may follow
  call(points, kLargest, 30, 10);
  call(points, 5, 900, 10);
  ASSERT_NE(points.informative(0, sizes_), nullptr);
  EXPECT_EQ(points.informative(0, sizes_)->size(), 2u);
}

TEST_F(ArgumentPointsTest, WhatTellsNothingIsDropped) {
  ArgumentPoints points(informative_);
  ProfileOptions every = {.arguments = KeepArguments::all};
  ArgumentPoints all(every);
  for (u64 n = 0; n < 4; n++) {
    call(points, n, 10);
    call(all, n, 10);
  }
  EXPECT_FALSE(points.judge(sizes_));
  EXPECT_EQ(points.informative(0, sizes_), nullptr);
  EXPECT_TRUE(all.judge(sizes_));
  EXPECT_EQ(all.informative(0, sizes_)->size(), 4u);
}

} // namespace
