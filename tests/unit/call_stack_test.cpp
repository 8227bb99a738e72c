// Tests of how calls, returns and tail calls are recognised by the stack pointer alone. The sink
// records the trace as text.
#include "hosted_shadow.hpp"
#include "trace/call_stack.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace {

class Written : public hosted::Sink {
public:
  void call(RoutineId routine, GuestAddr) override {
    trace += static_cast<char>('a' + index(routine));
  }
  void return_() override { trace += '.'; }
  void unwind() override { trace += '!'; }
  void leave_tail_call() override { trace += '^'; }

  std::string trace;
};

constexpr RoutineId f{5}, g{6}, h{7}; // f, g, h in the trace
constexpr GuestAddr kTop = 0x1000;
constexpr GuestAddr kWord = 0x77; // the value of every word of memory

class CallStackTest : public testing::Test {
protected:
  CallStackTest() {
    hosted::current_sink = &written;
    stack.begin(RoutineId{0}, kTop); // 'a'
  }
  ~CallStackTest() override { hosted::current_sink = &hosted::no_sink; }
  void jump_to_entry(RoutineId routine, GuestAddr sp) {
    stack.jump_to_entry(routine, sp, 0x41, [](GuestAddr) { return kWord; });
  }

  Written written;
  const std::string& trace = written.trace;
  CallStack stack;
};

TEST_F(CallStackTest, CallAndReturn) {
  stack.call(f, 0x900, 0x42);
  stack.call(g, 0x800, 0x43);
  EXPECT_TRUE(stack.return_to(0x43, 0x808));
  EXPECT_TRUE(stack.return_to(0x42, 0x908));
  EXPECT_EQ(trace, "afg..");
  EXPECT_EQ(stack.depth(), 1u);
}

TEST_F(CallStackTest, RecursionKeepsEveryActivation) {
  for (int i = 0; i < 5; i++)
    stack.call(f, 0x900 - 16 * static_cast<GuestAddr>(i), 0x42);
  for (int i = 4; i >= 0; i--)
    EXPECT_TRUE(stack.return_to(0x42, 0x908 - 16 * static_cast<GuestAddr>(i)));
  EXPECT_EQ(trace, "afffff.....");
}

TEST_F(CallStackTest, LongjmpEndsAllThatTheStackPointerPassed) {
  stack.call(f, 0x900, 0x42);
  stack.call(g, 0x800, 0x43);
  stack.call(h, 0x700, 0x44);
  stack.jump(0x8F0); // back into f
  EXPECT_EQ(trace, "afgh!.!.");
}

TEST_F(CallStackTest, LongjmpUnnoticedIsSeenAtTheNextCall) {
  stack.call(f, 0x900, 0x42);
  stack.call(g, 0x800, 0x43);
  stack.call(h, 0x800, 0x45); // g's slot again: g has ended
  EXPECT_EQ(trace, "afg.h");
}

TEST_F(CallStackTest, TailCallsReturnTogether) {
  stack.call(f, 0x900, 0x42);
  jump_to_entry(g, 0x900);
  jump_to_entry(h, 0x900);
  EXPECT_TRUE(stack.return_to(0x42, 0x908));
  EXPECT_EQ(trace, "afgh...");
}

TEST_F(CallStackTest, MutualTailRecursionNeedsNoMoreFramesThanRoutines) {
  stack.call(f, 0x900, 0x42);
  for (int i = 0; i < 1000; i++)
    jump_to_entry(i % 2 == 0 ? g : f, 0x900);
  EXPECT_LE(stack.depth(), 3u);
  EXPECT_TRUE(stack.return_to(0x42, 0x908));
  EXPECT_EQ(stack.depth(), 1u);
}

TEST_F(CallStackTest, TailCallOfAPieceReturnsForIt) {
  stack.call(f, 0x900, 0x42);
  jump_to_entry(g, 0x8F0); // by code that f has called without a frame
  EXPECT_TRUE(stack.return_to(kWord, 0x8F8));
  EXPECT_EQ(trace, "afg.");
  EXPECT_TRUE(stack.return_to(0x42, 0x908));
}

TEST_F(CallStackTest, LoopToTheFirstInstructionIsNoCall) {
  stack.call(f, 0x900, 0x42);
  jump_to_entry(f, 0x900);
  jump_to_entry(f, 0x8F0);
  EXPECT_EQ(trace, "af");
}

TEST_F(CallStackTest, StubIsNoRoutine) {
  stack.call_stub(0x900, 0x42);
  EXPECT_EQ(trace, "a");
  jump_to_entry(f, 0x900);
  EXPECT_TRUE(stack.return_to(0x42, 0x908));
  EXPECT_EQ(trace, "af.");
}

TEST_F(CallStackTest, ReturnUsedAsJumpEndsNothing) {
  stack.call(f, 0x900, 0x42);
  EXPECT_FALSE(stack.return_to(0x77, 0x8F0)); // popped an address that f had pushed
  EXPECT_EQ(trace, "af");
}

TEST_F(CallStackTest, ReturnToElsewhereEndsTheActivationAndSaysSo) {
  stack.call(f, 0x900, 0x42);
  EXPECT_FALSE(stack.return_to(0x77, 0x908));
  EXPECT_EQ(trace, "af!.");
}

TEST_F(CallStackTest, FramesWhoseReturnAddressesWereWrittenOverAreNotIntact) {
  stack.call(f, 0x900, 0x42);
  stack.call(g, 0x800, 0x43);
  stack.call(h, 0x700, 0x44);
  std::map<GuestAddr, GuestAddr> memory{{0x900, 0x42}, {0x800, 0x43}, {0x700, 0x44}};
  const auto word_at = [&memory](GuestAddr address) { return memory[address]; };
  EXPECT_EQ(stack.intact_depth(0x600, word_at), 4u);
  memory[0x700] = 1;
  EXPECT_EQ(stack.intact_depth(0x600, word_at), 3u);
  EXPECT_EQ(stack.intact_depth(0x780, word_at), 4u); // the call is below the stack pointer
  memory[0x800] = 1;
  EXPECT_EQ(stack.intact_depth(0x600, word_at), 2u);
  memory[0x900] = 1; // the memory belongs to another stack
  EXPECT_EQ(stack.intact_depth(0x600, word_at), 0u);
}

TEST_F(CallStackTest, WhatGoesOnAfterTheRootIsOutermostOnlyIfNoCallEnteredTheRoot) {
  EXPECT_FALSE(stack.has_root_ended());
  EXPECT_FALSE(stack.return_to(0x99, kTop + 8)); // the root's caller is unknown
  EXPECT_TRUE(stack.has_root_ended());
  stack.call(f, 0x900, 0x42);
  EXPECT_TRUE(stack.return_to(0x42, 0x908));
  EXPECT_FALSE(stack.has_root_ended());
  stack.begin(g, kTop);
  stack.jump(kTop + 8);
  stack.forget();
  EXPECT_FALSE(stack.has_root_ended());
}

} // namespace
