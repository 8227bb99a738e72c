#include "work_span/log/engine_driver.hpp"

#include "trace/loops/loop.hpp"

namespace shadow {

void EngineDriver::in_loop(const Loop* innermost) {
  account();
  end_loops_around(innermost);
  if (innermost != nullptr)
    begin_loops(*innermost);
}

void EngineDriver::end_loops_around(const Loop* innermost) {
  for (const Loop* pending = innermost_loop(s_, span_);
       pending != nullptr && !pending->contains(innermost); pending = innermost_loop(s_, span_))
    engine_.end_loop(span_);
}

// Also begins outer loops that are not running yet, as when control enters other than at the
// header.
void EngineDriver::begin_loops(const Loop& innermost) {
  if (innermost_loop(s_, span_) == &innermost)
    return;
  if (innermost.parent != nullptr)
    begin_loops(*innermost.parent);
  const SiteId site = s_.sites.of(innermost);
  engine_.begin_loop(span_, site);
  if (is_part(site)) [[unlikely]]
    WorkSpan::begin_part(span_);
}

void EngineDriver::iteration(const Loop& of) {
  account();
  engine_.iteration_of_part(span_, s_.sites.of(of));
}

} // namespace shadow
