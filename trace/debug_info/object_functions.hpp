// The functions of one object as in its source: which code belongs to each, and where each is
// defined. Taken from the DWARF of the object or of its separate debug file; otherwise from the
// names of symbols. Nothing is read before the first query.
#pragma once

#include "base/types.hpp"
#include "trace/debug_info/definitions.hpp"
#include "trace/debug_info/function_symbols.hpp"

class ObjectFunctions {
public:
  explicit ObjectFunctions(const char* path);
  ~ObjectFunctions();
  ObjectFunctions(const ObjectFunctions&) = delete;
  ObjectFunctions& operator=(const ObjectFunctions&) = delete;

  // From DWARF, of the code with that mangled name, or of what this is a clone of. `address` is
  // relative to the file.
  std::optional<Definition> definition(u64 address, const char* symbol) {
    return definitions_->find(address, symbol);
  }
  std::optional<Vector<InlinedFunction>> inlined_at(u64 address) {
    return definitions_->inlined_at(address);
  }
  Vector<NamedArgument> arguments_at(u64 address) { return definitions_->arguments_at(address); }
  // From symbols: see FunctionSymbols.
  u64 function(u64 symbol) { return symbols().function(symbol); }
  bool is_part(u64 caller, u64 callee) { return symbols().is_part(caller, callee); }

private:
  const FunctionSymbols& symbols();

  ElfFile object_;
  ElfFile* debug_file_ = nullptr; // null if there is none
  Definitions* definitions_;
  FunctionSymbols* symbols_ = nullptr; // null: not read yet
};
