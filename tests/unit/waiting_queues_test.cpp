// The posts of a semaphore are taken in the order in which they were made, after the units granted
// initially. The signal that wakes a waiter came while it was waiting.
#include "work_span/order/condition_queue.hpp"
#include "work_span/order/semaphore_queue.hpp"

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

TEST(SemaphoreQueueTest, FirstInFirstOut) {
  SemaphoreQueue queue;
  std::deque<Span> expected;
  std::mt19937 random(1);
  for (Span next = 1; next < 20000; next++) {
    if (random() % 2 == 0 || expected.empty()) {
      queue.post(point(next));
      expected.push_back(next);
    } else {
      EXPECT_EQ(queue.wait().lengths.span, expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(queue.size(), expected.size());
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

TEST(SemaphoreQueueTest, NewSemaphoreHasNoOldPosts) {
  ProfPool profs;
  Paths paths(profs);
  SemaphoreQueue queue;
  queue.begin(paths, 1);
  Path path;
  path.lengths += 5;
  queue.post(paths.freeze(path));
  EXPECT_EQ(queue.wait().node, nullptr);
  EXPECT_EQ(queue.posted(), 1u);
  queue.begin(paths, ~u64{0}); // costs nothing
  EXPECT_EQ(queue.posted(), 0u);
  queue.begin(paths, 2);
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(queue.wait().node, nullptr);
  paths.drop(path);
  EXPECT_EQ(paths.nodes(), 0u);
}

void broadcast(ConditionQueue& condition, Span by) {
  while (condition.lacks_signals())
    condition.signal(point(by));
}

class ConditionQueueTest : public testing::Test {
protected:
  ProfPool profs;
  Paths paths{profs};
};

TEST_F(ConditionQueueTest, WhoWaitsAgainIsWokenByALaterBroadcast) {
  ConditionQueue condition;
  const u64 slow = condition.begin_wait();
  const u64 quick = condition.begin_wait();
  broadcast(condition, 1);
  EXPECT_EQ(condition.wake(paths, quick).lengths.span, 1u);
  const u64 again = condition.begin_wait();
  broadcast(condition, 2);
  EXPECT_EQ(condition.wake(paths, again).lengths.span, 2u);
  EXPECT_EQ(condition.wake(paths, slow).lengths.span, 1u);
  EXPECT_FALSE(condition.lacks_signals());
}

TEST_F(ConditionQueueTest, WhoIsOvertakenComesAfterThat) {
  ConditionQueue condition;
  const u64 slow = condition.begin_wait();
  EXPECT_EQ(condition.overtaken(slow).lengths.span, 0u);
  condition.overtake(paths, point(1));
  const u64 later = condition.begin_wait();
  EXPECT_EQ(condition.overtaken(slow).lengths.span, 1u);
  EXPECT_EQ(condition.overtaken(later).lengths.span, 0u);
}

TEST_F(ConditionQueueTest, ASignalIsForOneOfThoseThatWait) {
  ConditionQueue condition;
  const u64 first = condition.begin_wait();
  condition.signal(point(1));
  const u64 second = condition.begin_wait();
  EXPECT_EQ(condition.wake(paths, second).lengths.span, 0u); // by no known signal
  const u64 third = condition.begin_wait();
  condition.signal(point(2));
  EXPECT_FALSE(condition.lacks_signals());
  EXPECT_EQ(condition.wake(paths, third).lengths.span, 2u);
  EXPECT_EQ(condition.wake(paths, first).lengths.span, 1u);
}

TEST_F(ConditionQueueTest, ASignalMayBeForWhoBeginsToWaitMeanwhile) {
  ConditionQueue condition;
  const u64 first = condition.begin_wait();
  const u64 signal = condition.begin_signal(point(1));
  const u64 second = condition.begin_wait();
  EXPECT_EQ(condition.wake(paths, second).lengths.span, 1u);
  condition.end_signal(paths, signal);
  EXPECT_TRUE(condition.lacks_signals());
  const u64 late = condition.begin_wait();
  condition.signal(point(2));
  EXPECT_EQ(condition.wake(paths, first).lengths.span, 2u);
  EXPECT_EQ(condition.wake(paths, late).lengths.span, 0u); // by no known signal
}

// A point with a node of its own.
PathPoint frozen(Paths& paths, Span span) {
  Path path;
  PathPoint made = paths.freeze(path);
  paths.drop(path);
  made.lengths.span = span;
  return made;
}

TEST_F(ConditionQueueTest, WhatComesForAWaiterIsBeforeWhatIsSpare) {
  for (const bool comes : {false, true}) {
    ConditionQueue condition;
    const auto woken = [&](u64 waiter) {
      PathPoint by = condition.wake(paths, waiter);
      const Span span = by.lengths.span;
      paths.drop(by);
      return span;
    };
    const u64 first = condition.begin_wait();
    condition.signal(frozen(paths, 1));
    const u64 signal = condition.begin_signal(frozen(paths, 2));
    EXPECT_FALSE(condition.lacks_signals());
    const u64 second = condition.begin_wait();
    EXPECT_TRUE(condition.lacks_signals());
    condition.end_signal(paths, signal);
    const u64 late = condition.begin_wait();
    if (comes) {
      condition.signal(frozen(paths, 3));
      condition.signal(frozen(paths, 4));
    }
    EXPECT_EQ(woken(second), comes ? 3u : 2u);
    EXPECT_EQ(woken(late), comes ? 4u : 0u);
    EXPECT_EQ(woken(first), 1u);
    EXPECT_EQ(paths.nodes(), 0u);
  }
}

TEST_F(ConditionQueueTest, SpareOnesAreKeptNoLongerThanTheyMayServe) {
  ConditionQueue condition;
  condition.begin_wait();
  condition.signal({});
  u64 signal = condition.begin_signal(frozen(paths, 1));
  condition.end_signal(paths, signal); // nobody began to wait
  EXPECT_EQ(paths.nodes(), 0u);
  signal = condition.begin_signal(frozen(paths, 2));
  const u64 meanwhile = condition.begin_wait();
  condition.end_signal(paths, signal);
  EXPECT_EQ(paths.nodes(), 1u);
  condition.give_up(paths, meanwhile);
  EXPECT_EQ(paths.nodes(), 0u);
  condition.begin_signal(frozen(paths, 3));
  EXPECT_EQ(paths.nodes(), 1u);
  condition.clear(paths);
  EXPECT_EQ(paths.nodes(), 0u);
}

TEST_F(ConditionQueueTest, WhoGivesUpTakesAlongOnlyWhatNobodyElseCanGet) {
  Path path;
  ConditionQueue condition;
  const u64 first = condition.begin_wait();
  const u64 second = condition.begin_wait();
  condition.signal(paths.freeze(path));
  condition.give_up(paths, first);
  EXPECT_FALSE(condition.lacks_signals()); // it is for the second
  const u64 later = condition.begin_wait();
  condition.give_up(paths, second);
  EXPECT_TRUE(condition.lacks_signals());
  condition.signal(paths.freeze(path));
  PathPoint by = condition.wake(paths, later);
  EXPECT_NE(by.node, nullptr);
  paths.drop(by);
  condition.begin_wait();
  condition.signal(paths.freeze(path));
  condition.clear(paths);
  EXPECT_FALSE(condition.lacks_signals());
  paths.drop(path);
  EXPECT_EQ(paths.nodes(), 0u);
}

// The waiting threads, and whom each signal was really for.
TEST_F(ConditionQueueTest, EveryWaiterGetsWhatCameWhileItWaited) {
  for (const bool signals : {false, true}) {
    std::mt19937 random(1);
    ConditionQueue condition;
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
        ASSERT_TRUE(condition.lacks_signals());
        waiters[some].by = now;
        pending.insert(now);
        condition.signal(point(now));
        break;
      default:
        if (waiters.empty())
          break;
        if (const Waiter& waiter = waiters[some]; waiter.by == 0) {
          condition.give_up(paths, waiter.number);
        } else {
          const Span by = condition.wake(paths, waiter.number).lengths.span;
          EXPECT_GT(by, waiter.since);
          ASSERT_EQ(pending.count(by) > 0, true);
          pending.erase(pending.find(by));
          if (!signals) {
            EXPECT_EQ(by, waiter.by);
          }
        }
        waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(some));
      }
      ASSERT_EQ(condition.lacks_signals(), pending.size() < waiters.size());
    }
  }
}

} // namespace
