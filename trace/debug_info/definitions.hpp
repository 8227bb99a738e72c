// What an object's DWARF says about its functions: where they are defined, which pieces of machine
// code belong to each, what is inlined there, and their parameters. The core does not provide this:
// for each instruction it keeps only the line of the function that was inlined last, and it does
// not read all of DWARF 5.
//
// Units are found by the ranges of code that they declare, all of which are read at the first
// query. The functions of a unit are read when one of them is first asked for. Memory: 88 bytes per
// function, 32 per parameter, and 32 per inlined call. The object's file, or its separate debug
// file, is open only during a query.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_file.hpp"
#include "trace/debug_info/dwarf_unit.hpp"
#include "trace/debug_info/parameters.hpp"

#include <optional>

struct Definition {
  u64 function;     // equal for all code that was made of one function; never 0
  const char* file; // path; empty if unknown
  u32 line;
  bool is_instance; // the code is one of possibly several instances
};

// An inlined function and the place of the call; 0 and empty if unknown.
struct InlinedFunction {
  const char* name; // unqualified
  const char* call_file;
  u32 call_line;
};

// An integer parameter that is passed in a register.
struct NamedArgument {
  const char* name;
  u8 number; // of the register, as IntegerArgument::number
  u8 bytes;
  bool is_signed;
};

class Definitions {
public:
  explicit Definitions(const char* path) : file_(path) {}

  // The function whose code is at that address of the file; none if unknown. If linkers have
  // folded functions with equal code there, the one with that mangled name, or that this is a
  // clone of.
  std::optional<Definition> find(u64 address, const char* symbol);
  // The functions inlined at that address, outermost first; none if nothing is known about the
  // code.
  std::optional<Vector<InlinedFunction>> inlined_at(u64 address);
  // The integer parameters, passed in registers, of the function whose code begins there.
  Vector<NamedArgument> arguments_at(u64 address);

private:
  // The place of a function's definition, while it is collected by following references from an
  // entry.
  struct Place {
    u64 function = 0; // the entry read last
    u64 next = 0;     // the entry to follow next, in another unit; 0: complete
    u32 unit = 0;     // number of the unit in the file
    u32 file = 0;     // number in the unit's line table
    u32 line = 0;     // 0: unknown
    u64 object = 0;   // the entry of `this`
    bool has_file = false;
    bool is_instance = false;
  };
  struct Code { // a piece of a function's code
    u64 begin;
    u64 end;
    u64 entry; // its offset
    Place place;
    u32 first_inlined; // range in the unit's `inlined`
    u32 end_inlined;
    u32 first_parameter;
    u32 end_parameter;
    Parameter::Type returned;
  };
  struct InlinedCode {
    u64 begin;
    u64 end;
    u64 function; // offset of its entry
    u32 call_file;
    u32 call_line;
  };
  struct Unit {
    DwarfUnitHeader header;
    bool is_read = false;
    Vector<Code> functions{"trace.definitions"};      // sorted by begin
    Vector<InlinedCode> inlined{"trace.definitions"}; // outer ones before inner ones
    Vector<Parameter> parameters{"trace.definitions"};
    Vector<const char*> files{"trace.definitions"}; // by number; null: not read yet
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
  Found function_at(u64 address); // null if there is none
  Found function_at(u64 address, const char* symbol);
  bool is_called(const Code& function, const char* symbol);
  const Vector<Code>& functions_of(Unit& unit);
  void find_units();
  void read_functions(Unit& unit);
  Parameter::Type returned_by(const DwarfUnit& unit, const DwarfUnit::Entry& function) const;
  void follow(Place& place); // in the next unit
  void follow(Place& place, const DwarfUnit& unit) const;
  // Gives it the place of its class if it has none.
  void locate_by_class(Place& place, const DwarfUnit& unit) const;
  u32 unit_with(u64 entry) const; // returns the number of units if there is none
  const char* file_name(Unit& unit, u32 file);
  const char* function_name(u64 entry);

  DwarfFile file_;
  bool has_units_ = false;                             // units have been found
  Vector<Unit> units_{"trace.definitions"};            // in the order of the file
  Vector<UnitCode> code_{"trace.definitions"};         // sorted by begin
  AddressMap<const char*> names_{"trace.definitions"}; // of inlined functions, by entry
};
