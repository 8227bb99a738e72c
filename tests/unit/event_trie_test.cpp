// Invocations are recognised by all of their events, and only by these.
#include "work_span/log/event_trie.hpp"
#include "work_span/log/known_invocations.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace {

using event_log::Event;
using event_log::Kind;
using shadow::EventTrie;
using shadow::KnownInvocation;
using Events = std::vector<Event>;

constexpr GuestAddr kSp = 0x1FFE000000;

Event event_of(Kind kind, u32 point, i64 sp, u64 time, GuestAddr target = 0) {
  return {Event::what_of(point << Event::kKindBits | static_cast<u32>(kind), RoutineId{}),
          kSp + static_cast<u64>(sp), time, target};
}

// A call, the events of some callees, and the return.
Events invocation(std::mt19937_64& random) {
  Events events{event_of(Kind::call, 1, 0, 100)};
  u64 time = 100;
  for (u64 i = random() % 4; i > 0;
       i--) { // one number at a time: the order of evaluation of arguments is unspecified
    time += 1 + random() % 2;
    const u32 point = 2 + random() % 2;
    events.push_back(event_of(Kind::call, point, -32, time));
    const GuestAddr target = 7 * (random() % 2); // may be 0
    time += 1 + random() % 2;
    events.push_back(event_of(Kind::return_, 4, -24, time, target));
  }
  if (random() % 4 == 0)
    events.push_back(event_of(Kind::marker, 5, -16, time));
  events.push_back(event_of(random() % 2 == 0 ? Kind::return_ : Kind::sync_return, 6, 8, time, 9));
  return events;
}

// The same events at another place and time, with following events. Kinds without a target get any
// target.
Events again(const Events& events, std::mt19937_64& random) {
  Events moved = events;
  const u64 down = random() % 1000 * 16;
  const u64 later = random() >> 8;
  for (Event& event : moved) {
    event.sp -= down;
    event.time += later;
    if (!event.is_return())
      event.target = random();
  }
  moved.push_back(event_of(Kind::marker, 8, 0, later));
  return moved;
}

std::vector<u64> key_of(const Events& events) {
  std::vector<u64> key;
  for (const Event& event : events)
    key.insert(key.end(), {event.what, event.sp, event.time, event.target});
  return key;
}

TEST(EventTrie, KnowsWhatWasAdded) {
  std::mt19937_64 random(1);
  auto trie = std::make_unique<EventTrie>();
  KnownInvocation invocations[8];
  std::map<std::pair<u64, std::vector<u64>>, const KnownInvocation*> added;
  u64 found = 0;
  for (int i = 0; i < 20000; i++) {
    const Events events = invocation(random);
    const u64 which = random() % std::size(invocations);
    const KnownInvocation& invocation = invocations[which];
    const u64 opening = which * 3;
    const Events moved = again(events, random);
    const Event* event = moved.data();
    const KnownInvocation* known = trie->find(opening, event, moved.data() + moved.size());
    const auto expected = added.find({opening, key_of(events)});
    if (known != nullptr) { // it may forget, but must not be wrong
      ASSERT_NE(expected, added.end());
      EXPECT_EQ(known, expected->second);
      EXPECT_EQ(event, moved.data() + events.size());
      found++;
    } else if (random() % 4 == 0) {
      trie->add(opening, moved.data(), moved.data() + events.size(), invocation);
      added[{opening, key_of(events)}] = &invocation;
      event = moved.data();
      EXPECT_EQ(trie->find(opening, event, moved.data() + moved.size()), &invocation);
    }
    if (i % 5000 == 4999) {
      trie->forget();
      added.clear();
    }
  }
  EXPECT_GT(found, 5000u);
}

TEST(EventTrie, KnowsTheLaterOfTwoWhoseRootsCollide) {
  const Events events = {event_of(Kind::call, 1, 0, 100), event_of(Kind::return_, 6, 8, 106, 9)};
  const Event* const end = events.data() + events.size();
  auto trie = std::make_unique<EventTrie>();
  KnownInvocation invocations[2];
  const auto find = [&](u64 opening) {
    const Event* event = events.data();
    return trie->find(opening, event, end);
  };
  trie->add(1, events.data(), end, invocations[0]);
  EXPECT_EQ(find(1), &invocations[0]);
  trie->add(257, events.data(), end, invocations[1]);
  EXPECT_EQ(find(257), &invocations[1]);
  EXPECT_EQ(find(1), nullptr);
}

TEST(EventTrie, ThatThereMayBeMore) {
  std::mt19937_64 random(1);
  const Events events = {event_of(Kind::call, 1, 0, 100), event_of(Kind::call, 2, -32, 103),
                         event_of(Kind::return_, 4, -24, 105, 7),
                         event_of(Kind::return_, 6, 8, 106, 9)};
  auto trie = std::make_unique<EventTrie>();
  KnownInvocation invocation;
  trie->add(1, events.data(), events.data() + events.size(), invocation);
  const Events moved = again(events, random);
  for (std::size_t size = 1; size < events.size(); size++) {
    const Event* event = moved.data();
    EXPECT_EQ(trie->find(1, event, moved.data() + size), nullptr);
    EXPECT_EQ(event, moved.data() + size); // known up to here
  }
  const Event* event = moved.data();
  EXPECT_EQ(trie->find(2, event, moved.data() + 1), nullptr);
  EXPECT_EQ(event, moved.data());
}

TEST(EventTrie, NotOfWhatDependsOnMore) {
  auto trie = std::make_unique<EventTrie>();
  KnownInvocation invocation;
  const auto adds = [&](const Events& events) {
    trie->add(1, events.data(), events.data() + events.size(), invocation);
    const Event* event = events.data();
    const bool known = trie->find(1, event, events.data() + events.size()) != nullptr;
    trie->forget();
    return known;
  };
  const Event call = event_of(Kind::call, 1, 0, 100);
  EXPECT_TRUE(adds({call, event_of(Kind::return_, 6, 8, 106, 9)}));
  EXPECT_FALSE(adds(
      {call, event_of(Kind::jump_within, 2, -8, 101, 7), event_of(Kind::return_, 6, 8, 106, 9)}));
  // The time and the stack offset do not fit.
  EXPECT_FALSE(adds({call, event_of(Kind::return_, 6, 8, 100 + (u64{1} << 32), 9)}));
  EXPECT_FALSE(adds({call, event_of(Kind::call, 2, -(i64{1} << 32), 102),
                     event_of(Kind::return_, 6, 8, 106, 9)}));
  Events many(EventTrie::kMostEvents, event_of(Kind::marker, 2, -8, 101));
  many.front() = call;
  many.back() = event_of(Kind::return_, 6, 8, 106, 9);
  EXPECT_TRUE(adds(many));
  many.insert(many.end() - 1, many[1]);
  EXPECT_FALSE(adds(many));
}

} // namespace
