// What translated code does about the loops of the machine code: in tools that follow them by
// themselves (loop_events.hpp), and where they are logged (logged_loops.hpp).
//
// Linkage stubs are in no loop of the program.
#pragma once

#include "trace/cost_code.hpp"
#include "trace/event_code.hpp"
#include "trace/loops/logged_loops.hpp"
#include "trace/translated_block.hpp"

#include <optional>

class LoopCode {
public:
  LoopCode(TranslatedBlock& block, CostCode& costs, EventCode& events)
      : block_(block), costs_(costs), events_(events) {}

  // A loop begins, goes round or ends at this instruction, perhaps.
  void instruction(GuestAddr address);
  // After the block has done what says so.
  void keep(logged_loops::State state) {
    if (block_.with.log_loops && !block_.is_linkage())
      logged_loops::keep(block_.out, state);
  }
  // The stack pointer is set: control may be anywhere.
  void is_unknown() {
    keep(logged_loops::State::unknown);
    in_loop_.reset();
  }

private:
  void log(GuestAddr address);

  TranslatedBlock& block_;
  CostCode& costs_;
  EventCode& events_;
  std::optional<const Loop*> in_loop_; // whose body it is in; none: the block does not tell
};
