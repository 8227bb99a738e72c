// The parameters of functions according to DWARF: which of them are integers, and which registers
// those are in when the function's code begins.
//
// The location at the first instruction decides. Unoptimised code locates its parameters in memory,
// where it stores them first, and some optimised code gives their location only after a few
// instructions. In these cases the System V ABI decides, for C and C++; but not for clones, which
// lack parameters or pass them differently, nor for parameters after one that may have been removed
// or after an aggregate of up to two registers, whose members would have to be examined.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

// A parameter, as described by its entry in DWARF.
struct Parameter {
  enum class Type : u8 {
    unknown,
    signed_integer,
    unsigned_integer,
    in_integer_register, // not an integer: a pointer, an enumeration...
    by_reference,        // an object
    in_float_register,
    in_memory,
    in_memory_or_by_reference, // a large C++ object
    in_registers,              // an aggregate; which registers depends on its members
  };
  u64 entry = 0;                // offset in .debug_info
  std::optional<u64> locations; // location list: offset in .debug_loc or .debug_loclists
  Type type = Type::unknown;
  u8 bytes = 0; // of an integer
  u8 place = 0; // from the only expression, as place_of() returns it; 0: there is none
  bool is_artificial = false;
  bool has_own_type = false; // the function's code is not one of several instances
};

// An integer argument in a register. `number` is its position among the integer argument registers,
// starting at 0.
struct IntegerArgument {
  u64 entry; // of the parameter
  u8 number;
  u8 bytes;
  bool is_signed;
};

// Reads the parameter at an entry of `unit`, which must be loaded.
Parameter parameter_of(const DwarfUnit& unit, u64 offset, const DwarfUnit::Entry& entry);
// Type of a function's result or of a parameter, given its entry.
Parameter::Type type_of(const DwarfUnit& unit, const DwarfUnit::Entry& entry, u8* bytes);
// The integer arguments of the function whose code begins at `entry`, given its parameters and the
// type of its result.
Vector<IntegerArgument> integer_arguments(DwarfFile& file, const DwarfUnit& unit, u64 entry,
                                          const Parameter* first, const Parameter* end,
                                          Parameter::Type returned);
