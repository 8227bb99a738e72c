// The dag of a run: its strands, and the order that the program imposes on them. A strand is what a
// thread executes from one fork, join, wait or lock operation to the next, on one or more call
// paths.
//
// Owns the strands. A strand is pinned by anybody who may still extend it or order something after
// it; a strand without pins may be merged into another one (folding.hpp). The numbers of strands do
// not change.
//
// A strand whose span is less than its work represents a part of the dag that is itself parallel:
// with enough processors it takes its span.
#pragma once

#include "work_span/dag/call_paths.hpp"
#include "work_span/dag/keyed_lists.hpp"
#include "work_span/dag/overhead.hpp"

enum class StrandId : u32 { none = 0 };
constexpr u32 index(StrandId id) { return static_cast<u32>(id); }

// The part of a strand that was executed on one call path, by the program and by run-time
// libraries.
struct StrandPart {
  u32 next = 0;
  PathId path{};
  Work work = 0;
  Overhead overhead{};

  u32 key() const { return index(path); }
  Work length() const { return work + overhead.sum(); }
};

// The part of a strand's part that was executed under a lock, overhead included.
struct SectionPart {
  u32 next = 0;
  PathId path{};
  Work length = 0;

  u32 key() const { return index(path); }
};

// Critical sections within a strand, and what they execute.
struct LockUse {
  u32 next = 0;
  u32 lock = 0;
  u64 sections = 0;
  Work length = 0; // of all parts
  KeyedList parts{};

  u32 key() const { return lock; }
};

// An order: `from` comes before the strand that has the edge.
struct StrandEdge {
  u32 next = 0;
  StrandId from{};
};

// How the threads of a team divide something among themselves: by number, as a loop with a static
// schedule; or each takes a chunk of a loop whenever it is free. With a guided schedule, a chunk is
// what is left of the iterations, over the number of threads (libgomp) or half of that (libomp).
enum class Schedule : u8 {
  by_number,
  dynamic,
  guided,
  guided_by_half
}; // numbers as in the profile

// What the threads of a team divide, and the part of it that begins with a strand: from..to of
// 0..of. The part ends where other strands come in between, or another share begins. All of a
// whole, 0..1 of 0..1, is not divided. Where a thread finds no more chunks, of..of begins. Several
// chunks of a loop are one share once their strands have been folded.
struct Share {
  static Share undivided(u32 number, PathId path) {
    return {.division = number, .from = 0, .to = 1, .of = 1, .path = path};
  }
  bool is_undivided() const { return division != 0 && !is_in_chunks() && to - from == of; }
  // One of a loop only if it turns out to be one (runtimes/work_counters.hpp).
  static constexpr u64 kUncertain = u64{1} << 52; // iterations
  bool is_uncertain() const { return iterations == kUncertain; }
  bool is_in_chunks() const { return schedule != Schedule::by_number; }
  bool is_chunk() const { return is_in_chunks() && from < to; }
  u64 taken() const { return to - from - others; }

  u32 division = 0; // numbered from 1; 0: no share begins
  u64 from = 0;
  u64 to = 0;
  u64 of = 0;
  u64 iterations = 0; // of the whole loop; 0: unknown
  PathId path{};      // on which it begins
  Schedule schedule = Schedule::by_number;
  u32 chunk = 0;  // iterations, the fewest that are taken at once; 0: divided by number
  u64 others = 0; // of several chunks: iterations in between that are in chunks of other strands
};

struct Strand {
  Work work = 0;     // of all parts
  Work overhead = 0; // of all parts
  Span span = 0;     // without overhead
  u32 pins = 0;
  u32 after = 0;    // number of strands directly after it
  u32 thread = 0;   // its number; 0: several threads
  u32 acquires = 0; // a lock, before it begins
  u32 releases = 0; // a lock, when it ends
  Share share{};    // that begins here
  // Lists. Those of preceding strands are in the order in which they were added.
  u32 before = 0;
  u32 last_before = 0;
  KeyedList parts{};
  KeyedList locks{};
  bool is_used = false;
  bool is_meeting = false; // only waits for others, and nothing comes after it yet

  Work length() const { return work + overhead; }
  bool is_empty() const { return length() == 0 && acquires == 0 && releases == 0; }
};

