// Where the functions of an object are defined, and which pieces of machine code are one
// function's: what its DWARF says and the core does not tell, as that keeps of each instruction
// only the line of what was inlined there last.
//
// Units are found by the ranges of code that they say they have, all read at the first question; a
// unit's functions are read when the first of them is asked for. What is kept is 56 bytes a
// function. The object's file, or the one that its debug info was moved to, is open during a
// question only.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_file.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

#include <optional>

struct Definition {
  u64 function;     // the same of all code that was made of one function; never 0
  const char* file; // its path; empty: not known
  u32 line;
  bool is_instance; // the code there is one of perhaps several of the function
};

class Definitions {
public:
  explicit Definitions(const char* path) : file_(path) {}

  // Of the function that has code at that address of the file. None: that is not known.
  std::optional<Definition> find(u64 address);

private:
  // A function's place, as far as it is told from an entry on.
  struct Place {
    u64 function = 0; // the last entry that was read
    u64 next = 0;     // the entry that tells more, of another unit; 0: all is told
    u32 unit = 0;     // of the file
    u32 file = 0;     // in the unit's line table
    u32 line = 0;     // 0: not told
    bool has_file = false;
    bool is_instance = false;
  };
  struct Code { // of a function
    u64 begin;
    u64 end;
    Place place;
  };
  struct Unit {
    DwarfUnitHeader header;
    bool is_read = false;
    Vector<Code> functions{"trace.definitions"};    // by begin
    Vector<const char*> files{"trace.definitions"}; // by number; null: not asked for yet
  };
  struct UnitCode {
    u64 begin;
    u64 end;
    u32 unit;
  };

  void find_units();
  void read_functions(Unit& unit);
  void follow(Place& place); // in the next unit
  void follow(Place& place, const DwarfUnit& unit) const;
  u32 unit_with(u64 entry) const; // the number of units: none
  const char* file_name(const Place& place);

  DwarfFile file_;
  bool has_units_ = false;                     // they have been found
  Vector<Unit> units_{"trace.definitions"};    // in the order of the file
  Vector<UnitCode> code_{"trace.definitions"}; // by begin
};
