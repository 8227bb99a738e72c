// Reading a log in batches gives the same results as delivering its events one by one, whatever the
// program does and wherever the log is cut.
#include "client_run.hpp"
#include "random_program.hpp"
#include "trace/event_log.hpp"
#include "trace/markers.hpp"

namespace {

using event_log::Kind;

class LogReader : public testing::Test {
protected:
  LogReader() {
    ClientRun::start_log();
    hosted::program = {[](RoutineId) { return RoutineClass::program; },
                       [](GuestAddr, RoutineId) { return CallOrigin{.location = kLine}; }};
  }
  ~LogReader() override { hosted::program = {}; }

  std::vector<Numbers> run(const Events& events, bool in_batches, bool by_instruction,
                           const Cuts& cuts = {}) {
    ClientRun run(in_batches, by_instruction);
    run.execute(events, cuts);
    std::vector<Numbers> numbers = run.finish();
    if (in_batches)
      reading_ += run.reading();
    return numbers;
  }
  // Compares delivery one by one with batches for each of the cuts.
  void expect_alike(const Events& events, bool by_instruction, const std::vector<Cuts>& cuts) {
    const std::vector<Numbers> expected = run(events, false, by_instruction);
    for (const Cuts& each : cuts)
      ASSERT_TRUE(equal(run(events, true, by_instruction, each), expected));
  }

  // Logs written by hand: main calls f, which begins at kSlot, three times.
  static constexpr u64 kLine = 7;
  static constexpr u32 f = 2, g = 3, h = 4;
  static constexpr GuestAddr kSlot = hosted::kStackTop - 64, kInF = kSlot - 64;
  static constexpr GuestAddr kWord = sizeof(GuestAddr);

  void add(const event_log::LogSite& site, GuestAddr sp, GuestAddr target = 0) {
    time_ += 10;
    events_.push_back(
        {ClientEvent::How::logged, event_log::kind_and_site(site), sp, time_, target});
  }
  void add_call(u32 from, u32 to, GuestAddr slot, u64 marker = 0) {
    const Kind kind = marker == 0 ? Kind::call : Kind::spawn_call;
    add({.kind = kind,
         .routine = RoutineId{to},
         .address = return_address(from, to),
         .marker = marker,
         .location = marker == 0 ? 0 : kLine},
        slot);
  }
  void add_return(u32 from, u32 of, GuestAddr slot) {
    add({.kind = Kind::return_, .address = hosted::entry_of(of) + 0x100}, slot + kWord,
        return_address(from, of));
  }
  void add_marker(Marker marker) {
    add({.kind = Kind::marker,
         .address = hosted::entry_of(f) + 0x200,
         .marker = static_cast<u32>(marker),
         .location = kLine},
        kInF);
  }
  static GuestAddr return_address(u32 from, u32 to) { return hosted::entry_of(from) + 0x10 * to; }

  Events events_;
  u64 time_ = 0;
  Reading reading_;
};

// The first of them has begun in the previous batch.
TEST_F(LogReader, CountsTheSyncThatEndsAChainOfTailCallsOnce) {
  Cuts cuts;
  for (int i = 0; i < 3; i++) {
    add_call(hosted::kMain, f, kSlot);
    for (const u32 to : {g, h})
      add({.kind = Kind::jump_to_entry,
           .routine = RoutineId{to},
           .address = hosted::entry_of(to - 1) + 8},
          kSlot);
    add({.kind = Kind::sync_return,
         .address = hosted::entry_of(h) + 8,
         .marker = static_cast<u32>(Marker::sync)},
        kSlot + kWord, return_address(hosted::kMain, f));
    cuts.insert(cuts.end(), {false, true, false, false});
  }
  expect_alike(events_, false, {cuts});
  EXPECT_EQ(run(events_, true, false, cuts).back().totals.syncs, 3u);
}

TEST_F(LogReader, TellsApartRepeatedLeavesOfASpawnAfterAMarkerInIt) {
  for (int i = 0; i < 3; i++) {
    add_call(hosted::kMain, f, kSlot);
    add_marker(Marker::spawn_begin);
    add_marker(Marker::sync);
    for (int leaf = 0; leaf < 3; leaf++) {
      add_call(f, g, kInF - kWord);
      add_return(f, g, kInF - kWord);
    }
    add_marker(Marker::spawn_end);
    add_return(hosted::kMain, f, kSlot);
  }
  expect_alike(events_, false, {{}});
  EXPECT_EQ(run(events_, true, false).back().totals.spawns, 3u);
}

// Times are in instructions.
TEST_F(LogReader, WhatFollowsAMarkerIsNoPartOfTheSpawnBeforeIt) {
  const u64 spawn = kind_and_since(static_cast<u32>(Marker::spawn), 4);
  for (int i = 0; i < 3; i++) {
    add_call(hosted::kMain, f, kSlot);
    add_marker(Marker::spawn_begin);
    add_call(f, g, kInF - kWord);
    add_return(f, g, kInF - kWord);
    add_call(f, g, kInF - kWord, spawn);
    add_return(f, g, kInF - kWord);
    add_marker(Marker::spawn_end);
    add_return(hosted::kMain, f, kSlot);
  }
  expect_alike(events_, true, {{}});
}

// Sets the properties of a random program.
void set(const RandomProgram& program) {
  hosted::program = {RandomProgram::class_of, [&program](GuestAddr call, RoutineId callee) {
                       return program.origin_of(call, callee);
                     }};
}

// Every kind of program: well-formed ones, ones with senseless markers, and ones with events that
// no compiler would cause.
ProgramShape shape_of(u64 seed) {
  return {.has_mistakes = seed % 4 == 1, .odd_event = seed % 4 == 2 ? 200u : 0u};
}

TEST_F(LogReader, AgreesWithEventByEvent) {
  for (u64 seed = 0; seed < 60; seed++) {
    SCOPED_TRACE(seed);
    RandomProgram program(seed, shape_of(seed));
    set(program);
    const Events events = program.run(20000);
    std::mt19937_64 random(seed);
    Cuts cuts(events.size());
    const u64 apart = u64{1} << random() % 11;
    for (std::size_t i = 0; i < cuts.size(); i += 1 + random() % (2 * apart))
      cuts[i] = true;
    expect_alike(events, seed % 2 == 0, {{}, cuts});
    if (HasFailure())
      return;
  }
  EXPECT_GT(reading_.in_batches, reading_.events / 4 * 3);
  EXPECT_GT(reading_.repeated, 50000u);
  EXPECT_GT(reading_.waits, 20u);
}

// Small programs, whose bodies are executed often enough to become known.
TEST_F(LogReader, LogsMayBeCutEverywhere) {
  for (u64 seed = 0; seed < 12; seed++) {
    SCOPED_TRACE(seed);
    RandomProgram program(seed, shape_of(seed));
    set(program);
    const Events events = program.run(300);
    std::vector<Cuts> cuts;
    for (std::size_t i = 0; i < events.size(); i++) {
      cuts.push_back(Cuts(i + 1));
      cuts.back()[i] = true;
    }
    expect_alike(events, seed % 2 == 0, cuts);
    if (HasFailure())
      return;
  }
  EXPECT_GT(reading_.repeated, 10000u);
}

TEST_F(LogReader, ForgetsWhenThereIsNoRoom) {
  RandomProgram program(5, {.other_work = 3});
  set(program);
  expect_alike(program.run(400000), true, {{}});
  EXPECT_GT(reading_.forgets, 0u);
}

} // namespace
