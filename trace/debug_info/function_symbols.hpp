// Groups the symbols of an object by function, using only their names: the clones of a function
// (trace/clone_names.hpp), and the constructors and destructors that C++ makes of one in the
// source.
//
// A local symbol belongs to the compilation unit that the symbol table names before it. Symbols
// that LTO made of several units are grouped only if their names say so. The table is read at the
// first query; only symbols of functions with several symbols are kept.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/elf_file.hpp"

class FunctionSymbols {
public:
  // Reads the file's symbol table or, if it has none, its dynamic symbols.
  explicit FunctionSymbols(ElfFile& file);

  // Returns an address that is common to all symbols of the function with a symbol at `address`.
  u64 function(u64 address) const;

  // For two different symbols of one function: whether `callee` does a part of the work of
  // `caller`, as a split-off piece does, or the complete destructor for the deleting one.
  bool is_part(u64 caller, u64 callee) const;

private:
  struct Symbol {
    u64 address;
    u64 name;   // hash of what all names of the function have in common
    u32 unit;   // of a local symbol, starting at 1
    bool plain; // not a clone
    u8 pieces;  // as in CloneName
    u8 variant; // of a constructor or destructor: 0 to 5
  };
  static constexpr u32 kGlobal = 0;
  static constexpr u32 kSeveralUnits = ~u32{0};
  static constexpr u8 kNoVariant = 0xFF;

  static Symbol symbol(const char* name, u64 address, u32 unit);
  const Symbol* at(u64 address) const; // the first one there
  const Symbol* lowest(u64 name, u32 unit, bool plain) const;

  Vector<Symbol> by_address_{"trace.symbols"};
};