// Numbers of parts in all. From `parts` on, a strand gets only a few; further calls count as those
// callers that they have in common with one of these. From `held` on, of locks and of parts under
// them, a strand keeps only the few locks that are held longest in it; what is executed under
// others counts as not locked. A part takes some 14 bytes in a file, in memory 64, or under a lock
// 16 and a lock 40.
struct StrandLimits {
  u32 parts = 400'000;
  u32 held = 400'000;
};

class Strands {
public:
  explicit Strands(StrandLimits limits = {}) : limits_(limits) {}

  Strand& operator[](StrandId id) { return strands_[index(id)]; }
  const Strand& operator[](StrandId id) const { return strands_[index(id)]; }
  u32 end() const { return strands_.end(); }
  u32 live() const { return strands_.live(); }

  // Adds a strand, pinned once; after `before`, if that is one.
  StrandId add(u32 thread, StrandId before);
  void order(StrandId before, StrandId after);
  // Moves a strand, which comes after a single other one, behind `before`.
  void move_after(StrandId id, StrandId before);
  void pin(StrandId id) { strands_[index(id)].pins++; }
  void unpin(StrandId id) { strands_[index(id)].pins--; }
  // Returns a strand that comes after both, pinned once. Unpins both.
  StrandId meet(StrandId one, StrandId other);
  // Returns the only strand before it; none if there are several or none.
  StrandId only_before(StrandId id) const;
  // Whether one comes after another in the same series, with only few in between.
  bool is_in_series(StrandId before, StrandId after) const;

  void add_work(StrandId id, PathId path, Work work, const CallPaths& paths) {
    Strand& strand = strands_[index(id)];
    strand.work += work;
    part(strand, path, paths).work += work;
  }
  void add_overhead(StrandId id, PathId path, OverheadKind kind, Work amount,
                    const CallPaths& paths) {
    Strand& strand = strands_[index(id)];
    strand.overhead += amount;
    part(strand, path, paths).overhead.of(kind) += amount;
  }
  // Adds what another strand executes, and its critical sections.
  void add_parts(Strand& strand, const Strand& other, const CallPaths& paths);
  // Adds a critical section, which is the strand as a whole.
  void add_section(Strand& strand, u32 lock);
  // If there are more paths than `most`, what was executed on those with least counts as their
  // callers'.
  void keep_largest_paths(u32 most, const CallPaths& paths);
  // Forgets what was executed, but not the order.
  void forget_work();

  // Call f(strand) for each strand directly before; f(part); f(use).
  template <typename F> void for_each_before(const Strand& strand, F f) const {
    for (u32 i = strand.before; i != 0; i = edges_[i].next)
      f(edges_[i].from);
  }
  template <typename F> void for_each_part(const Strand& strand, F f) const {
    parts_.for_each(strand.parts, f);
  }
  template <typename F> void for_each_part(const LockUse& use, F f) const {
    held_.for_each(use.parts, f);
  }
  template <typename F> void for_each_lock(const Strand& strand, F f) const {
    locks_.for_each(strand.locks, f);
  }

private:
  friend class Folding;
  void move_order(StrandEdge& edge, StrandId before);
  bool replaces_earlier(StrandId meeting, StrandId later);
  StrandPart& part(Strand& strand, PathId path, const CallPaths& paths) {
    u32 found = parts_.find(strand.parts, index(path));
    if (found == 0) [[unlikely]]
      found = add_part(strand, path, paths);
    return parts_[found];
  }
  u32 add_part(Strand& strand, PathId path, const CallPaths& paths);
  PathId nearest_part(const Strand& strand, PathId path, const CallPaths& paths) const;
  bool has_many_locks() const { return locks_.live() + held_.live() >= limits_.held; }
  void add_locks(Strand& strand, const KeyedList& locks, const CallPaths& paths);
  u32 use_of(Strand& strand, u32 lock, Work length);
  void add_held(u32 use, PathId path, Work length);
  void forget_locks(KeyedList& locks);
  void move_parts(Strand& strand, const Vector<PathId>& to); // by path
  void forget_parts(Strand& strand);
  void forget_before(Strand& strand);
  void remove(StrandId id);

  Pool<Strand> strands_{"cilkshadow.dag.strands"};
  Pool<StrandEdge> edges_{"cilkshadow.dag.edges"};
  KeyedLists<StrandPart> parts_{"cilkshadow.dag.parts"};
  KeyedLists<LockUse> locks_{"cilkshadow.dag.locks"};
  KeyedLists<SectionPart> held_{"cilkshadow.dag.locks"};
  const StrandLimits limits_;
};
