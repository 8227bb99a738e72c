// Known invocations are found by their steps, and only by these.
#include "work_span/log/known_invocations.hpp"

#include "work_span/log/open_invocations.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace {

using shadow::Backoff;
using shadow::KnownInvocation;
using shadow::KnownInvocations;
using Steps = std::vector<u64>;

// Few hash values for many keys, so that they collide.
u64 hash_of(const Steps& steps, u64 hashes) {
  u64 hash = 0;
  for (const u64 word : steps)
    hash = KnownInvocations::hash(hash, word);
  return KnownInvocations::mixed(hash) % hashes << 16;
}

const KnownInvocation* add(KnownInvocations& known_invocations, const Steps& steps, u64 hash) {
  KnownInvocation& known = known_invocations.next();
  for (const u64 word : steps)
    known.steps.push_back(word);
  return known_invocations.keep(hash);
}

TEST(KnownInvocations, DoWhatAMapDoes) {
  std::mt19937_64 random(1);
  for (const u64 hashes : {1u, 7u, 1u << 20}) {
    KnownInvocations known_invocations;
    std::map<Steps, const KnownInvocation*> expected;
    for (int i = 0; i < 20000; i++) {
      Steps steps(1 + random() % 4);
      for (u64& word : steps)
        word = random() % 5 << random() % 2 * 40; // differ in either half
      const u64 hash = hash_of(steps, hashes);
      const auto known = expected.find(steps);
      EXPECT_EQ(known_invocations.find(steps.data(), steps.size(), hash),
                known == expected.end() ? nullptr : known->second);
      if (known == expected.end() && !known_invocations.is_full())
        expected[steps] = add(known_invocations, steps, hash);
      if (known_invocations.is_full() && random() % 100 == 0) {
        known_invocations.forget();
        expected.clear();
      }
    }
    EXPECT_GT(expected.size(), 100u);
  }
}

TEST(KnownInvocations, OfWhatCameBeforeOnly) {
  KnownInvocations known_invocations;
  EXPECT_FALSE(known_invocations.remember(1u << 16));
  EXPECT_FALSE(known_invocations.remember(2u << 16));
  EXPECT_TRUE(known_invocations.remember(1u << 16));
}

// The hash decides which invocations count as seen before, and therefore what is shared in the dag.
TEST(KnownInvocations, HashesDoNotDependOnAddresses) {
  KnownInvocations one;
  KnownInvocations other; // its invocations have other addresses
  const auto memory = std::make_unique<shadow::OpenInvocations::Memory>();
  shadow::OpenInvocations open(*memory);
  for (KnownInvocations* known_invocations : {&one, &other}) {
    open.push(8, event_log::Event{}, RoutineId{1}, 0, 0, 0);
    open.add_callee(*add(*known_invocations, {1}, 1 << 16));
    open.add_callee(*add(*known_invocations, {2}, 2 << 16));
  }
  EXPECT_EQ(open.top().hash, open.beneath().hash);
  EXPECT_NE(open.top().hash, open.top().opening);
}

TEST(Backoff, ComesWhereNothingIsFoundAndEnds) {
  Backoff backoff;
  constexpr u32 found = 1;
  constexpr u32 missed = 2;
  int rests = 0;
  for (int i = 0; i < 5000; i++) {
    EXPECT_TRUE(backoff.allows(found));
    backoff.count(found, i % 2 == 0);
    if (backoff.allows(missed))
      backoff.count(missed, false);
    else
      rests++;
  }
  EXPECT_GT(rests, 4000);
  EXPECT_LT(rests, 4990);
}

} // namespace
