#include "work_span/dag/folding.hpp"

#include <algorithm>
#include <utility>

namespace {

constexpr u32 kMostRounds = 16;
constexpr u32 kFewRemoved = 32; // at least one in this many strands
// Beyond this many strands before a strand, implied orders are not looked for.
constexpr u32 kFewOrders = 16;

// Shares are lost, and of several chunks of a loop it is no longer known what each cost. Such
// strands are shorter by this factor: the number of shares is not bounded.
constexpr Work kShareGrains = 16;

bool is_section(const Strand& strand) {
  return strand.acquires != 0 && strand.acquires == strand.releases;
}

bool is_known(const Share& share) { return share.division != 0 && !share.is_uncertain(); }

// Chunks of one loop do not overlap, unless a thread was taken for another team's.
Share chunks_of_both(const Share& one, const Share& other) {
  Share both = one;
  both.from = std::min(one.from, other.from);
  both.to = std::max(one.to, other.to);
  const u64 others = both.to - both.from - one.taken();
  if (one.of != other.of || one.schedule != other.schedule || other.taken() > others)
    return Share{};
  both.others = others - other.taken();
  return both;
}
// What else is executed counts to a chunk: it is little for the grain.
Share share_beside(const Share& one, const Share& other) {
  if (one.is_chunk() != other.is_chunk())
    return one.is_chunk() ? one : other;
  return one.is_chunk() && one.division == other.division ? chunks_of_both(one, other) : Share{};
}
Share share_in_series(const Share& first, const Share& second) {
  return second.division == 0 ? first : share_beside(first, second);
}

} // namespace

void Folding::fold(Work grain) {
  grain_ = grain;
  forks_.clear();
  forks_.resize(strands_.end());
  round_ = 0;
  // A round that removes few strands costs as much as one that removes many.
  u32 live;
  u32 round = 0;
  do {
    live = strands_.live();
    for (u32 i = 1; i < strands_.end(); i++) {
      const StrandId id{i};
      if (!strands_[id].is_used)
        continue;
      pass_over_empty(id);
      drop_implied(id);
      while (join_series(id)) {
      }
      join_siblings(id);
      if (!join_tail(id))
        remove_if_unused(id);
    }
  } while (live - strands_.live() > live / kFewRemoved && ++round < kMostRounds);
}

// Removes an empty strand that nothing waits for, or will wait for.
void Folding::remove_if_unused(StrandId id) {
  while (id != StrandId::none) {
    const Strand& strand = strands_[id];
    if (strand.pins > 0 || strands_[id].after > 0 || !strand.is_empty())
      return;
    const StrandId before = strands_.only_before(id);
    strands_.remove(id);
    id = before;
  }
}

void Folding::remove_edge(Strand& strand, u32 edge, u32 previous) {
  const u32 next = strands_.edges_[edge].next;
  (previous == 0 ? strand.before : strands_.edges_[previous].next) = next;
  if (strand.last_before == edge)
    strand.last_before = previous;
  strands_.edges_.give_back(edge);
}

// Replaces each empty strand before `id` by the strands before it.
void Folding::pass_over_empty(StrandId id) {
  auto& edges = strands_.edges_;
  for (u32 edge = strands_[id].before; edge != 0; edge = edges[edge].next) {
    for (;;) {
      const StrandId from = edges[edge].from;
      Strand& empty = strands_[from];
      if (!empty.is_empty() || empty.before == 0)
        break;
      if (is_free(from)) { // its orders take its place before `id`
        Strand& strand = strands_[id];
        edges[edge].from = edges[empty.before].from;
        if (const u32 first = empty.before; first != empty.last_before) {
          edges[empty.last_before].next = edges[edge].next;
          if (strand.last_before == edge)
            strand.last_before = empty.last_before;
          edges[edge].next = edges[first].next;
        }
        edges.give_back(empty.before);
        empty.before = empty.last_before = 0;
        strands_[from].after = 0;
        strands_.remove(from);
      } else if (const StrandId before = strands_.only_before(from); before != StrandId::none) {
        edges[edge].from = before;
        strands_[before].after++;
        strands_[from].after--;
        remove_if_unused(from);
      } else {
        break;
      }
    }
  }
}

