#include "work_span/dag/strands.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace {
// Of each strand, beyond the limits of all strands.
constexpr u32 kMostParts = 12;
constexpr u32 kMostLocks = 8;
} // namespace

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
  move_order(edges_[(*this)[id].before], before);
}

void Strands::move_order(StrandEdge& edge, StrandId before) {
  (*this)[edge.from].after--;
  (*this)[before].is_meeting = false;
  (*this)[before].after++;
  edge.from = before;
}

StrandId Strands::meet(StrandId one, StrandId other) {
  if (one == other) {
    unpin(other);
    return one;
  }
  if (is_in_series(one, other)) {
    unpin(one);
    return other;
  }
  if ((*this)[other].is_meeting && (*this)[other].pins == 1)
    std::swap(one, other);
  if (!(*this)[one].is_meeting || (*this)[one].pins != 1) {
    const StrandId meeting = add(0, one);
    unpin(one);
    (*this)[meeting].is_meeting = true;
    one = meeting;
  }
  if (!replaces_earlier(one, other))
    order(other, one);
  unpin(other);
  return one;
}

// A point that gathers what threads do again and again is to come after the latest of each. What
// that implies is not kept: so strands in series remain so, and can be folded.
bool Strands::replaces_earlier(StrandId meeting, StrandId later) {
  constexpr int kFewThreads = 16;
  const u32 thread = (*this)[later].thread;
  u32 edge = (*this)[meeting].before;
  for (int i = 1; (*this)[edges_[edge].from].thread != thread; i++) {
    edge = edges_[edge].next;
    if (edge == 0 || i == kFewThreads)
      return false;
  }
  if (!is_in_series(edges_[edge].from, later))
    return false;
  move_order(edges_[edge], later);
  return true;
}

bool Strands::is_in_series(StrandId before, StrandId after) const {
  constexpr int kFewStrands = 8; // as of loops in between
  for (int i = 0; i < kFewStrands && after != StrandId::none && after != before; i++)
    after = only_before(after);
  return after == before;
}

StrandId Strands::only_before(StrandId id) const {
  const u32 edge = (*this)[id].before;
  return edge == 0 || edges_[edge].next != 0 ? StrandId::none : edges_[edge].from;
}

[[gnu::noinline]] u32 Strands::add_part(Strand& strand, PathId path, const CallPaths& paths) {
  if (strand.parts.count < kMostParts || parts_.live() < limits_.parts)
    return parts_.add(strand.parts, {.path = path});
  const PathId nearest = nearest_part(strand, path, paths);
  u32 part = parts_.find(strand.parts, index(nearest));
  if (part == 0)
    part = parts_.add(strand.parts, {.path = nearest});
  parts_.remember(strand.parts, index(path), part);
  return part;
}

// The innermost path that `path` has in common with a part of the strand; if the strand has twice
// as many parts as it should, the innermost part that is on `path`. If there is none, the outermost
// call of `path`.
PathId Strands::nearest_part(const Strand& strand, PathId path, const CallPaths& paths) const {
  PathId nearest = PathId::root;
  const bool may_add = strand.parts.count < 2 * kMostParts;
  for_each_part(strand, [&](const StrandPart& part) {
    const PathId common = paths.common(path, part.path);
    if (may_add || common == part.path)
      nearest = std::max(nearest, common);
  });
  return nearest == PathId::root ? paths.outermost(path) : nearest;
}

void Strands::add_parts(Strand& strand, const Strand& other, const CallPaths& paths) {
  for_each_part(other, [&](const StrandPart& part) {
    const StrandPart added = part; // `part` may move
    StrandPart& to = this->part(strand, added.path, paths);
    to.work += added.work;
    to.overhead += added.overhead;
  });
  if (strand.locks.count > kMostLocks && has_many_locks()) {
    KeyedList all = std::exchange(strand.locks, {});
    add_locks(strand, all, paths);
    forget_locks(all);
  }
  add_locks(strand, other.locks, paths);
}

