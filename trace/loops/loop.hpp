// A loop of the program's machine code: a part of its routine that control can go round in, and its
// header, the block that each round begins at.
//
// Loops of a routine nest. A loop lives as long as the run: what is found later of its routine's
// code may change it, but does not remove it.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

enum class LoopId : u32 { none = 0 };
constexpr u32 index(LoopId id) { return static_cast<u32>(id); }

struct LoopSource;

struct Loop {
  LoopId id;
  RoutineId routine;
  u32 number;               // among its routine's, from 0
  GuestAddr header;         // its first instruction, in memory
  GuestAddr last = 0;       // the last instruction that leads back there
  Loop* parent = nullptr;   // the innermost loop around it, of the same routine
  bool irreducible = false; // control can enter it at other blocks than its header
  bool leaf = true;         // has no inner loop and no call: its iterations are only counted
  u64 iterations = 0;       // of all executions, where these are logged
  const LoopSource* source = nullptr;             // null: nobody has asked
  Vector<GuestAddr> blocks{"trace.loops.blocks"}; // where its blocks begin, with inner loops'

  bool contains(const Loop* other) const {
    while (other != nullptr && other != this)
      other = other->parent;
    return other == this;
  }
  // The innermost loop that control is in at this one's condition, coming from `before`: it stands
  // before the body, so a loop that control was not in has not begun yet.
  const Loop* at_condition(const Loop* before) const { return contains(before) ? this : parent; }
};

inline LoopId id_of(const Loop* loop) { return loop == nullptr ? LoopId::none : loop->id; }