// Drops orders that follow from another strand before `id`.
u32 Folding::drop_implied(StrandId id) {
  auto& edges = strands_.edges_;
  Strand& strand = strands_[id];
  u32 orders = 0;
  for (u32 edge = strand.before; edge != 0 && orders <= kFewOrders; edge = edges[edge].next)
    orders++;
  if (orders < 2 || orders > kFewOrders)
    return orders;
  for (u32 edge = strand.before, previous = 0; edge != 0;) {
    const u32 next = edges[edge].next;
    const StrandId from = edges[edge].from;
    bool implied = false;
    for (u32 other = strand.before; other != 0 && !implied; other = edges[other].next) {
      if (other == edge)
        continue;
      implied = edges[other].from == from;
      u32 seen = 0;
      for (u32 e = strands_[edges[other].from].before; e != 0 && !implied && ++seen <= kFewOrders;
           e = edges[e].next)
        implied = edges[e].from == from;
      if (!implied && strands_[edges[other].from].thread == strands_[from].thread)
        implied = strands_.is_in_series(from, edges[other].from);
    }
    if (implied) {
      strands_[from].after--;
      remove_edge(strand, edge, previous);
      orders--;
    } else {
      previous = edge;
    }
    edge = next;
  }
  return orders;
}

Work Folding::longest(bool has_share) const { return has_share ? grain_ / kShareGrains : grain_; }

bool Folding::can_follow(const Strand& first, const Strand& second) const {
  return (first.releases == 0 || is_section(first)) &&
         (second.acquires == 0 || is_section(second)) &&
         first.length() + second.length() <= longest(is_known(second.share));
}

bool Folding::are_closed(const Strand& one, const Strand& other) const {
  const auto is_open = [](const Strand& strand) {
    return (strand.acquires | strand.releases) != 0 && !is_section(strand);
  };
  return !is_open(one) && !is_open(other);
}

bool Folding::can_be_beside(const Strand& one, const Strand& other) const {
  const bool has_share = is_known(one.share) || is_known(other.share);
  return are_closed(one, other) && one.length() + other.length() <= longest(has_share);
}

// A strand that is one critical section as a whole becomes a strand that contains one.
void Folding::close_sections(Strand& strand) {
  if (!is_section(strand))
    return;
  strands_.add_section(strand, strand.acquires);
  strand.acquires = strand.releases = 0;
}

void Folding::take_parts(Strand& into, Strand& from) {
  into.work += from.work;
  into.overhead += from.overhead;
  if (into.thread != from.thread)
    into.thread = 0;
  strands_.add_parts(into, from, paths_);
}

// Applies if `before` is the only strand before `id`, and nothing else follows it.
bool Folding::append_to(StrandId before, StrandId id) {
  if (before == StrandId::none || !is_free(before))
    return false;
  Strand& strand = strands_[id];
  Strand& first = strands_[before];
  if (strand.is_meeting || !can_follow(first, strand))
    return false;
  close_sections(first);
  close_sections(strand);
  take_parts(strand, first);
  strand.span += first.span;
  strand.share = share_in_series(first.share, strand.share);
  if (first.acquires != 0)
    strand.acquires = first.acquires;
  strands_.edges_.give_back(strand.before);
  strand.before = std::exchange(first.before, 0);
  strand.last_before = std::exchange(first.last_before, 0);
  strands_[before].after = 0;
  strands_.remove(before);
  return true;
}

void Folding::unite_beside(StrandId into, StrandId from) {
  Strand& to = strands_[into];
  Strand& other = strands_[from];
  close_sections(to);
  close_sections(other);
  take_parts(to, other);
  to.span = std::max(to.span, other.span);
  to.share = share_beside(other.share, to.share);
  strands_[from].after = 0;
  strands_.remove(from);
}

