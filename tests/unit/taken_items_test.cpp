// Which counters are loops, and what their shares have in the end, by definition
// (docs/manual/cilkshadow-report.md).
#include "work_span/runtimes/taken_items.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

using Takers = std::vector<u64>; // who took each item, in order; found nothing left, in the end

u64 iterations(const Takers& takers) {
  TakenItems items;
  for (const u64 thread : takers)
    items.take(thread);
  EXPECT_EQ(items.takes(), takers.size());
  return items.iterations();
}

// Each thread that has taken anything found nothing left once, after all items were taken; and one
// took more than an equal part.
u64 iterations_by_definition(const Takers& takers) {
  std::map<u64, u64> takes;
  for (const u64 thread : takers)
    takes[thread]++;
  const std::size_t threads = takes.size();
  if (threads < 2 || std::set<u64>(takers.end() - threads, takers.end()).size() < threads)
    return 0;
  const u64 all = takers.size() - threads;
  for (const auto& [thread, of_it] : takes)
    if (of_it - 1 > (all + threads - 1) / threads)
      return all;
  return 0;
}

TEST(TakenItems, ALoopIsLeftByAllThreads) {
  EXPECT_EQ(iterations({1, 1, 1, 2, /*end:*/ 2, 1}), 4u);
  EXPECT_EQ(iterations({1, 1, 1, 1, 2, 2}), 0u); // the first does not come again
  EXPECT_EQ(iterations({2, 1, 1, 1, 2, 1, 1}), 0u);
}

TEST(TakenItems, AThreadMayTakeEverything) { EXPECT_EQ(iterations({1, 1, 1, 3, 1, 2}), 3u); }

TEST(TakenItems, OneThreadAloneHasNoLoop) { EXPECT_EQ(iterations({1, 1, 1, 1}), 0u); }

TEST(TakenItems, EqualPartsAreEachThreadsOwn) {
  EXPECT_EQ(iterations({1, 2, 1, 2, 1, 2}), 0u);
  EXPECT_EQ(iterations({1, 2, 1, 2, 1, 1, 2}), 0u); // three of five, as of five that are divided
  EXPECT_EQ(iterations({1, 2, 1, 1, 1, 2}), 4u);
}

TEST(TakenItems, RandomThreads) {
  std::mt19937 random(1);
  unsigned loops = 0;
  for (int round = 0; round < 20'000; round++) {
    const u64 threads = 1 + random() % 4;
    Takers takers(random() % 12);
    for (u64& thread : takers)
      thread = random() % threads;
    if (random() % 2 == 0) { // all leave it
      std::vector<u64> all(threads);
      for (u64 i = 0; i < threads; i++)
        all[i] = i;
      std::shuffle(all.begin(), all.end(), random);
      takers.insert(takers.end(), all.begin(), all.end());
    }
    const u64 found = iterations(takers);
    ASSERT_EQ(found, iterations_by_definition(takers)) << testing::PrintToString(takers);
    loops += found > 0;
  }
  EXPECT_GT(loops, 1000u);
}

// What was withdrawn never was.
TEST(TakenItems, RandomThreadsThatWait) {
  std::mt19937 random(3);
  unsigned loops = 0;
  for (int round = 0; round < 20'000; round++) {
    const u64 threads = 1 + random() % 4;
    TakenItems items;
    Takers takers;
    for (u64 left = random() % 12 + threads; left > 0; left--) {
      const u64 thread = left <= threads ? left : 1 + random() % threads; // all leave it
      for (u64 waits = random() % 3; waits > 0; waits--) {
        const u64 waiter = waits == 1 ? thread : 1 + random() % (threads + 1);
        items.take(waiter);
        items.withdraw(waiter);
      }
      items.take(thread);
      takers.push_back(thread);
    }
    ASSERT_EQ(items.takes(), takers.size());
    const u64 found = items.iterations();
    ASSERT_EQ(found, iterations_by_definition(takers)) << testing::PrintToString(takers);
    loops += found > 0;
  }
  EXPECT_GT(loops, 1000u);
}

TEST(TakenItems, ClearedItHasTakenNothing) {
  TakenItems items;
  for (const u64 thread : {1, 2, 2, 2, 1, 2})
    items.take(thread);
  EXPECT_FALSE(items.is_of_one_thread());
  items.clear();
  EXPECT_TRUE(items.is_of_one_thread());
  EXPECT_EQ(items.takes(), 0u);
  for (const u64 thread : {1, 1, 1, 2, 2, 1})
    items.take(thread);
  EXPECT_EQ(items.iterations(), 4u);
}

Share share(u64 from, u64 to, u64 others = 0) {
  return {.division = 1,
          .from = from,
          .to = to,
          .of = Share::kUncertain,
          .iterations = Share::kUncertain,
          .schedule = Schedule::dynamic,
          .chunk = 1,
          .others = others};
}

TEST(SharesOfTakenItems, WhoFoundNothingHasTheEndOfTheLoop) {
  for (const u64 number : {10, 11, 12}) {
    const Share found = with_iterations(share(number, number + 1), 10);
    EXPECT_EQ(found.from, 10u);
    EXPECT_EQ(found.to, 10u);
    EXPECT_EQ(found.of, 10u);
    EXPECT_FALSE(found.is_chunk());
    EXPECT_FALSE(found.is_uncertain());
  }
}

// However the takes of each thread are folded, together they are the items of the loop.
TEST(SharesOfTakenItems, AreAllItemsOnce) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; round++) {
    const u64 threads = 2 + random() % 3, all = 1 + random() % 30;
    std::map<u64, std::vector<u64>> numbers; // that each thread took
    for (u64 number = 0; number < all; number++)
      numbers[random() % threads].push_back(number);
    for (u64 thread = 0; thread < threads; thread++)
      numbers[thread].push_back(all + thread);
    u64 taken = 0;
    for (const auto& [thread, of_it] : numbers)
      for (std::size_t begin = 0; begin < of_it.size();) {
        const std::size_t count = std::min<std::size_t>(1 + random() % 8, of_it.size() - begin);
        const u64 from = of_it[begin], to = of_it[begin + count - 1] + 1;
        const Share found = with_iterations(share(from, to, to - from - count), all);
        EXPECT_EQ(found.from, std::min(from, all));
        EXPECT_EQ(found.to, std::min(to, all));
        taken += found.taken();
        begin += count;
      }
    ASSERT_EQ(taken, all);
  }
}

TEST(SharesOfTakenItems, OfSeveralThreadsAreNoMoreThanThereAreNumbers) {
  // 8 was taken by a third thread; 10 and 11 found nothing.
  const Share found = with_iterations(share(7, 12, 1), 10);
  EXPECT_EQ(found.to, 10u);
  EXPECT_EQ(found.taken(), 3u);
  EXPECT_EQ(with_iterations(share(7, 12, 3), 10).taken(), 1u);
}

} // namespace
