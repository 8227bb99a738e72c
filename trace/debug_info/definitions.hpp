// Where the functions of an object are defined, which pieces of machine code are one function's,
// and what was inlined there, and its parameters: what its DWARF says and the core does not tell,
// as that keeps of each instruction only the line of what was inlined there last, and reads not all
// of DWARF 5.
//
// Units are found by the ranges of code that they say they have, all read at the first question; a
// unit's functions are read when the first of them is asked for. What is kept is 72 bytes a
// function, 32 a parameter, and 32 a place where one was inlined. The object's file, or the one
// that its debug info was moved to, is open during a question only.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_file.hpp"
#include "trace/debug_info/dwarf_unit.hpp"
#include "trace/debug_info/parameters.hpp"

#include <optional>

struct Definition {
  u64 function;     // the same of all code that was made of one function; never 0
  const char* file; // its path; empty: not known
  u32 line;
  bool is_instance; // the code there is one of perhaps several of the function
};

// A function that was inlined, and where: 0 and empty are not known.
struct InlinedFunction {
  const char* name; // without what qualifies it
  const char* call_file;
  u32 call_line;
};

// An integer that a function takes, in a register.
struct NamedArgument {
  const char* name;
  u8 number; // of the register, as an IntegerArgument's
  u8 bytes;
  bool is_signed;
};

class Definitions {
public:
  explicit Definitions(const char* path) : file_(path) {}

  // Of the function that has code at that address of the file. None: that is not known.
  std::optional<Definition> find(u64 address);
  // Those that have code there, outermost first. None: nothing is known of that code.
  std::optional<Vector<InlinedFunction>> inlined_at(u64 address);
  // The integers that the function whose code begins there takes in registers.
  Vector<NamedArgument> arguments_at(u64 address);

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
    u32 first_inlined; // of the unit's
    u32 end_inlined;
    u32 first_parameter;
    u32 end_parameter;
    Parameter::Type returned;
  };
  struct InlinedCode {
    u64 begin;
    u64 end;
    u64 function; // its entry
    u32 call_file;
    u32 call_line;
  };
  struct Unit {
    DwarfUnitHeader header;
    bool is_read = false;
    Vector<Code> functions{"trace.definitions"};      // by begin
    Vector<InlinedCode> inlined{"trace.definitions"}; // outer ones before inner ones
    Vector<Parameter> parameters{"trace.definitions"};
    Vector<const char*> files{"trace.definitions"}; // by number; null: not asked for yet
  };
  struct UnitCode {
    u64 begin;
    u64 end;
    u32 unit;
  };

  struct Found {
    Unit* unit;
    const Code* function;
  };
  Found function_at(u64 address); // null: none
  void find_units();
  void read_functions(Unit& unit);
  Parameter::Type returned_by(const DwarfUnit& unit, const DwarfUnit::Entry& function) const;
  void follow(Place& place); // in the next unit
  void follow(Place& place, const DwarfUnit& unit) const;
  u32 unit_with(u64 entry) const; // the number of units: none
  const char* file_name(Unit& unit, u32 file);
  const char* function_name(u64 entry);

  DwarfFile file_;
  bool has_units_ = false;                             // they have been found
  Vector<Unit> units_{"trace.definitions"};            // in the order of the file
  Vector<UnitCode> code_{"trace.definitions"};         // by begin
  AddressMap<const char*> names_{"trace.definitions"}; // of functions that were inlined, by entry
};
