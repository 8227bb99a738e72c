// The parameters of functions, as DWARF has them: which of them are integers, and in which
// registers these are where a function's code begins.
//
// The location that is given for the first instruction tells. Unoptimised code has its parameters
// in memory, where it puts them first, and some optimised code says where they are after a few
// instructions only. Then the System V ABI tells, in C and C++, but not of copies, which lack
// parameters or have them elsewhere; nor behind a parameter that may have been removed, or behind
// an aggregate of up to two registers, whose members would have to be looked at.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

// Of a function, as its entry of DWARF says.
struct Parameter {
  enum class Type : u8 {
    unknown,
    signed_integer,
    unsigned_integer,
    in_integer_register, // what is no integer: a pointer, an enumeration...
    by_reference,        // an object
    in_float_register,
    in_memory,
    in_memory_or_by_reference, // of a large object, C++
    in_registers,              // of an aggregate, as its members are
  };
  u64 entry = 0;                // offset in .debug_info
  std::optional<u64> locations; // by address: offset in .debug_loc or .debug_loclists
  Type type = Type::unknown;
  u8 bytes = 0; // of an integer
  u8 place = 0; // first byte of the one expression that says where it is; 0: there is none
  bool is_artificial = false;
  bool has_own_type = false; // its function's code is not one of several
};

// An integer in the register that has argument number `number`, from 0, of those that are in such
// registers.
struct IntegerArgument {
  u64 entry; // of the parameter
  u8 number;
  u8 bytes;
  bool is_signed;
};

// Of an entry in `unit`, which is loaded.
Parameter parameter_of(const DwarfUnit& unit, u64 offset, const DwarfUnit::Entry& entry);
// Of the type that an entry of a function or of a parameter has.
Parameter::Type type_of(const DwarfUnit& unit, const DwarfUnit::Entry& entry, u8* bytes);
// Of the function whose code begins at `entry`, with these parameters and what it returns.
Vector<IntegerArgument> integer_arguments(DwarfFile& file, const DwarfUnit& unit, u64 entry,
                                          const Parameter* first, const Parameter* end,
                                          Parameter::Type returned);
