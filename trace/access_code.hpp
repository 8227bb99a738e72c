// Instruments the memory accesses of a block: adds a helper call for each access, or one for
// several that belong together (trace/access_runs.hpp, trace/string_operations.hpp).
//
// Loads of return addresses are no input. The accesses of linkage stubs belong to no routine.
#pragma once

#include "trace/access_runs.hpp"
#include "trace/string_operations.hpp"
#include "trace/translated_block.hpp"

#include <optional>

class AccessCode {
public:
  explicit AccessCode(TranslatedBlock& block);

  // The number of basic blocks that this block counts as.
  IRExpr* blocks() const;
  // Add the code that goes before and after the present statement.
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
  IRTemp return_address_ = IRTemp_INVALID; // read by the return at the end of the block
  std::optional<StringOperation> string_;  // if the block is one iteration of it
  std::optional<AccessRuns> runs_;         // none: each access is reported by itself
};
