#include "aprof/profile/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace {

constexpr CostEvent kEvents[] = {CostEvent::basic_blocks};

Sample cost(u64 inclusive, u64 self = 1) { return {1, 2, {inclusive, 0}, {self, 0}}; }

TEST(Points, KeepStatisticsOfEachSize) {
  PointTable table(1, 100);
  table.add(7, cost(10), kEvents);
  table.add(7, cost(30), kEvents);
  table.add(3, cost(5), kEvents);
  ASSERT_EQ(table.size(), 2u);
  const Vector<u32> order = table.order();
  EXPECT_EQ(table.point(order[0]).key, 3u);
  const CostStatistics& of_7 = table.inclusive(order[1], 0);
  EXPECT_EQ(of_7.min, 10u);
  EXPECT_EQ(of_7.max, 30u);
  EXPECT_EQ(of_7.sum, 40u);
  EXPECT_EQ(static_cast<u64>(of_7.squares()), 1000u);
  EXPECT_EQ(table.self(order[1], 0).sum, 2u);
  EXPECT_EQ(table.point(order[1]).calls, 2u);
  EXPECT_EQ(table.point(order[1]).induced_by_thread, 2u);
  EXPECT_EQ(table.point(order[1]).induced_by_kernel, 4u);
  EXPECT_EQ(table.precision(), 0u);
}

TEST(Points, SumsOfSquaresHave128Bits) {
  CostStatistics statistics;
  const u64 large = u64{3} << 60;
  statistics.add(large);
  statistics.add(large);
  EXPECT_TRUE(statistics.squares() == 2 * (u128{large} * large));
}

TEST(Points, FindEachOfManySizes) {
  PointTable table(2, 100000);
  constexpr CostEvent kBoth[] = {CostEvent::basic_blocks, CostEvent::instructions};
  for (int round = 0; round < 3; round++)
    for (u64 size = 0; size < 5000; size++)
      table.add(size * 17, {0, 0, {size, 2 * size}, {0, 0}}, kBoth);
  ASSERT_EQ(table.size(), 5000u);
  const Vector<u32> order = table.order();
  for (u64 i = 0; i < 5000; i++) {
    EXPECT_EQ(table.point(order[i]).key, i * 17);
    EXPECT_EQ(table.point(order[i]).calls, 3u);
    EXPECT_EQ(table.inclusive(order[i], 1).max, 2 * i);
  }
}

struct Merged {
  unsigned precision;
  std::vector<u64> sizes, calls, costs;
  bool operator==(const Merged&) const = default;
};

Merged merge(const std::vector<u64>& sizes, std::size_t max_points) {
  PointTable table(1, max_points);
  for (u64 size : sizes)
    table.add(size, cost(size), kEvents);
  Merged merged{table.precision(), {}, {}, {}};
  EXPECT_LE(table.size(), max_points);
  for (u32 i : table.order()) {
    merged.sizes.push_back(table.point(i).size / table.point(i).calls);
    merged.calls.push_back(table.point(i).calls);
    merged.costs.push_back(table.inclusive(i, 0).sum);
  }
  return merged;
}

TEST(Points, MergeNeighboursBeyondTheLimitWhateverTheOrder) {
  std::vector<u64> sizes;
  for (u64 size = 1; size <= 20000; size++)
    sizes.push_back(size * size);
  const Merged ascending = merge(sizes, 500);
  EXPECT_GT(ascending.precision, 0u);
  EXPECT_GT(ascending.sizes.size(), 200u);
  EXPECT_TRUE(std::is_sorted(ascending.sizes.begin(), ascending.sizes.end(), std::less_equal<>()));
  u64 calls = 0;
  for (u64 n : ascending.calls)
    calls += n;
  EXPECT_EQ(calls, sizes.size());
  std::shuffle(sizes.begin(), sizes.end(), std::mt19937(1));
  EXPECT_EQ(merge(sizes, 500), ascending);
  std::reverse(sizes.begin(), sizes.end());
  EXPECT_EQ(merge(sizes, 500), ascending);
}

TEST(Points, SurviveSizesOfEveryMagnitudeUnderTheSmallestLimit) {
  std::vector<u64> sizes;
  for (int bit = 0; bit < 40; bit++)
    for (u64 i = 0; i < 16; i++)
      sizes.push_back((u64{1} << bit) + i);
  const Merged merged = merge(sizes, 100);
  EXPECT_GE(merged.precision, 1u);
}

} // namespace
