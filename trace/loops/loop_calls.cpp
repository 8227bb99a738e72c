#include "trace/loops/loop_calls.hpp"

#include "base/valgrind.hpp"
#include "trace/call_events.hpp"
#include "trace/client_memory.hpp"
#include "trace/loops/loop_source.hpp"

#include <algorithm>
#include <utility>

namespace {

using inline_info::Frames;
using inline_info::shared;

// Target of a linkage stub of the form `[endbr64] [bnd] jmp *slot(%rip)`; 0 for any other.
GuestAddr target_of_stub(GuestAddr stub) {
  constexpr std::size_t kLongest = 11;
  if (!VG_(am_is_valid_for_client)(stub, kLongest, VKI_PROT_READ))
    return 0;
  const auto* code = reinterpret_cast<const u8*>(stub);
  if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
    code += 4;
  if (*code == 0xf2)
    code++;
  if (code[0] != 0xff || code[1] != 0x25)
    return 0;
  i32 offset;
  VG_(memcpy)(&offset, code + 2, sizeof offset);
  return client_word(reinterpret_cast<GuestAddr>(code + 6) + static_cast<GuestAddr>(i64{offset}));
}

// `none` if unknown or without a symbol.
RoutineId callee_at(GuestAddr address) {
  const bool is_stub = RoutineTable::linkage(address) != RoutineTable::Linkage::none;
  const GuestAddr target = is_stub ? target_of_stub(address) : address;
  if (target == 0 || RoutineTable::is_nameless(target))
    return RoutineId::none; // also if the stub's symbol is not bound yet: the slot then leads to a
                            // stub
  const RoutineId routine = routines->at_entry(target);
  return routine == RoutineId::stub ? RoutineId::none : routine;
}

} // namespace

Vector<LoopCall> calls_of(const Loop& loop) {
  Vector<LoopCall> calls("trace.loops.calls");
  if (!(*routines)[loop.routine].has_symbol) // nothing is known to be inlined
    return calls;
  for (const Loop::Call& call : loop.calls) {
    if (routines->containing(call.instruction) != loop.routine)
      continue;
    const RoutineId callee = callee_at(call.callee);
    if (callee == RoutineId::none)
      continue;
    Frames at = inline_info::frames_at(call.instruction);
    LoopCall* const known = std::find_if(calls.begin(), calls.end(),
                                         [&](const LoopCall& of) { return of.callee == callee; });
    if (known == calls.end())
      calls.push_back({callee, std::move(at)});
    else
      for (std::size_t same = shared(known->at, at, at.size()); known->at.size() > same;)
        known->at.pop_back();
  }
  const std::size_t depth = loop.source->inlined_into.size() + 1; // of the loop's own function
  Vector<LoopCall> inlined("trace.loops.calls");
  for (LoopCall& call : calls)
    if (call.at.size() > depth)
      inlined.push_back(std::move(call));
  return inlined;
}
