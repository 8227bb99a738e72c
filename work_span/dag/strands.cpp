#include "work_span/dag/strands.hpp"

#include "base/check.hpp"

#include <utility>

namespace {
// Once there are this many parts in all, each strand or lock in it gets only a few; further calls
// count as their caller's. A part takes some 14 bytes in a file.
constexpr u32 kMostPartsInAll = 400'000;
constexpr u32 kMostParts = 12;
} // namespace

StrandId Strands::add(u32 thread, StrandId before) {
  const StrandId id{strands_.take()};
  Strand& made = (*this)[id];
  made.is_used = true;
  made.thread = thread;
  made.pins = 1;
  made.parts_owner = ++owners_;
  if (before != StrandId::none)
    order(before, id);
  return id;
}

void Strands::order(StrandId before, StrandId after) {
  const u32 edge = edges_.take();
  edges_[edge].from = before;
  (*this)[before].is_meeting = false;
  (*this)[before].after++;
  Strand& to = (*this)[after];
  (to.before == 0 ? to.before : edges_[to.last_before].next) = edge;
  to.last_before = edge;
}

void Strands::move_after(StrandId id, StrandId before) {
  StrandEdge& edge = edges_[(*this)[id].before];
  (*this)[edge.from].after--;
  (*this)[before].after++;
  edge.from = before;
}

StrandId Strands::meet(StrandId one, StrandId other) {
  if (one == other) {
    unpin(other);
    return one;
  }
  if ((*this)[other].is_meeting && (*this)[other].pins == 1)
    std::swap(one, other);
  if (!(*this)[one].is_meeting || (*this)[one].pins != 1) {
    const StrandId meeting = add(0, one);
    unpin(one);
    (*this)[meeting].is_meeting = true;
    one = meeting;
  }
  order(other, one);
  unpin(other);
  return one;
}

StrandId Strands::only_before(StrandId id) const {
  const u32 edge = (*this)[id].before;
  return edge == 0 || edges_[edge].next != 0 ? StrandId::none : edges_[edge].from;
}

// As long as no other strand has used the paths of a strand, all of its parts are in `latest_`.
[[gnu::noinline]] StrandPart& Strands::find_part(Strand& strand, PathId path,
                                                 const CallPaths& paths) {
  if (strand.parts == 0)
    sole_owner_ = strand.parts_owner;
  else if (strand.parts_owner != sole_owner_)
    sole_owner_ = 0;
  u32 found = sole_owner_ != 0 ? 0 : strand.parts;
  while (found != 0 && parts_[found].path != path)
    found = parts_[found].next;
  if (found == 0) {
    if (is_full(strand.part_count) && path != PathId::root)
      return part(strand, paths.caller(path), paths);
    found = parts_.take();
    parts_[found].path = path;
    parts_[found].next = std::exchange(strand.parts, found);
    strand.part_count++;
  }
  if (index(path) >= latest_.size())
    latest_.resize(paths.size());
  latest_[index(path)] = {strand.parts_owner, found};
  return parts_[found];
}

bool Strands::is_full(u32 parts) const {
  return parts >= kMostParts && parts_.live() >= kMostPartsInAll;
}

StrandPart& Strands::part(LockUse& use, PathId path, const CallPaths& paths) {
  for (;; path = paths.caller(path)) {
    for (u32 found = use.parts; found != 0; found = parts_[found].next)
      if (parts_[found].path == path)
        return parts_[found];
    if (!is_full(use.part_count) || path == PathId::root)
      break;
  }
  const u32 made = parts_.take();
  parts_[made].path = path;
  parts_[made].next = std::exchange(use.parts, made);
  use.part_count++;
  return parts_[made];
}

void Strands::add_sections(Strand& strand, u32 lock, u64 sections, u32 parts,
                           const CallPaths& paths) {
  u32 use = strand.locks;
  while (use != 0 && locks_[use].lock != lock)
    use = locks_[use].next;
  if (use == 0) {
    use = locks_.take();
    locks_[use].lock = lock;
    locks_[use].next = std::exchange(strand.locks, use);
  }
  locks_[use].sections += sections;
  for (; parts != 0; parts = parts_[parts].next) {
    const StrandPart added = parts_[parts]; // the list may move
    StrandPart& to = part(locks_[use], added.path, paths);
    to.work += added.work;
    to.overhead += added.overhead;
  }
}

void Strands::give_back_parts(u32 first) {
  while (first != 0)
    parts_.give_back(std::exchange(first, parts_[first].next));
}

void Strands::forget_parts(Strand& strand) {
  give_back_parts(std::exchange(strand.parts, 0));
  strand.part_count = 0;
  strand.parts_owner = ++owners_;
  for (u32 use = std::exchange(strand.locks, 0); use != 0;) {
    give_back_parts(locks_[use].parts);
    locks_.give_back(std::exchange(use, locks_[use].next));
  }
}

void Strands::forget_before(Strand& strand) {
  for (u32 edge = std::exchange(strand.before, 0); edge != 0;) {
    (*this)[edges_[edge].from].after--;
    edges_.give_back(std::exchange(edge, edges_[edge].next));
  }
  strand.last_before = 0;
}

void Strands::remove(StrandId id) {
  Strand& strand = (*this)[id];
  CHECK(strand.pins == 0);
  forget_parts(strand);
  forget_before(strand);
  strand.is_used = false;
  strands_.give_back(index(id));
}

void Strands::forget_work() {
  for (u32 i = 1; i < strands_.end(); i++) {
    Strand& strand = strands_[i];
    strand.work = strand.overhead = strand.span = 0;
    forget_parts(strand);
  }
}
