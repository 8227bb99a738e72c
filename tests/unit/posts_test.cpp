// A semaphore's posts come out in the order in which they went in, and what was granted at first
// before them. What wakes at a condition came when its waiter waited.
#include "work_span/order/posts.hpp"
#include "work_span/order/wake_ups.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>
#include <vector>

namespace {

PathPoint point(Span span) {
  PathPoint made;
  made.lengths = Lengths(span);
  return made;
}

TEST(PostsTest, FirstInFirstOut) {
  Posts posts;
  std::deque<Span> expected;
  std::mt19937 random(1);
  for (Span next = 1; next < 20000; next++) {
    if (random() % 2 == 0 || expected.empty()) {
      posts.push(point(next));
      expected.push_back(next);
    } else {
      EXPECT_EQ(posts.take().lengths.span, expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(posts.size(), expected.size());
    ASSERT_EQ(posts.empty(), expected.empty());
  }
}

TEST(PostsTest, NewSemaphoreHasNoOldPosts) {
  ProfPool profs;
  Paths paths(profs);
  Posts posts;
  posts.begin(paths, 1);
  Path path;
  path.lengths += 5;
  posts.push(paths.freeze(path));
  EXPECT_EQ(posts.take().node, nullptr);
  EXPECT_EQ(posts.made(), 1u);
  posts.begin(paths, ~u64{0}); // costs nothing
  EXPECT_EQ(posts.made(), 0u);
  posts.begin(paths, 2);
  EXPECT_EQ(posts.size(), 2u);
  EXPECT_EQ(posts.take().node, nullptr);
  paths.drop(path);
  EXPECT_EQ(paths.nodes(), 0u);
}

void broadcast(WakeUps& condition, Span by) {
  while (condition.anybody_waits())
    condition.push(point(by));
}

class WakeUpsTest : public testing::Test {
protected:
  ProfPool profs;
  Paths paths{profs};
};

TEST_F(WakeUpsTest, WhoWaitsAgainIsWokenByALaterBroadcast) {
  WakeUps condition;
  const u64 slow = condition.begin_wait();
  const u64 quick = condition.begin_wait();
  broadcast(condition, 1);
  EXPECT_EQ(condition.woken(paths, quick).lengths.span, 1u);
  const u64 again = condition.begin_wait();
  broadcast(condition, 2);
  EXPECT_EQ(condition.woken(paths, again).lengths.span, 2u);
  EXPECT_EQ(condition.woken(paths, slow).lengths.span, 1u);
  EXPECT_FALSE(condition.anybody_waits());
}

TEST_F(WakeUpsTest, WhoIsOvertakenComesAfterThat) {
  WakeUps condition;
  const u64 slow = condition.begin_wait();
  EXPECT_EQ(condition.overtaken(slow).lengths.span, 0u);
  condition.overtake(paths, point(1));
  const u64 later = condition.begin_wait();
  EXPECT_EQ(condition.overtaken(slow).lengths.span, 1u);
  EXPECT_EQ(condition.overtaken(later).lengths.span, 0u);
}

TEST_F(WakeUpsTest, ASignalIsForOneOfThoseThatWait) {
  WakeUps condition;
  const u64 first = condition.begin_wait();
  condition.push(point(1));
  const u64 second = condition.begin_wait();
  EXPECT_EQ(condition.woken(paths, second).lengths.span, 0u); // by nothing that is known
  const u64 third = condition.begin_wait();
  condition.push(point(2));
  EXPECT_FALSE(condition.anybody_waits());
  EXPECT_EQ(condition.woken(paths, third).lengths.span, 2u);
  EXPECT_EQ(condition.woken(paths, first).lengths.span, 1u);
}

TEST_F(WakeUpsTest, ASignalMayBeForWhoBeginsToWaitMeanwhile) {
  WakeUps condition;
  const u64 first = condition.begin_wait();
  const u64 signal = condition.begin_signal(point(1));
  const u64 second = condition.begin_wait();
  EXPECT_EQ(condition.woken(paths, second).lengths.span, 1u);
  condition.end_signal(paths, signal);
  EXPECT_TRUE(condition.anybody_waits());
  const u64 late = condition.begin_wait();
  condition.push(point(2));
  EXPECT_EQ(condition.woken(paths, first).lengths.span, 2u);
  EXPECT_EQ(condition.woken(paths, late).lengths.span, 0u); // by nothing that is known
}

// With a node of its own.
PathPoint frozen(Paths& paths, Span span) {
  Path path;
  PathPoint made = paths.freeze(path);
  paths.drop(path);
  made.lengths.span = span;
  return made;
}

TEST_F(WakeUpsTest, WhatComesForAWaiterIsBeforeWhatIsSpare) {
  for (const bool comes : {false, true}) {
    WakeUps condition;
    const auto woken = [&](u64 waiter) {
      PathPoint by = condition.woken(paths, waiter);
      const Span span = by.lengths.span;
      paths.drop(by);
      return span;
    };
    const u64 first = condition.begin_wait();
    condition.push(frozen(paths, 1));
    const u64 signal = condition.begin_signal(frozen(paths, 2));
    EXPECT_FALSE(condition.anybody_waits());
    const u64 second = condition.begin_wait();
    EXPECT_TRUE(condition.anybody_waits());
    condition.end_signal(paths, signal);
    const u64 late = condition.begin_wait();
    if (comes) {
      condition.push(frozen(paths, 3));
      condition.push(frozen(paths, 4));
    }
    EXPECT_EQ(woken(second), comes ? 3u : 2u);
    EXPECT_EQ(woken(late), comes ? 4u : 0u);
    EXPECT_EQ(woken(first), 1u);
    EXPECT_EQ(paths.nodes(), 0u);
  }
}

TEST_F(WakeUpsTest, SpareOnesAreKeptNoLongerThanTheyMayServe) {
  WakeUps condition;
  condition.begin_wait();
  condition.push({});
  u64 signal = condition.begin_signal(frozen(paths, 1));
  condition.end_signal(paths, signal); // nobody began to wait
  EXPECT_EQ(paths.nodes(), 0u);
  signal = condition.begin_signal(frozen(paths, 2));
  const u64 meanwhile = condition.begin_wait();
  condition.end_signal(paths, signal);
  EXPECT_EQ(paths.nodes(), 1u);
  condition.gave_up(paths, meanwhile);
  EXPECT_EQ(paths.nodes(), 0u);
  condition.begin_signal(frozen(paths, 3));
  EXPECT_EQ(paths.nodes(), 1u);
  condition.clear(paths);
  EXPECT_EQ(paths.nodes(), 0u);
}

TEST_F(WakeUpsTest, WhoGivesUpTakesAlongOnlyWhatNobodyElseCanGet) {
  Path path;
  WakeUps condition;
  const u64 first = condition.begin_wait();
  const u64 second = condition.begin_wait();
  condition.push(paths.freeze(path));
  condition.gave_up(paths, first);
  EXPECT_FALSE(condition.anybody_waits()); // it is for the second
  const u64 later = condition.begin_wait();
  condition.gave_up(paths, second);
  EXPECT_TRUE(condition.anybody_waits());
  condition.push(paths.freeze(path));
  PathPoint by = condition.woken(paths, later);
  EXPECT_NE(by.node, nullptr);
  paths.drop(by);
  condition.begin_wait();
  condition.push(paths.freeze(path));
  condition.clear(paths);
  EXPECT_FALSE(condition.anybody_waits());
  paths.drop(path);
  EXPECT_EQ(paths.nodes(), 0u);
}

// Who waits, and what has really been for whom.
TEST_F(WakeUpsTest, EveryWaiterGetsWhatCameWhileItWaited) {
  for (const bool signals : {false, true}) {
    std::mt19937 random(1);
    WakeUps condition;
    struct Waiter {
      u64 number;
      Span since;
      Span by; // 0: still waits
    };
    std::vector<Waiter> waiters;
    std::multiset<Span> pending;
    for (Span now = 1; now < 20000; now++) {
      const std::size_t some = waiters.empty() ? 0 : random() % waiters.size();
      switch (random() % 6) {
      case 0:
      case 1:
        if (waiters.size() < 8)
          waiters.push_back({condition.begin_wait(), now, 0});
        break;
      case 2:
        for (Waiter& waiter : waiters)
          if (waiter.by == 0) {
            waiter.by = now;
            pending.insert(now);
          }
        broadcast(condition, now);
        break;
      case 3:
        if (!signals || waiters.empty() || waiters[some].by != 0)
          break;
        ASSERT_TRUE(condition.anybody_waits());
        waiters[some].by = now;
        pending.insert(now);
        condition.push(point(now));
        break;
      default:
        if (waiters.empty())
          break;
        if (const Waiter& waiter = waiters[some]; waiter.by == 0) {
          condition.gave_up(paths, waiter.number);
        } else {
          const Span by = condition.woken(paths, waiter.number).lengths.span;
          EXPECT_GT(by, waiter.since);
          ASSERT_EQ(pending.count(by) > 0, true);
          pending.erase(pending.find(by));
          if (!signals) {
            EXPECT_EQ(by, waiter.by);
          }
        }
        waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(some));
      }
      ASSERT_EQ(condition.anybody_waits(), pending.size() < waiters.size());
    }
  }
}

} // namespace
