// Suspended stacks are found by the stack pointer, and end when their memory is used by another
// stack.
#include "trace/stacks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

namespace {

class SuspendedStacksTest : public testing::Test {
protected:
  Stack* stack(GuestAddr highest) {
    all.push_back(std::make_unique<Stack>());
    all.back()->highest = highest;
    return all.back().get();
  }
  void leave(Stack* left, GuestAddr sp, ThreadIndex by = ThreadIndex{1}) {
    suspended.leave(*left, sp, by, [this](Stack* stack) { over.push_back(stack); });
  }

  std::vector<std::unique_ptr<Stack>> all;
  SuspendedStacks suspended;
  std::vector<Stack*> over;
};

TEST_F(SuspendedStacksTest, FoundWhereTheyWereLeft) {
  Stack* a = stack(0x4000);
  Stack* b = stack(0x8000);
  Stack* c = stack(0xC000);
  leave(b, 0x7000);
  leave(c, 0xB000);
  leave(a, 0x3000);
  EXPECT_EQ(suspended.take(0x5000), nullptr); // between two of them
  EXPECT_EQ(suspended.take(0x7000), b);
  EXPECT_EQ(suspended.take(0x7000), nullptr); // it is running now
  EXPECT_EQ(suspended.take(0xC000), c);
  EXPECT_EQ(suspended.take(0x3000 - 64), a); // after a push that was not seen
  EXPECT_TRUE(over.empty());
}

TEST_F(SuspendedStacksTest, OverWhenAnotherGrowsIntoThem) {
  Stack* a = stack(0x4000);
  Stack* reused = stack(0x5000);
  leave(a, 0x3800);
  leave(reused, 0x3900);
  EXPECT_EQ(over, std::vector{a});
  EXPECT_EQ(suspended.take(0x3900), reused);
}

TEST_F(SuspendedStacksTest, OverWhenUnmapped) {
  Stack* a = stack(0x4000);
  Stack* b = stack(0x8000);
  leave(a, 0x3800);
  leave(b, 0x7800);
  suspended.unmapped(0x3000, 0x4000, [this](Stack* stack) { over.push_back(stack); });
  EXPECT_EQ(over, std::vector{a});
  EXPECT_EQ(suspended.take(0x7800), b);
}

TEST_F(SuspendedStacksTest, BoundedByEndingTheOneLeftLongestAgo) {
  std::vector<Stack*> some;
  for (GuestAddr i = 1; i <= SuspendedStacks::kMost + 2; i++)
    leave(some.emplace_back(stack(0x10000 * (2000 - i))), 0x10000 * (2000 - i) - 0x100);
  EXPECT_EQ(suspended.size(), SuspendedStacks::kMost);
  EXPECT_EQ(over, (std::vector{some[0], some[1]}));
}

TEST_F(SuspendedStacksTest, FoundInACopyOfTheirMemory) {
  Stack* a = stack(0x4000);
  a->calls.call(RoutineId{1}, 0x3FF0, 0x42);
  a->calls.call(RoutineId{2}, 0x3F00, 0x43);
  a->calls.call(RoutineId{3}, 0x3EF0, 0x44); // the code that copies the stack; not in the copy
  leave(a, 0x3E00);
  // The return address of the second call is at the stack pointer, that of the first above it.
  const std::map<GuestAddr, GuestAddr> copy{{0x9F00, 0x43}, {0x9FF0, 0x42}};
  const auto word_at = [&copy](GuestAddr address) {
    const auto word = copy.find(address);
    return word == copy.end() ? 0 : word->second;
  };
  EXPECT_EQ(suspended.take_moved(0x9F08, ThreadIndex{1}, word_at), nullptr);
  EXPECT_EQ(suspended.take_moved(0x9F00, ThreadIndex{1}, [](GuestAddr) { return GuestAddr{0x43}; }),
            nullptr);
  EXPECT_EQ(suspended.take_moved(0x9F00, ThreadIndex{1}, word_at), a);
  EXPECT_EQ(a->calls[0].slot, 0x9FF0u);
  EXPECT_EQ(a->calls[2].slot, 0x9EF0u);
  EXPECT_EQ(suspended.size(), 0u);
}

TEST_F(SuspendedStacksTest, OfEqualOnesTheCopyIsOfTheOneThatItsThreadLeftLast) {
  std::vector<Stack*> equal;
  for (GuestAddr i = 0; i < 3; i++) {
    equal.push_back(stack(0x4000 + 0x1000 * i));
    equal[i]->calls.call(RoutineId{1}, equal[i]->highest - 16, 0x42);
    leave(equal[i], equal[i]->highest - 32, ThreadIndex{i == 2 ? 2u : 1u});
  }
  const auto word_at = [](GuestAddr) { return GuestAddr{0x42}; };
  EXPECT_EQ(suspended.take_moved(0x9000, ThreadIndex{1}, word_at), equal[1]);
  EXPECT_EQ(suspended.take_moved(0x9000, ThreadIndex{1}, word_at), equal[0]);
  EXPECT_EQ(suspended.take_moved(0x9000, ThreadIndex{1}, word_at), equal[2]);
}

} // namespace
