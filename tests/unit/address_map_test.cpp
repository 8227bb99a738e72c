// Tables by address against the standard library's.

#include "base/address_map.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace {

// Keys with one of four homes: most probes collide, and some wrap around the table's end.
u64 colliding_key(std::mt19937& random) {
  return u64{random() % 4 * 73} << 20 | u64{random() % 75} << 44;
}

TEST(AddressMap, InsertsFindsAndRemovesAsAMapDoes) {
  std::mt19937 random{1};
  AddressMap<u32> map("test");
  std::unordered_map<u64, u32> expected;
  for (u32 step = 0; step < 200'000; step++) {
    const u64 key = colliding_key(random);
    if (random() % 2 == 0) {
      map.at(key) = step;
      expected[key] = step;
    } else {
      map.remove(key);
      expected.erase(key);
    }
    ASSERT_EQ(map.size(), expected.size());
    const u64 other = colliding_key(random);
    const u32* const found = map.find(other);
    const auto known = expected.find(other);
    ASSERT_EQ(found != nullptr, known != expected.end());
    if (found != nullptr) {
      ASSERT_EQ(*found, known->second);
    }
  }
}

} // namespace
