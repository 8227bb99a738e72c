// Which symbols of an object are code of one function, by their names: copies and pieces of it
// (trace/clone_names.hpp), and the constructors and destructors that C++ makes of one of the
// source.
//
// A local symbol belongs to the compilation unit that the table names before it; those that LTO
// made of several units belong together only where their names say so. The table is read when it is
// first asked for; what is kept are the symbols of functions that have several.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/elf_file.hpp"

class FunctionSymbols {
public:
  // Of the file's symbol table or, if it has none, of its dynamic symbols.
  explicit FunctionSymbols(ElfFile& file);

  // An address that all symbols of the function have in common of which one is at `address`.
  u64 function(u64 address) const;

  // Of two different symbols of one function: whether what is at `callee` does a part of the work
  // of `caller`, as pieces do, or the complete destructor for the deleting one.
  bool is_part(u64 caller, u64 callee) const;

private:
  struct Symbol {
    u64 address;
    u64 name;   // hash of what the names of all symbols of the function have in common
    u32 unit;   // of a local symbol: from 1
    bool plain; // neither copy nor piece
    u8 pieces;  // CloneName's
    u8 variant; // of a constructor or destructor: 0 to 5
  };
  static constexpr u32 kGlobal = 0;
  static constexpr u32 kSeveralUnits = ~u32{0};
  static constexpr u8 kNoVariant = 0xFF;

  static Symbol symbol(const char* name, u64 address, u32 unit);
  const Symbol* at(u64 address) const; // the first of them
  const Symbol* lowest(u64 name, u32 unit, bool plain) const;

  Vector<Symbol> by_address_{"trace.symbols"};
};
