// Reports neighbouring accesses of a block by one helper call: pushes, pops, the fields of a
// struct.
//
// Loads with no store between them may be reported in any order, and so may stores with no load
// between them. The first of a run reports its neighbours, too, as far as control reaches them and
// no other event comes before. (If one of them faults, those behind it have been reported as well.)
// A load and a store into the same that comes next are also one: a counter's increment.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"

class AccessRuns {
public:
  static constexpr unsigned kWord = 4; // bytes; runs are made of these
  static constexpr unsigned kMostWords = 16;

  // `return_address`: what a return loads, which is no access of the routine. O(statements).
  AccessRuns(const IRSB* block, Int stack_pointer, IRTemp return_address, bool find_markers);

  struct Run {
    i64 begin;      // from the first access's address, 0 or less
    unsigned bytes; // as that has if it has no neighbours
  };
  // The run of the access of this statement, which is in no earlier run. Marks all of it reported.
  Run begin(Int statement);
  // Whether this access, which begin() found without neighbours, is a load, and the next one stores
  // into just what it loads. If so, marks that store reported, too.
  bool take_store(Int statement);
  bool is_reported(Int statement) const { return steps_[index(statement)].is_reported; }

private:
  // An address, as what an earlier value of the block is in it and what was added; or a constant.
  struct Place {
    IRTemp root = IRTemp_INVALID;
    u64 offset = 0;
    bool operator==(const Place&) const = default;
  };
  struct Step { // a statement
    Place place{};
    u8 bytes = 0; // 0: no access
    bool is_store = false;
    bool is_reported = false;
    bool ends_run = false; // control may leave, or another event is reported
  };
  static std::size_t index(Int number) { return static_cast<std::size_t>(number); }

  Place place_of(const IRExpr* value) const;
  Place place_of_new(IRTemp temp, const IRExpr* value);
  bool is_event(GuestAddr instruction, u32 bytes) const;
  Step step(const IRStmt* statement);
  Step access(const IRExpr* address, const IRExpr* data, bool is_store) const;

  const IRSB* block_;
  Int stack_pointer_;
  IRTemp return_address_;
  bool find_markers_;
  Place in_stack_pointer_;
  Vector<Place> places_{"trace.access_runs"}; // by temporary
  Vector<Step> steps_{"trace.access_runs"};   // by statement
};
