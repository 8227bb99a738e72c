// The latest entries are there; what is replaced is told, and used again.
#include "base/associative_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

struct Entry {
  u64 key = 0;
  unsigned uses = 0;
};

class AssociativeCacheTest : public testing::Test {
protected:
  // Returns how often the key was used before, as far as is known.
  unsigned use(u64 key) {
    Entry& entry = cache_.at(key, [&](Entry& other) {
      EXPECT_EQ(other.uses, uses_[other.key]);
      uses_[other.key] = 0;
      other = {};
      replaced_++;
    });
    if (entry.uses == 0)
      entry.key = key;
    EXPECT_EQ(entry.key, key);
    EXPECT_EQ(entry.uses, uses_[key]);
    uses_[key]++;
    return entry.uses++;
  }

  std::map<u64, unsigned> uses_; // since it was last replaced
  unsigned replaced_ = 0;
  AssociativeCache<Entry> cache_{"test"};
};

// Keys with small hashes are all of the first set.
u64 of_first_set(u64 hash) {
  constexpr u64 kFactor = 0x9E3779B97F4A7C15u;
  u64 inverse = kFactor;
  for (int i = 0; i < 5; i++)
    inverse *= 2 - kFactor * inverse;
  return hash * inverse;
}

TEST_F(AssociativeCacheTest, ASetHasFour) {
  for (unsigned round = 0; round < 3; round++)
    for (u64 i = 0; i < 4; i++)
      EXPECT_EQ(use(of_first_set(i)), round);
  EXPECT_EQ(replaced_, 0u);
}

TEST_F(AssociativeCacheTest, WhatWasUsedEarliestIsReplaced) {
  std::mt19937 random(1);
  std::vector<u64> latest{0, 1, 2, 3}; // at the end
  for (const u64 i : latest)
    use(of_first_set(i));
  for (int round = 0; round < 10'000; round++) {
    const u64 i = random() % 8;
    const auto known = std::find(latest.begin(), latest.end(), i);
    EXPECT_EQ(use(of_first_set(i)) > 0, known != latest.end());
    latest.erase(known != latest.end() ? known : latest.begin());
    latest.push_back(i);
  }
  EXPECT_GT(replaced_, 1000u);
}

TEST_F(AssociativeCacheTest, EntriesAreTheLatest) {
  std::mt19937 random(2);
  for (int i = 0; i < 50'000; i++)
    use(random() % 6000);
  std::set<u64> keys;
  cache_.for_each([&](Entry& entry) {
    EXPECT_EQ(entry.uses, uses_[entry.key]);
    keys.insert(entry.key);
  });
  EXPECT_GT(keys.size(), 4000u); // of 4096
  EXPECT_LE(keys.size(), 4096u);
}

} // namespace
