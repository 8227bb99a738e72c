// Merges neighbouring accesses of a block (pushes, pops, fields of a struct) into runs, each of
// which is reported by one helper call.
//
// Loads with no store between them may be reported in any order; so may stores with no load between
// them. The first access of a run also reports its neighbours, up to the next place where control
// may leave the block or another event comes. (If one of them faults, those behind it have been
// reported nevertheless.) A load directly followed by a store to the same memory, such as the
// increment of a counter, is also reported by one call.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"

class AccessRuns {
public:
  static constexpr unsigned kWord = 4; // bytes; runs consist of words
  static constexpr unsigned kMostWords = 16;

  // `return_address`: the temporary that a return loads, which is no access of the routine. Takes
  // time linear in the number of statements.
  AccessRuns(const IRSB* block, Int stack_pointer, IRTemp return_address, bool find_markers);

  struct Run {
    i64 begin;      // relative to the address of the first access; at most 0
    unsigned bytes; // the access's own size if it has no neighbours
  };
  // Returns the run that starts with this statement's access, which belongs to no earlier run.
  // Marks the whole run as reported.
  Run begin(Int statement);
  // For a load that begin() found without neighbours: returns whether the next access stores to
  // exactly the memory that it loads. If so, marks that store as reported, too.
  bool take_store(Int statement);
  bool is_reported(Int statement) const { return steps_[index(statement)].is_reported; }

private:
  // An address: either a value that the block has computed earlier, plus an offset, or a constant.
  struct Place {
    IRTemp root = IRTemp_INVALID;
    u64 offset = 0;
    bool operator==(const Place&) const = default;
  };
  struct Step { // one statement
    Place place{};
    u8 bytes = 0; // 0: not an access
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
