#include "work_span/dag/strands.hpp"

#include "base/check.hpp"

#include <utility>

namespace {
constexpr u32 kMostParts = 12; // of a strand; what is called beyond is its caller's
}

StrandId Strands::add(u32 thread, StrandId before) {
  const StrandId id{strands_.take()};
  Strand& made = (*this)[id];
  made.is_used = true;
  made.thread = thread;
  made.pins = 1;
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

// Moved to the front.
[[gnu::noinline]] StrandPart& Strands::find_part(Strand& strand, PathId path,
                                                 const CallPaths& paths) {
  u32 count = 0;
  for (u32* link = &strand.parts; *link != 0; link = &parts_[*link].next, count++)
    if (parts_[*link].path == path) {
      const u32 found = *link;
      *link = parts_[found].next;
      parts_[found].next = std::exchange(strand.parts, found);
      return parts_[found];
    }
  if (count >= kMostParts && path != PathId::root)
    return part(strand, paths.caller(path), paths);
  const u32 made = parts_.take();
  parts_[made].path = path;
  parts_[made].next = std::exchange(strand.parts, made);
  return parts_[made];
}

void Strands::add_sections(Strand& strand, u32 lock, u64 sections, Work held) {
  u32 use = strand.locks;
  while (use != 0 && locks_[use].lock != lock)
    use = locks_[use].next;
  if (use == 0) {
    use = locks_.take();
    locks_[use].lock = lock;
    locks_[use].next = std::exchange(strand.locks, use);
  }
  locks_[use].sections += sections;
  locks_[use].held += held;
}

void Strands::forget_parts(Strand& strand) {
  for (u32 part = std::exchange(strand.parts, 0); part != 0;)
    parts_.give_back(std::exchange(part, parts_[part].next));
  for (u32 use = std::exchange(strand.locks, 0); use != 0;)
    locks_.give_back(std::exchange(use, locks_[use].next));
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
