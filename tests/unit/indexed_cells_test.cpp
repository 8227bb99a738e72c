#include "aprof/cells/indexed_cells.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace {

constexpr std::size_t kCells = 64;

template <std::size_t kRun> void expect_alike_only_if_all_are() {
  std::vector<Timestamp> block(IndexedCells::size_for(kCells));
  IndexedCells& cells = *IndexedCells::make(block.data(), kCells);
  constexpr std::size_t kFirst = 5;
  cells.set(0, kCells, 200);
  cells.set(kFirst, kRun, 255);
  EXPECT_TRUE(cells.are_alike<kRun>(kFirst));
  for (std::size_t other = 0; other < kRun && kRun > 1; other++) {
    cells.set(kFirst + other, 1, 254);
    EXPECT_FALSE(cells.are_alike<kRun>(kFirst)) << other << " of " << kRun;
    cells.set(kFirst + other, 1, 255);
  }
  IndexedCells::destroy(&cells);
}

TEST(IndexedCells, AreAlikeOnlyIfAllHaveTheSameIndex) {
  [&]<std::size_t... kLess>(std::index_sequence<kLess...>) {
    (expect_alike_only_if_all_are<kLess + 1>(), ...);
  }
  (std::make_index_sequence<32>());
}

} // namespace
