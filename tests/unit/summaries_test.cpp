// Summaries are found by their keys, and by nothing else.
#include "work_span/engine/summaries.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace {

using Key = std::vector<u64>;

// Few hashes for many keys, so that they share places.
u64 hash_of(const Key& key, u64 hashes) {
  u64 hash = 0;
  for (const u64 word : key)
    hash = Summaries::hash(hash, word);
  return Summaries::mixed(hash) % hashes << 16;
}

const Summary* add(Summaries& summaries, const Key& key, u64 hash) {
  Summary& summary = summaries.empty();
  for (const u64 word : key)
    summary.key.push_back(word);
  return summaries.keep(hash);
}

TEST(Summaries, DoWhatAMapDoes) {
  std::mt19937_64 random(1);
  for (const u64 hashes : {1u, 7u, 1u << 20}) {
    Summaries summaries;
    std::map<Key, const Summary*> expected;
    for (int i = 0; i < 20000; i++) {
      Key key(1 + random() % 4);
      for (u64& word : key)
        word = random() % 5 << random() % 2 * 40; // differ in either half
      const u64 hash = hash_of(key, hashes);
      const auto known = expected.find(key);
      EXPECT_EQ(summaries.find(key.data(), key.size(), hash),
                known == expected.end() ? nullptr : known->second);
      if (known == expected.end() && !summaries.is_full())
        expected[key] = add(summaries, key, hash);
      if (summaries.is_full() && random() % 100 == 0) {
        summaries.forget();
        expected.clear();
      }
    }
    EXPECT_GT(expected.size(), 100u);
  }
}

TEST(Summaries, OfWhatCameBeforeOnly) {
  Summaries summaries;
  EXPECT_FALSE(summaries.is_second(1u << 16));
  EXPECT_FALSE(summaries.is_second(2u << 16));
  EXPECT_TRUE(summaries.is_second(1u << 16));
}

TEST(Patience, EndsWhereNothingIsFoundAndComesBack) {
  Patience patience;
  constexpr u32 found = 1;
  constexpr u32 missed = 2;
  int rests = 0;
  for (int i = 0; i < 5000; i++) {
    EXPECT_TRUE(patience.with(found));
    patience.count(found, i % 2 == 0);
    if (patience.with(missed))
      patience.count(missed, false);
    else
      rests++;
  }
  EXPECT_GT(rests, 4000);
  EXPECT_LT(rests, 4990);
}

} // namespace
