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

class LoopTable {
public:
  // The first instruction of a block of a flow graph.
  struct Leader {
    Loop* innermost = nullptr; // the loop that it is in
    RoutineId routine{};
    bool is_header = false; // of that
    bool is_leaf = false;   // that is
    bool counts = false;    // an iteration of that has begun for good: its condition holds
    bool may_leave = false; // a loop that it is not in may be running until here
    bool operator==(const Leader&) const = default;
  };

  // Whether the code at `block`, where a translation begins, has been looked through.
  bool has(GuestAddr block) { return leaders_.find(block) != nullptr; }
  // Null: what runs there does not change.
  const Leader* leader(GuestAddr instruction) {
    const Leader* found = leaders_.find(instruction);
    return found == nullptr || !(found->is_header || found->counts || found->may_leave) ? nullptr
                                                                                        : found;
  }

  // Looks through the code of `routine` from `block` on, where it was entered by a jump from the
  // instruction `from`, or otherwise if that is 0. What is translated of the
  // range is not right any more.
  struct Range {
    GuestAddr begin;
    GuestAddr end;
  };
  Range find(RoutineId routine, GuestAddr block, GuestAddr from);

  const Vector<Loop*>& all() const { return loops_; }

private:
  struct Code {         // of a routine
    GuestAddr root = 0; // where it was entered first; 0: it is not known yet
    FlowGraph* graph = nullptr;
    Vector<Loop*> loops{"trace.loops.routine"};
  };

  Range update(RoutineId routine, Code& code);
  Vector<Loop*> update_loops(RoutineId routine, Code& code, const Vector<FlowEdge>& edges,
                             const LoopNest& nest);
  Range replace_leaders(const FlowGraph& graph, const Vector<Leader>& leaders);
  Loop& loop_of(RoutineId routine, Code& code, GuestAddr header);

  Vector<Code> code_{"trace.loops.routines"}; // by RoutineId
  Vector<Loop*> loops_{"trace.loops"};
  AddressMap<Leader> leaders_{"trace.loops.leaders"};
};

extern LoopTable* loops; // null: not wanted
