// What the pending frames have executed along which path: kept with each fork, and reported to the
// path's prof when others continue from there.
#include "work_span/engine/work_span.hpp"

#include <utility>

namespace {

using State = Branch::State;

// The branch that the i-th branch forked from.
Branch& fork_below(Vector<Branch>& branches, std::size_t i) {
  return branches[branches[i - 1].state == State::forked ? i - 1 : i - 2];
}

} // namespace

// A frame executes nothing while another one is above it.
template <typename F> inline void WorkSpan::for_each_unreported(SpanThread& thread, F f) {
  for (std::size_t i = thread.frames.size(); i-- > 0;) {
    SpanFrame& frame = thread.frames[i];
    f(frame);
    if (std::exchange(frame.reported_below, true))
      return;
  }
}

// Reports what the pending frames have executed on the path so far: others who continue from here
// will not see them return.
void WorkSpan::report_local(SpanThread& thread) {
  for_each_unreported(
      thread, [&](SpanFrame& frame) { report(thread.path(), thread, frame, frame.local.whole); });
}

// The path so far is not the longest.
void WorkSpan::forget_local(SpanThread& thread) {
  for_each_unreported(thread, [](SpanFrame& frame) {
    frame.local.reported = frame.local.of_loops = frame.local.whole;
  });
}

void WorkSpan::report(Path& path, SpanThread& thread, SpanFrame& frame, Span until) {
  if (frame.loop != 0)
    report_loop(path, thread, frame, until);
  if (until != frame.local.reported)
    path.prof.update(profs_,
                     {.site = frame.site, .of = {.local_span = until - frame.local.reported}});
  frame.local.reported = until;
}

// Moves everything before the thread's forks into nodes, including what the pending frames have
// executed there.
void WorkSpan::put_in_nodes(SpanThread& thread) {
  auto& branches = thread.branches;
  const std::size_t top = branches.size() - 1;
  std::size_t i = top;
  while (i > 0 && !branches[i - 1].in_nodes)
    i--;
  std::size_t frame = i < top ? branches[i].frame : 0;
  while (frame > 0 && !thread.frames[frame].reported_below)
    frame--;
  for (; i < top; i++) {
    Branch& branch = branches[i];
    branch.in_nodes = true;
    if (i > 0)
      paths_.fork_at_node(branch, fork_below(branches, i));
    if (branch.state != State::forked) {
      branch.local.reported = branches[i - 1].local.whole;
      continue;
    }
    for (; frame < branch.frame; frame++)
      report(branch, thread, thread.frames[frame], thread.frames[frame].local.whole);
    report(branch, thread, thread.frames[frame], branch.local.whole);
    branch.local.reported = branch.local.whole;
    paths_.pack(branch);
  }
  if (top > 0)
    paths_.fork_at_node(thread.path(), fork_below(branches, top));
}
