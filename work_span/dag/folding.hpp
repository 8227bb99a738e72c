// Folding: makes a dag (strands.hpp) smaller by merging strands with less work than a grain with
// those beside, before or after them, such that the time on P processors changes little. Pinned
// strands are kept. Work, overhead and orders are never lost. Parts and critical sections beyond a
// limit (StrandLimits) are. So are shares where a strand results that is short in comparison with
// the grain, but for these: chunks of one loop become one; a chunk stays one with whatever else is
// beside or around it, except a chunk of another loop; any share stays if what follows has none.
//
//   empty      a strand that executes nothing is skipped
//   implied    an order that follows from another one is dropped
//   series     a, then b, with nothing else in between: one strand with the sum of their spans
//   parallel   a beside b, between the same two: one strand with the longer span
//   siblings   a forks, then b after executing little, and the same strand waits for both:
//              merged like parallel, from the later fork on
//   tail       a, then b, which nothing waits for, although others also go on from a: like series
//
// The first two do not change any time. Folding takes a few rounds, each of which costs O(strands
// and orders).
#pragma once

#include "work_span/dag/strands.hpp"

class Folding {
public:
  Folding(Strands& strands, const CallPaths& paths) : strands_(strands), paths_(paths) {}

  void fold(Work grain);

  // The same, at once, when a thread waits for its latest child. `fork`, `child` and `here`, where
  // the thread is, must be pinned by the thread only. If it returns true, `child` has been removed,
  // and possibly `fork`.
  bool fold_child(StrandId fork, StrandId child, StrandId here, Work grain);
  // The same for the thread's latest two children, which it will wait for together. If it returns
  // true, the earlier one has been removed, and possibly its fork.
  bool fold_children(StrandId fork, StrandId child, StrandId later_fork, StrandId later,
                     Work grain);
  // The same for a thread at `here` that waits for others, as for tasks: whatever comes before it,
  // up to strands that are pinned or that others come after, too.
  void fold_before(StrandId here, Work grain);

private:
  bool is_leaf(StrandId id, StrandId fork) const {
    return strands_[id].pins == 1 && strands_[id].after == 0 && strands_.only_before(id) == fork;
  }
  bool append_to(StrandId before, StrandId id);
  // A strand from which others fork.
  struct Fork {
    u32 round = 0; // the round that set `latest`
    StrandId latest{};
  };
  bool is_free(StrandId id) const { return strands_[id].pins == 0 && strands_[id].after == 1; }
  void pass_over_empty(StrandId id);
  u32 drop_implied(StrandId id); // returns how many orders are left, or that there are many
  bool join_series(StrandId id) { return append_to(strands_.only_before(id), id); }
  bool join_siblings(StrandId id);
  bool join_tail(StrandId id);
  // The longest strand that two may become, if that costs what is known of a share.
  Work longest(bool has_share) const;
  bool can_follow(const Strand& first, const Strand& second) const;
  bool are_closed(const Strand& one, const Strand& other) const;
  bool can_be_beside(const Strand& one, const Strand& other) const;
  void close_sections(Strand& strand);
  void take_parts(Strand& into, Strand& from);
  void unite_beside(StrandId into, StrandId from);
  void remove_edge(Strand& strand, u32 edge, u32 previous);
  void remove_if_unused(StrandId id);

  Strands& strands_;
  const CallPaths& paths_;
  Work grain_ = 0;
  u32 round_ = 0;
  Vector<Fork> forks_{"cilkshadow.dag.folding"};
};
