#include "trace/loops/loop_code.hpp"

#include "trace/loops/loop_events.hpp"
#include "trace/loops/loop_table.hpp"

void LoopCode::instruction(GuestAddr address) {
  if (block_.is_linkage())
    return;
  if (block_.with.log_loops)
    return log(address);
  if (block_.with.running_loop == nullptr)
    return;
  if (loops->leader(address) == nullptr)
    return;
  costs_.flush_instructions();
  loop_events::add(block_.out, *block_.with.running_loop, address);
}

void LoopCode::iteration(Loop& loop) {
  logged_loops::count_iteration(block_.out, loop);
  if (!loop.logs_iterations)
    return;
  costs_.flush_instructions();
  if (block_.with.code_may_wait != nullptr)
    return events_.log(logged_loops::iteration_of(loop, block_.site()));
  events_.publish();
  ir::call(block_.out, "event_iteration", reinterpret_cast<void*>(logged_loops::event_iteration),
           mkIRExprVec_1(ir::constant(reinterpret_cast<u64>(&loop))));
}

void LoopCode::log(GuestAddr address) {
  const LoopTable::Leader* const leader = loops->leader(address);
  if (leader == nullptr)
    return;
  for (Loop* loop = leader->innermost; loop != nullptr; loop = loop->parent)
    loop->logs_iterations |=
        block_.with.log_iterations != nullptr && block_.with.log_iterations(*loop);
  if (leader->may_change_loop() && in_loop_ != leader->innermost) {
    costs_.flush_instructions();
    events_.report_marker();
    IRExpr* const time = block_.with.code_may_wait != nullptr ? events_.time() : nullptr;
    if (time == nullptr)
      costs_.publish_clock();
    logged_loops::log_change(block_.out, *leader, address, time);
    in_loop_ = leader->innermost;
    if (leader->is_condition)
      in_loop_.reset();
  }
  if (leader->counts)
    iteration(*leader->innermost);
}