// Merges strands before `id` that fork from the same strand, or from two that follow each other
// closely.
bool Folding::join_siblings(StrandId id) {
  auto& edges = strands_.edges_;
  if (strands_[id].before == strands_[id].last_before)
    return false;
  round_++;
  bool changed = false;
  for (u32 edge = strands_[id].before; edge != 0; edge = edges[edge].next) {
    const StrandId later = edges[edge].from;
    if (!is_free(later))
      continue;
    const StrandId fork = strands_.only_before(later);
    if (fork == StrandId::none)
      continue;
    StrandId with = fork;
    if (forks_[index(fork)].round != round_) {
      with = strands_.only_before(fork);
      if (with == StrandId::none || forks_[index(with)].round != round_ ||
          strands_[fork].length() > grain_)
        with = StrandId::none;
    }
    if (with != StrandId::none) {
      const StrandId earlier = forks_[index(with)].latest;
      if (can_be_beside(strands_[earlier], strands_[later])) {
        forks_[index(with)].round = 0;
        unite_beside(later, earlier);
        changed = true;
      }
    }
    forks_[index(fork)].round = round_;
    forks_[index(fork)].latest = later;
  }
  if (!changed)
    return false;
  Strand& strand = strands_[id];
  for (u32 edge = strand.before, previous = 0; edge != 0;) {
    const u32 next = edges[edge].next;
    if (!strands_[edges[edge].from].is_used)
      remove_edge(strand, edge, previous);
    else
      previous = edge;
    edge = next;
  }
  return true;
}

// What a task executes after others have gone on, and nothing waits for, joins what comes before
// it.
bool Folding::join_tail(StrandId id) {
  const Strand& tail = strands_[id];
  const StrandId before = strands_.only_before(id);
  if (tail.pins > 0 || tail.after > 0 || tail.is_empty() || before == StrandId::none ||
      strands_[before].pins > 0 || !are_closed(strands_[before], tail) ||
      strands_[before].length() + tail.length() > longest(is_known(tail.share)))
    return false;
  Strand& into = strands_[before];
  close_sections(into);
  close_sections(strands_[id]);
  take_parts(into, strands_[id]);
  into.span += tail.span;
  into.share = share_in_series(into.share, tail.share);
  strands_.remove(id);
  return true;
}

bool Folding::fold_child(StrandId fork, StrandId child, StrandId here, Work grain) {
  grain_ = grain;
  if (!is_leaf(child, fork) || !is_leaf(here, fork) || strands_[fork].pins != 1 ||
      !can_be_beside(strands_[child], strands_[here]))
    return false;
  strands_.unpin(child);
  unite_beside(here, child);
  strands_.unpin(fork);
  append_to(fork, here);
  return true;
}

bool Folding::fold_children(StrandId fork, StrandId child, StrandId later_fork, StrandId later,
                            Work grain) {
  grain_ = grain;
  if (!is_leaf(child, fork) || !is_leaf(later, later_fork) ||
      strands_.only_before(later_fork) != fork || strands_[later_fork].length() > grain ||
      !can_be_beside(strands_[child], strands_[later]))
    return false;
  strands_.unpin(child);
  unite_beside(later, child);
  strands_.unpin(fork);
  append_to(fork, later_fork);
  return true;
}

void Folding::fold_before(StrandId here, Work grain) {
  grain_ = grain;
  if (forks_.size() < strands_.end())
    forks_.resize(strands_.end());
  do {
    pass_over_empty(here);
    if (drop_implied(here) > kFewOrders)
      return;
    for (u32 edge = strands_[here].before; edge != 0; edge = strands_.edges_[edge].next)
      while (join_series(strands_.edges_[edge].from)) {
      }
  } while (join_siblings(here));
  while (join_series(here)) {
  }
}
