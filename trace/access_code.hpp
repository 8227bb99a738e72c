// What translated code does to report the memory accesses of a block: a helper call for each, or
// for several that belong together (trace/access_runs.hpp, trace/string_operations.hpp).
//
// Return addresses are no input, and the accesses of linkage stubs are no routine's.
#pragma once

#include "trace/access_runs.hpp"
#include "trace/string_operations.hpp"
#include "trace/translated_block.hpp"

#include <optional>

class AccessCode {
public:
  explicit AccessCode(TranslatedBlock& block);

  // As how many basic blocks the block counts.
  IRExpr* blocks() const;
  // Adds what is to be done before the present statement, and after it.
  void before(const IRStmt* statement);
  void after(const IRStmt* statement);

private:
  // Whether accesses that belong together are reported by one call.
  bool has_runs() const { return block_.with.read.has_runs() && !block_.is_linkage(); }
  void load(IRExpr* address, Int bytes, IRExpr* guard = nullptr);
  void store(IRExpr* address, Int bytes, IRExpr* guard = nullptr);
  void access(const AccessHelpers& helpers, IRExpr* address, Int bytes, IRExpr* guard);
  void plain_access(const AccessHelpers& helpers, IRExpr* address, Int bytes);
  void report(const AccessHelper& helper, IRExpr** arguments, IRExpr* guard = nullptr);
  void compared_and_swapped(const IRCAS* cas);

  TranslatedBlock& block_;
  IRTemp return_address_ = IRTemp_INVALID; // what a return at the end of the block reads
  std::optional<StringOperation> string_;  // an iteration of it is all that the block does
  std::optional<AccessRuns> runs_;         // none: each access is reported by itself
};
