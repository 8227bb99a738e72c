#include "cilkshadow/template_code.hpp"

#include "base/pattern.hpp"
#include "cilkshadow/atomic_code.hpp"
#include "cilkshadow/onetbb.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"

namespace template_code {

namespace {

u64 executed = 0; // instructions of its headers

bool has_libtbb() {
  static DiEpoch looked_at;
  static bool found = false;
  const DiEpoch now = VG_(current_DiEpoch)();
  if (now.n == looked_at.n)
    return found;
  looked_at = now;
  found = false;
  for (const DebugInfo* info = VG_(next_DebugInfo)(nullptr); info != nullptr;
       info = VG_(next_DebugInfo)(info))
    found |= VG_(string_match)("libtbb.so*", VG_(basename)(VG_(DebugInfo_get_filename)(info)));
  return found;
}

// Its atomics are the standard library's, inlined.
bool is_from_header(const char* name, bool in_template) {
  if (matches(name, {"*/tbb/parallel_sort.h", "*/tbb/concurrent_*", "*/tbb/detail/_concurrent_*",
                     "*/tbb/detail/_segment_table.h", "*/tbb/enumerable_thread_specific.h",
                     "*/tbb/combinable.h", "*/tbb/blocked_range*"}))
    return false;
  return matches(name, {"*/oneapi/tbb/*", "*/include/tbb/*"}) ||
         (in_template && matches(name, {"*/bits/atomic_base.h", "*/atomic"}));
}

// Whose code a block is, as far as its atomic instructions are concerned.
enum class Code : u8 {
  other,
  of_templates,
  putting,    // messages to nodes of flow graphs
  of_atomics, // not inlined
};

Code code_of(GuestAddr instruction) {
  const RoutineId routine = routines->containing(instruction);
  if (routine == RoutineId::none || routine == RoutineId::stub)
    return Code::other;
  const char* name = (*routines)[routine].name;
  if (matches(name, {"std::__atomic_base<*", "std::atomic<*"}))
    return Code::of_atomics;
  if (!onetbb::is_template(name))
    return Code::other;
  if (matches(name, {"*aggregator*::execute*", "*start_handle_operations*"}))
    onetbb::not_understood().aggregators++;
  return matches(name, {"*::try_put_task(*", "*_task_bypass<*"}) ? Code::putting
                                                                 : Code::of_templates;
}

void changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (bytes > 1 && after < before)
    onetbb::decremented(address, static_cast<unsigned>(bytes), after == 0);
  else if (bytes == 1 && before == 0 && after == 1)
    onetbb::locked_to_put(address);
}

void changed_by_atomics(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (bytes > 1 && onetbb::is_in_template(*shadow::running()))
    changed(address, bytes, before, after);
}

class Completer {
public:
  Completer(const Instrumentation& with, IRSB* in)
      : with_(with), in_(in), out_(deepCopyIRSBExceptStmts(in)) {}

  IRSB* run() {
    for (Int i = 0; i < in_->stmts_used; i++)
      statement(in_->stmts[i]);
    count();
    return out_;
  }

private:
  void add(IRStmt* statement) { addStmtToIRSB(out_, statement); }

  void statement(IRStmt* statement) {
    if (statement->tag == Ist_IMark)
      instruction(statement->Ist.IMark.addr);
    else if (statement->tag == Ist_Dirty || statement->tag == Ist_Exit)
      count();
    add(statement);
    if (statement->tag == Ist_CAS && code_ != Code::other)
      compare_and_swap(*statement->Ist.CAS.details);
  }

  void instruction(GuestAddr address) {
    if (!known_) {
      known_ = true;
      code_ = code_of(address);
    }
    const auto [file, line] = routines->line_of(address);
    if (file == 0)
      return;
    const char* name = routines->files()[file];
    instructions_ += is_from_header(name, code_ != Code::other);
    in_aggregator_ |= VG_(string_match)("*/_aggregator.h", name) != 0;
  }

  void count() {
    if (instructions_ == 0)
      return;
    ir::count(out_, &executed, instructions_);
    instructions_ = 0;
  }

  void compare_and_swap(const IRCAS& cas) {
    onetbb::not_understood().aggregators += in_aggregator_; // it enters an operation
    const IRType type = typeOfIRExpr(out_->tyenv, cas.dataLo);
    if (cas.dataHi != nullptr || type == Ity_I16 || (type == Ity_I8 && code_ != Code::putting))
      return;
    atomic_code::tell_of_change(with_, out_, cas,
                                code_ == Code::of_atomics ? changed_by_atomics : changed);
  }

  const Instrumentation& with_;
  IRSB* in_;
  IRSB* out_;
  u64 instructions_ = 0; // not yet counted
  bool known_ = false;
  Code code_ = Code::other;
  bool in_aggregator_ = false;
};

} // namespace

const u64* not_work(CostEvent clock) {
  static constexpr u64 nothing = 0;
  return clock == CostEvent::instructions ? &executed : &nothing;
}

IRSB* instrument(const Instrumentation& with, IRSB* block) {
  return has_libtbb() ? Completer(with, block).run() : block;
}

} // namespace template_code
