// A loop of the client's machine code: a cyclic part of a routine's flow graph, with its header,
// the block at which each iteration begins.
//
// The loops of a routine nest. A loop lives as long as the run: code of its routine that is found
// later may change it, but not remove it.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

enum class LoopId : u32 { none = 0 };
constexpr u32 index(LoopId id) { return static_cast<u32>(id); }

struct LoopSource;

struct Loop {
  LoopId id;
  RoutineId routine;
  u32 number;                   // within its routine, from 0
  GuestAddr header;             // address of its first instruction, in memory
  GuestAddr last = 0;           // the last instruction that jumps back to the header
  Loop* parent = nullptr;       // the innermost loop around it, in the same routine
  bool irreducible = false;     // control can enter it at blocks other than its header
  bool leaf = true;             // without inner loops and calls: its iterations are only counted
  bool has_calls = false;       // outside of inner loops
  bool logs_iterations = false; // each one, where loops are logged
  u64 iterations = 0;           // of all executions, if loops are logged
  const LoopSource* source = nullptr; // null: not looked up yet
  // The beginnings of its blocks, including those of inner loops.
  Vector<GuestAddr> blocks{"trace.loops.blocks"};

  // Its conditional jumps of which one side leaves it, also those in inner loops.
  Vector<GuestAddr> exits{"trace.loops.blocks"};

  struct Call {
    GuestAddr instruction;
    GuestAddr callee;
  };
  Vector<Call> calls{"trace.loops.calls"}; // of known callees, outside of inner loops

  bool contains(const Loop* other) const {
    while (other != nullptr && other != this)
      other = other->parent;
    return other == this;
  }
  // The innermost loop that control is in at this loop's condition, if it was in `before`. The
  // condition comes before the body, so a loop that control was not in has not begun yet.
  const Loop* at_condition(const Loop* before) const { return contains(before) ? this : parent; }
};

inline LoopId id_of(const Loop* loop) { return loop == nullptr ? LoopId::none : loop->id; }
