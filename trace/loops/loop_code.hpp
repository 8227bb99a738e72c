// Instruments a block for the loops of the machine code: with calls where the tool tracks loops as
// they run (loop_events.hpp), or with log events (logged_loops.hpp).
//
// Linkage stubs are part of no loop of the client.
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

  // A loop may begin, iterate or end at this instruction.
  void instruction(GuestAddr address);
  // Call after the code that makes the state true.
  void set_state(logged_loops::State state) {
    if (block_.with.log_loops && !block_.is_linkage())
      logged_loops::set_state(block_.out, state);
  }
  // The stack pointer is set: control may be anywhere.
  void forget_loop() {
    set_state(logged_loops::State::unknown);
    in_loop_.reset();
  }

private:
  void log(GuestAddr address);
  void iteration(Loop& loop);

  TranslatedBlock& block_;
  CostCode& costs_;
  EventCode& events_;
  std::optional<const Loop*>
      in_loop_; // the loop whose body control is in; none: the block does not say
};
