// Pending sites and routines: see pending.hpp.
#include "work_span/engine/work_span.hpp"

#include <algorithm>
#include <utility>

namespace {

// Room for the element and some that may follow.
u32 room_for(u32 i) { return i + i / 2 + 16; }

} // namespace

void WorkSpan::discovered(SiteId site) {
  profs_.discovered(site);
  if (index(site) >= on_work_.size())
    on_work_.resize(room_for(index(site)));
}

// Makes room for a new site in everything indexed by site, and for a called routine in everything
// indexed by routine.
[[gnu::noinline]] void WorkSpan::make_room(SpanThread& thread, SiteId site, RoutineId routine) {
  discovered(site);
  if (index(routine) >= routines_)
    routines_ = room_for(index(routine));
  if (thread.pending.empty())
    take_table(thread);
  else
    fit_table(thread);
}

// Grows the table for the known sites only: a site whose number is new to the table may be new
// altogether. The table may be lent by a thread of another engine that knows more routines.
void WorkSpan::fit_table(SpanThread& thread) {
  thread.pending.sites.reserve(on_work_.size());
  thread.pending.sites.resize(profs_.sites());
  thread.pending.routines.resize(std::max<std::size_t>(thread.pending.routines.size(), routines_));
}

void WorkSpan::take_table(SpanThread& thread) {
  if (with_table_.size() >= options_.tables) {
    next_without_ = (next_without_ + 1) % with_table_.size();
    give_back_table(*with_table_[next_without_]);
  }
  if (!free_tables_.empty()) {
    thread.pending = std::move(free_tables_.back());
    free_tables_.pop_back();
  }
  fit_table(thread);
  thread.pending.mark(thread.linked, true);
  thread.table = with_table_.size();
  with_table_.push_back(&thread);
}

void WorkSpan::give_back_table(SpanThread& thread) {
  thread.pending.mark(link_frames(thread), false);
  free_tables_.push_back(std::move(thread.pending));
  with_table_.back()->table = thread.table;
  with_table_.swap_remove(thread.table);
}

// Links everything that is pending now.
PendingLink* WorkSpan::link_frames(SpanThread& thread) {
  std::size_t i = thread.frames.size();
  while (i > 0 && thread.frames[i - 1].linked == 0)
    i--;
  std::size_t loop = thread.loops.size();
  while (loop > 0 && !thread.loops[loop - 1].linked)
    loop--;
  const auto link_loops = [&](std::size_t below) {
    for (; loop < thread.loops.size() && thread.loops[loop].frame < below; loop++) {
      LoopFrame& of = thread.loops[loop];
      of.linked = true;
      if (of.top_site)
        thread.linked =
            create<PendingLink>("cilkshadow.pending", PendingLink{thread.linked, 1, of.site,
                                                                  RoutineId::none, true, false});
    }
  };
  link_loops(i);
  for (; i < thread.frames.size(); i++) {
    SpanFrame& frame = thread.frames[i];
    frame.linked = 1;
    if (frame.top_site || frame.outermost)
      thread.linked = create<PendingLink>("cilkshadow.pending",
                                          PendingLink{thread.linked, 1, frame.site, frame.routine,
                                                      frame.top_site, frame.outermost});
    link_loops(i + 1);
  }
  return thread.linked;
}

// The frame or loop on top is about to end. `has_link`: it is the lowest of its site or routine, so
// it has a link.
void WorkSpan::unlink(SpanThread& thread, bool has_link) {
  if (thread.pending.empty())
    take_table(thread);
  if (has_link)
    drop(std::exchange(thread.linked, share(thread.linked->below)));
}

// For a thread that will call nothing any more.
void WorkSpan::forget_pending(SpanThread& thread) {
  if (!thread.pending.empty())
    give_back_table(thread);
  drop(std::exchange(thread.linked, nullptr));
}
