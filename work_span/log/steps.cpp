#include "work_span/log/steps.hpp"

namespace shadow {

void replay(EngineDriver& driver, const u64* step, const u64* end,
            const event_log::LogSite* log_sites) {
  for (; step != end; step += Step::words(*step)) {
    const u64 word = *step;
    driver.advance_to(driver.now() + Step::after(word));
    if (Step::operation(word) == Step::marker) {
      driver.marker(log_sites[Step::number(word)]);
      continue;
    }
    if (Step::operation(word) == Step::in_loop) {
      driver.in_loop(log_sites[Step::number(word)]);
      continue;
    }
    if (Step::operation(word) == Step::leaf_loops) {
      driver.leaf_loops(*log_sites[Step::number(word)].loop, step[2], step[1],
                        driver.now() + step[1] + step[3]);
      continue;
    }
    const SiteId site = Step::call_site(word, log_sites);
    before_call(driver, word, site, log_sites);
    if (Step::operation(word) == Step::leaves_at)
      driver.call_leaves(site, step[2], step[1], driver.now() + step[1] + step[3]);
    else if (Step::is_leaf(word))
      driver.call_leaves(site, 1, step[1], driver.now() + step[1]);
    else
      driver.repeat_invocation(Step::callee(step));
  }
}

} // namespace shadow
