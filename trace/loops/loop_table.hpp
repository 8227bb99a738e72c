// The loops of the routines that the program has executed.
//
// A routine's code is looked through when it is first executed (event_find_loops), before anything
// else of it is translated, and again where a computed jump leads to code that was not known. What
// translated code has to do at an instruction follows from that (`leader`).
//
// Owns the loops. Cost: that of the flow graph, once; graphs are kept of routines with computed
// jumps.
#pragma once

#include "base/address_map.hpp"
#include "trace/loops/flow_graph.hpp"
#include "trace/loops/loop.hpp"
#include "trace/loops/loop_nest.hpp"
#include "trace/routines.hpp"

#include <optional>

class LoopTable {
public:
  explicit LoopTable(bool with_returns = false) : with_returns_(with_returns) {}

  // The first instruction of a block of a flow graph.
  struct Leader {
    Loop* innermost = nullptr; // the loop that it is in
    RoutineId routine{};
    bool is_header = false; // of that
    bool is_leaf = false;   // that is
    bool counts = false;    // an iteration of that has begun for good: its condition holds
    bool may_leave = false; // a loop that it is not in may be running until here
    // It tests the condition of its loop, whose body may be executed never.
    bool is_condition = false;
    bool counts_outer = false; // what comes there from the loop around its loop iterates that
    // Calls return there, of an instruction in that loop; null: in none. Told if that is wanted.
    bool is_returned_to = false;
    Loop* calls_in = nullptr;
    bool calls_in_condition = false; // of that loop
    // Whether control may have come from elsewhere, if that is logged (logged_loops.hpp).
    bool asks() const { return is_header || counts || counts_outer || may_leave || is_returned_to; }
    bool operator==(const Leader&) const = default;
  };

  // Whether the code at `block`, where a translation begins, has been looked through.
  bool has(GuestAddr block) { return leader_at_.find(block) != nullptr; }
  // Null: what runs there does not change. Valid until the next find().
  const Leader* leader(GuestAddr instruction) {
    const u32* const found = leader_at_.find(instruction);
    return found == nullptr || *found == kNothingToDo ? nullptr : &leaders_[*found];
  }

  // How control came to a block.
  struct Entry {
    GuestAddr block;
    enum { unknown, jump, unwinding } how;
    GuestAddr from; // the jump, or where the call that was left was to return to
  };
  // Looks through the code of `routine` from there on.
  void find(RoutineId routine, const Entry& entry);
  // The loop that the block is in; null: none, or it has not been looked through.
  Loop* innermost(RoutineId routine, GuestAddr block) const;
  // An instruction at which translated code does not do what it should since a find(), each once;
  // none: no more.
  std::optional<GuestAddr> take_stale() {
    if (stale_.empty())
      return std::nullopt;
    const GuestAddr instruction = stale_.back();
    stale_.pop_back();
    return instruction;
  }

  const Vector<Loop*>& all() const { return loops_; }

private:
  struct Code {                    // of a routine
    std::optional<GuestAddr> root; // where it was entered first; none: it is not known yet
    FlowGraph* graph = nullptr;
    Vector<Loop*> loops{"trace.loops.routine"};
  };

  void update(RoutineId routine, Code& code);
  Vector<Loop*> update_loops(RoutineId routine, Code& code, const Vector<FlowEdge>& edges,
                             const LoopNest& nest);
  void replace_leaders(const FlowGraph& graph, const Vector<Leader>& leaders);
  Loop& loop_of(RoutineId routine, Code& code, GuestAddr header);

  bool with_returns_;                         // leaders tell where calls return
  Vector<Code> code_{"trace.loops.routines"}; // by RoutineId
  Vector<Loop*> loops_{"trace.loops"};
  // Most blocks are looked up for each of their instructions, and there is nothing to do at them.
  static constexpr u32 kNothingToDo = ~u32{0};
  AddressMap<u32> leader_at_{"trace.loops.leaders"}; // by address, where in `leaders_`
  Vector<Leader> leaders_{"trace.loops.leaders"};
  Vector<GuestAddr> stale_{"trace.loops.stale"};
};

extern LoopTable* loops; // null: not wanted
