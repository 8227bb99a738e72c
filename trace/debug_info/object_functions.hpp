// The functions of one object as its source has them: which code is of which, and where each is
// defined. From DWARF where the object, or the file that its debug info was moved to, has it;
// otherwise from the names of symbols. Nothing is read before it is asked for.
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

  // By DWARF. `address` is the file's.
  std::optional<Definition> definition(u64 address) { return definitions_->find(address); }
  std::optional<Vector<InlinedFunction>> inlined_at(u64 address) {
    return definitions_->inlined_at(address);
  }
  Vector<NamedArgument> arguments_at(u64 address) { return definitions_->arguments_at(address); }
  // By symbols, as FunctionSymbols has it.
  u64 function(u64 symbol) { return symbols().function(symbol); }
  bool is_part(u64 caller, u64 callee) { return symbols().is_part(caller, callee); }

private:
  const FunctionSymbols& symbols();

  ElfFile object_;
  ElfFile* debug_file_ = nullptr; // if there is one
  Definitions* definitions_;
  FunctionSymbols* symbols_ = nullptr; // null: not read yet
};
