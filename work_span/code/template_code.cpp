#include "work_span/code/template_code.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"
#include "work_span/code/atomic_code.hpp"
#include "work_span/order/atomic_sources.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/state/system_headers.hpp"

#include <algorithm>
#include <utility>

namespace template_code {

namespace {

u64 executed = 0; // instructions of oneTBB's headers

constexpr std::size_t kLongestPath = 1024;

// Appends the text between two tags, if they are there.
void append_element(char (&to)[kLongestPath], const char* xml, const char* open,
                    const char* close) {
  const char* begin = VG_(strstr)(xml, open);
  const char* end = begin == nullptr ? nullptr : VG_(strstr)(begin, close);
  if (end == nullptr)
    return;
  begin += VG_(strlen)(open);
  const std::size_t length = VG_(strlen)(to);
  VG_(strncat)(to, begin, std::min<std::size_t>(end - begin, kLongestPath - 1 - length));
}

// Finds the source file of the code that a std::atomic is inlined into; if that is unknown, the
// standard library's own.
void find_user_of_atomic(GuestAddr instruction, char (&file)[kLongestPath]) {
  const DiEpoch epoch = VG_(current_DiEpoch)();
  InlIPCursor* cursor = VG_(new_IIPC)(epoch, instruction);
  // Only the XML output has folders.
  const Bool wants_xml = std::exchange(VG_(clo_xml), True);
  do {
    const char* described = VG_(describe_IP)(epoch, instruction, cursor);
    file[0] = '\0';
    append_element(file, described, "<dir>", "</dir>");
    VG_(strcat)(file, "/");
    append_element(file, described, "<file>", "</file>");
  } while (system_headers::is_of_atomics(file) && VG_(next_IIPC)(cursor));
  VG_(clo_xml) = wants_xml;
  VG_(delete_IIPC)(cursor);
}

// The kind of a block's routine, with regard to its atomic instructions.
enum class Code : u8 {
  other,
  templates,
  put_message, // a template that puts a message to a node of a flow graph
  atomics,     // std::atomic's, not inlined
};

Code code_of(GuestAddr instruction) {
  const RoutineId routine = routines->containing(instruction);
  if (routine == RoutineId::none || routine == RoutineId::stub)
    return Code::other;
  if (atomic_sources::is_of_atomics((*routines)[routine]))
    return Code::atomics;
  const char* name = (*routines)[routine].name;
  if (!onetbb::is_template(name))
    return Code::other;
  if (matches(name, {"*aggregator*::execute*", "*start_handle_operations*"}))
    onetbb::not_understood().aggregators++;
  return matches(name, {"*::try_put_task(*", "*_task_bypass<*"}) ? Code::put_message
                                                                 : Code::templates;
}

// Whose source the line of an instruction belongs to.
enum class Owner : u8 { unknown, headers, others };

// A std::atomic's code belongs to the code that it is inlined into. If that is unknown, it belongs
// to the templates if it is in one of their routines.
Owner owner_of(GuestAddr instruction, Code code) {
  const auto [number, line] = routines->line_of(instruction);
  if (number == 0)
    return Owner::unknown;
  const char* file = routines->files()[number];
  char user[kLongestPath];
  if (code != Code::other && system_headers::is_of_atomics(file)) {
    find_user_of_atomic(instruction, user);
    if (system_headers::is_of_atomics(user))
      return code == Code::atomics ? Owner::unknown : Owner::headers;
    file = user;
  }
  if (system_headers::is_of_onetbb(file))
    return Owner::headers;
  // Without a line, several places in the source may share it.
  return line == 0 ? Owner::unknown : Owner::others;
}

void changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (bytes > 1 && after < before)
    onetbb::decremented(address, static_cast<unsigned>(bytes), after == 0);
  else if (bytes == 1 && before == 0 && after == 1)
    onetbb::locked_to_put(address);
}

void changed_by_atomics(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (bytes == 1)
    return;
  shadow::flush_log();
  if (onetbb::is_in_template(*shadow::running()))
    changed(address, bytes, before, after);
}

// Completes one block.
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
    if (statement->tag == Ist_CAS && code_ != Code::other && owner_ != Owner::others)
      compare_and_swap(*statement->Ist.CAS.details);
  }

  void instruction(GuestAddr address) {
    if (!code_is_known_) {
      code_is_known_ = true;
      code_ = code_of(address);
    }
    owner_ = owner_of(address, code_);
    instructions_ += owner_ == Owner::headers;
    if (const u32 file = routines->line_of(address).file; file != 0)
      in_aggregator_ |= matches(routines->files()[file], {"*/_aggregator.h"});
  }

  void count() {
    if (instructions_ == 0)
      return;
    ir::count(out_, &executed, instructions_);
    instructions_ = 0;
  }

  void compare_and_swap(const IRCAS& cas) {
    onetbb::not_understood().aggregators += in_aggregator_; // the block adds an operation
    const IRType type = typeOfIRExpr(out_->tyenv, cas.dataLo);
    if (cas.dataHi != nullptr || type == Ity_I16 || (type == Ity_I8 && code_ != Code::put_message))
      return;
    atomic_code::add_call_on_change(with_, out_, cas,
                                    code_ == Code::atomics ? changed_by_atomics : changed);
  }

  const Instrumentation& with_;
  IRSB* in_;
  IRSB* out_;
  u64 instructions_ = 0; // not counted yet
  bool code_is_known_ = false;
  Code code_ = Code::other;
  Owner owner_ = Owner::unknown; // of the latest instruction
  bool in_aggregator_ = false;
};

} // namespace

bool has_libtbb() {
  static DiEpoch looked_at;
  static bool found = false;
  const DiEpoch now = VG_(current_DiEpoch)();
  if (now.n == looked_at.n)
    return found;
  looked_at = now;
  return found = RoutineTable::is_mapped({"libtbb.so*"});
}

const u64* not_work(CostEvent clock) {
  static constexpr u64 nothing = 0;
  return clock == CostEvent::instructions ? &executed : &nothing;
}

IRSB* instrument(const Instrumentation& with, IRSB* block) {
  return has_libtbb() ? Completer(with, block).run() : block;
}

} // namespace template_code
