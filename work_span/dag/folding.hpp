// Makes a dag smaller (strands.hpp): strands with less work than a grain become one with those
// beside, before or after them, so that the time on P processors changes by little. What is pinned
// stays; work, overhead, parts and critical sections are never lost, and no order is.
//
//   empty      a strand that executes nothing is passed over
//   implied    so is an order that follows from another one
//   series     a, then b, and nothing else between: one strand, that takes the spans of both
//   parallel   a beside b, between the same two: one strand, that takes the longer span
//   siblings   a, then b forks while little is executed in between, and the same waits for both:
//              as parallel, from the later fork on
//
// The first two change no time at all. A fold costs O(strands and orders) for each of its rounds,
// of which there are few.
#pragma once

#include "work_span/dag/strands.hpp"

class Folding {
public:
  Folding(Strands& strands, const CallPaths& paths) : strands_(strands), paths_(paths) {}

  void fold(Work grain);

  // The same where a thread waits for its latest child, at once. `fork`, `child` and `here`, where
  // the thread is, must be pinned by the thread alone. True: `child` is gone, and so may be `fork`.
  bool fold_child(StrandId fork, StrandId child, StrandId here, Work grain);
  // The same of its latest two children, for which it will wait together. True: the earlier one is
  // gone, and so may be its fork.
  bool fold_children(StrandId fork, StrandId child, StrandId later_fork, StrandId later,
                     Work grain);

private:
  bool is_leaf(StrandId id, StrandId fork) const {
    return strands_[id].pins == 1 && strands_[id].after == 0 && strands_.only_before(id) == fork;
  }
  bool append_to(StrandId before, StrandId id);
  // A strand from which something forks.
  struct Fork {
    u32 round = 0; // that found `latest`
    StrandId latest{};
  };
  bool is_free(StrandId id) const { return strands_[id].pins == 0 && strands_[id].after == 1; }
  void pass_over_empty(StrandId id);
  void drop_implied(StrandId id);
  bool join_series(StrandId id) { return append_to(strands_.only_before(id), id); }
  void join_siblings(StrandId id);
  bool can_follow(const Strand& first, const Strand& second) const;
  bool may_be_one(const Strand& one, const Strand& other) const;
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
