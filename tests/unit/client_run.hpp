// Runs a client that logs the events of a test, in batches or one by one, and collects everything
// that the shadow measures.
#pragma once

#include "client_event.hpp"
#include "hosted_shadow.hpp"
#include "trace/routines.hpp"
#include "trace/stacks.hpp"
#include "work_span/log/log_reader.hpp"
#include "work_span/runtimes/routine_class_table.hpp"
#include "work_span/shadow.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

using Events = std::vector<ClientEvent>;
using Cuts = std::vector<bool>; // before which events translated code is left

struct SiteNumbers {
  u64 spawned;
  Measures on_work;
  Measures on_span;
  bool operator==(const SiteNumbers&) const = default;
};

// Everything that a run measures.
struct Numbers {
  WorkSpan::Totals totals;
  std::map<std::tuple<u32, GuestAddr, u32>, SiteNumbers> sites; // by caller, call and callee
  CilkMistakes mistakes;
  u64 overhead;
  std::size_t depth; // of the call stack
};

// A failure shows the differences line by line.
testing::AssertionResult equal(const std::vector<Numbers>& actual,
                               const std::vector<Numbers>& expected);

// What was read, so that a test can check that it tests something.
struct Reading {
  u64 events = 0;
  u64 in_batches = 0; // of these events
  u64 repeated = 0;   // invocations and iterations that were known
  u64 waits = 0;      // batches of which a part had to wait for later events
  u64 forgets = 0;    // how often known invocations were dropped for lack of room

  Reading& operator+=(const Reading& other) {
    events += other.events;
    in_batches += other.in_batches;
    repeated += other.repeated;
    waits += other.waits;
    forgets += other.forgets;
    return *this;
  }
};

// A client with one thread, its log and the shadow.
class ClientRun : public hosted::Sink {
public:
  static void start_log(); // call before there are log sites
  ClientRun(bool in_batches, bool by_instruction);
  ~ClientRun() override;

  void execute(const Events& events, const Cuts& cuts);
  std::vector<Numbers> finish(); // the results that were requested so far, and the final ones
  const Reading& reading() const { return reading_; }

  void call(RoutineId routine, GuestAddr site) override { shadow::call(routine, site); }
  void return_() override { shadow::return_(); }
  void unwind() override { shadow::unwind(); }
  void leave_tail_call() override { shadow::leave_tail_call(); }
  void marker(u32 kind, u64 location, u32 since) override { shadow::marker(kind, location, since); }
  void suspend() override { shadow::suspend(); }
  void resume() override { shadow::resume(); }
  event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                              const event_log::Event* end, bool more_come) override;

private:
  void execute(const ClientEvent& event);
  void account_all();
  Numbers numbers(const WorkSpan::Results& results) const;

  bool in_batches_;
  RoutineTable routine_table_{Clones::apart};
  RoutineClassTable classes_;
  Stack stack_;
  std::unique_ptr<shadow::LogMemory> memory_;
  std::unique_ptr<shadow::Thread> thread_;
  std::vector<Numbers> so_far_;
  Reading reading_;
};