// What they execute is in the strand's parts already.
void Strands::add_locks(Strand& strand, const KeyedList& locks, const CallPaths& paths) {
  locks_.for_each(locks, [&](const LockUse& use) {
    const LockUse added = use;
    const u32 to = use_of(strand, added.lock, added.length);
    if (to == 0)
      return;
    locks_[to].sections += added.sections;
    for_each_part(added, [&](const SectionPart& part) {
      const Work length = part.length;
      add_held(to, this->part(strand, part.path, paths).path, length);
    });
  });
}

void Strands::add_section(Strand& strand, u32 lock) {
  const u32 to = use_of(strand, lock, strand.length());
  if (to == 0)
    return;
  locks_[to].sections++;
  for_each_part(strand, [&](const StrandPart& part) { add_held(to, part.path, part.length()); });
}

// Returns the use of a lock that sections of this length belong to; 0 if they are not kept.
u32 Strands::use_of(Strand& strand, u32 lock, Work length) {
  if (const u32 found = locks_.find(strand.locks, lock); found != 0)
    return found;
  if (strand.locks.count < kMostLocks || !has_many_locks())
    return locks_.add(strand.locks, {.lock = lock});
  u32 shortest = strand.locks.first;
  for (u32 i = shortest; i != 0; i = locks_[i].next)
    if (locks_[i].length < locks_[shortest].length)
      shortest = i;
  if (locks_[shortest].length >= length)
    return 0;
  held_.clear(locks_[shortest].parts);
  locks_.replace(strand.locks, shortest, {.lock = lock});
  return shortest;
}

void Strands::add_held(u32 use, PathId path, Work length) {
  LockUse& to = locks_[use];
  to.length += length;
  u32 part = held_.find(to.parts, index(path));
  if (part == 0)
    part = held_.add(to.parts, {.path = path});
  held_[part].length += length;
}

void Strands::forget_locks(KeyedList& locks) {
  for (u32 use = locks.first; use != 0; use = locks_[use].next)
    held_.clear(locks_[use].parts);
  locks_.clear(locks);
}

void Strands::forget_parts(Strand& strand) {
  parts_.clear(strand.parts);
  forget_locks(strand.locks);
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

void Strands::keep_largest_paths(u32 most, const CallPaths& paths) {
  Vector<Work> executed{"cilkshadow.dag.paths"}; // on the path, and on those that it calls
  executed.resize(paths.size());
  for (u32 i = 1; i < strands_.end(); i++)
    for_each_part(strands_[i],
                  [&](const StrandPart& part) { executed[index(part.path)] += part.length(); });
  for (u32 i = paths.size(); i-- > 1;)
    executed[index(paths.caller(PathId{i}))] += executed[i];
  Work least = 1;
  while (std::count_if(executed.begin(), executed.end(), [&](Work w) { return w >= least; }) > most)
    least *= 2;
  if (least == 1 && paths.size() <= most)
    return;
  Vector<PathId> kept{"cilkshadow.dag.paths"}; // instead of each path
  kept.resize(paths.size());
  for (u32 i = 1; i < paths.size(); i++)
    kept[i] = executed[i] >= least ? PathId{i} : kept[index(paths.caller(PathId{i}))];
  for (u32 i = 1; i < strands_.end(); i++)
    move_parts(strands_[i], kept);
}

namespace {
// Moves each element of a list to its path's element in another one.
template <typename T, typename Add>
void move_elements(KeyedLists<T>& lists, KeyedList& list, const Vector<PathId>& to, Add add) {
  KeyedList all = std::exchange(list, {});
  lists.for_each(all, [&](const T& element) {
    const T moved = element; // it may move in memory
    const PathId path = to[index(moved.path)];
    u32 found = lists.find(list, index(path));
    if (found == 0)
      found = lists.add(list, {.path = path});
    add(lists[found], moved);
  });
  lists.clear(all);
}
} // namespace

void Strands::move_parts(Strand& strand, const Vector<PathId>& to) {
  move_elements(parts_, strand.parts, to, [](StrandPart& into, const StrandPart& part) {
    into.work += part.work;
    into.overhead += part.overhead;
  });
  for (u32 use = strand.locks.first; use != 0; use = locks_[use].next)
    move_elements(held_, locks_[use].parts, to,
                  [](SectionPart& into, const SectionPart& part) { into.length += part.length; });
  strand.share.path = to[index(strand.share.path)];
}
