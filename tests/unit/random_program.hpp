// Generates random programs for the log reader, and the events that a run of one logs: calls of
// every kind, returns, markers and jumps, as a compiler might produce them, with occasional
// irregularities.
//
// Each routine has a few fixed bodies, and most of its calls execute the body that the depth of the
// stack selects, so that much is repeated. Some things are random each time: another body, more
// work, a longjmp, an event that no compiler would cause.
#pragma once

#include "client_event.hpp"
#include "hosted_shadow.hpp"
#include "trace/event_log.hpp"
#include "trace/markers.hpp"

#include <map>
#include <random>
#include <vector>

struct ProgramShape {
  bool has_mistakes = false; // in its markers
  // Each happens once in this many cases; 0: never
  unsigned other_body = 16;
  unsigned other_work = 40;
  unsigned long_work = 5000; // too long for a step
  unsigned longjmp = 60;     // if the body contains one
  unsigned odd_event = 0;
};

class RandomProgram {
public:
  RandomProgram(u64 seed, const ProgramShape& shape);

  // Returns at least this many events.
  std::vector<ClientEvent> run(std::size_t events);

  static RoutineClass class_of(RoutineId routine);
  CallOrigin origin_of(GuestAddr call, RoutineId callee) const;

private:
  static constexpr u32 kRoutines = 9;
  static constexpr u32 kLibrary = 10; // a routine of a run-time library
  static constexpr u32 kCleanup = 11, kSystem = 12;
  static constexpr int kMostDepth = 7;
  static constexpr int kReturned = -1;
  static constexpr GuestAddr kWord = sizeof(GuestAddr);
  static constexpr GuestAddr kCallBytes = 5;
  static constexpr GuestAddr kLongjmp = 0x10; // address of its jump

  struct Action {
    enum class Kind { work, call, marker, loop, leaf_loop, jump, tail_call, longjmp, library } kind;
    enum class By { call, indirect, stub, spawn_call } by = By::call;
    u64 amount = 0; // of work or rounds
    u32 routine = 0;
    GuestAddr address = 0; // of its instruction
    u32 kind_and_site = 0;
    u32 of_stub = 0; // the stub's jump
    u64 since = 0;   // instructions since the marker that is logged with it
    std::vector<Action> inner{};
    u32 iteration = 0, end = 0; // kind and site of a loop's other markers
  };
  struct Body {
    std::vector<Action> actions;
    u32 return_site;
    u64 since; // as for an action
    GuestAddr frame_bytes;
  };
  struct Routine {
    std::vector<Body> bodies;
  };
  struct Frame {
    u32 routine;
    GuestAddr sp; // when it is not calling
  };

  u64 below(u64 limit) { return random_() % limit; }
  bool once_in(u64 n) { return n != 0 && below(n) == 0; }

  // Generation
  Body make_body(u32 routine, bool is_leaf);
  std::vector<Action> make_actions(u32 routine, int nesting);
  Action make_call(u32 routine, u32 callee);
  Action make_marker(u32 routine, u32 kind);
  void add_spawn(std::vector<Action>& actions, u32 routine);
  static u32 stub_jump(u32 callee);
  u32 some_callee();
  GuestAddr next_instruction(u32 routine);
  u64 line(u32 routine) { return routine % 4 == 0 ? 0 : routine * 8 + below(3) + 1; }

  // Execution. These return the depth that a longjmp goes to, or kReturned.
  int call(u32 routine, GuestAddr slot, GuestAddr return_address);
  int execute(const std::vector<Action>& actions);
  int execute(const Action& action);
  int execute_call(const Action& action);
  int execute_library(const Action& action);
  int longjmp();
  void add(ClientEvent::How how, u32 kind_and_site, GuestAddr sp, GuestAddr target = 0,
           GuestAddr address = 0);
  GuestAddr sp() const { return frames_.back().sp; }

  std::mt19937_64 random_;
  ProgramShape shape_;
  std::vector<Routine> routines_;
  u32 longjmp_;
  std::map<u32, GuestAddr> next_in_;
  std::map<GuestAddr, CallOrigin> origins_; // by the address of the call
  std::vector<Frame> frames_;
  std::vector<ClientEvent> events_;
  std::size_t most_ = 0;
  u64 time_ = 1000;
};
