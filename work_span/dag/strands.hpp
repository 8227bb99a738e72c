// The dag of a run: strands, in the order that the program demands. A strand is what a thread
// executes from one fork, join, wait or lock to the next, on one call path or several.
//
// Owns the strands. Who may still order something after a strand, or extend it, pins it; a strand
// that nobody pins may become part of another one (folding.hpp). Numbers of strands stay.
//
// A strand whose span is below its work stands for a part of the dag that runs in parallel itself:
// with enough processors it takes its span.
#pragma once

#include "work_span/dag/call_paths.hpp"
#include "work_span/dag/pool.hpp"

enum class StrandId : u32 { none = 0 };
constexpr u32 index(StrandId id) { return static_cast<u32>(id); }

// What of a strand was executed on a call path, by the program and by a run-time library.
struct StrandPart {
  u32 next = 0;
  PathId path{};
  Work work = 0;
  Work overhead = 0;
};

// Critical sections within a strand.
struct LockUse {
  u32 next = 0;
  u32 lock = 0;
  u64 sections = 0;
  Work held = 0;
};

// One that comes before a strand.
struct StrandEdge {
  u32 next = 0;
  StrandId from{};
};

struct Strand {
  Work work = 0;     // of all parts
  Work overhead = 0; // likewise
  Span span = 0;     // without overhead
  u32 pins = 0;
  u32 after = 0;    // how many come right after it
  u32 thread = 0;   // its number; 0: several
  u32 acquires = 0; // a lock, before it begins
  u32 releases = 0; // a lock, when it ends
  // Lists. Those that come before are in the order in which they were added.
  u32 before = 0;
  u32 last_before = 0;
  u32 parts = 0; // the latest first
  u32 part_count = 0;
  u32 locks = 0;
  u64 parts_owner = 0; // as whose they are known: unlike a strand's number, never used again
  bool is_used = false;
  bool is_meeting = false; // it only waits for others, and nothing comes after it yet

  bool is_empty() const { return work + overhead == 0 && acquires == 0 && releases == 0; }
};

class Strands {
public:
  Strand& operator[](StrandId id) { return strands_[index(id)]; }
  const Strand& operator[](StrandId id) const { return strands_[index(id)]; }
  u32 end() const { return strands_.end(); }
  u32 live() const { return strands_.live(); }

  // A new strand, pinned once; after `before`, if that is one.
  StrandId add(u32 thread, StrandId before);
  void order(StrandId before, StrandId after);
  // What comes after one strand alone comes after another one instead.
  void move_after(StrandId id, StrandId before);
  void pin(StrandId id) { strands_[index(id)].pins++; }
  void unpin(StrandId id) { strands_[index(id)].pins--; }
  // What comes after both, pinned once. Both are unpinned.
  StrandId meet(StrandId one, StrandId other);
  // The only one before it; none: there are several or none.
  StrandId only_before(StrandId id) const;

  void add_work(StrandId id, PathId path, Work work, const CallPaths& paths) {
    Strand& strand = strands_[index(id)];
    strand.work += work;
    part(strand, path, paths).work += work;
  }
  void add_overhead(StrandId id, PathId path, Work amount, const CallPaths& paths) {
    Strand& strand = strands_[index(id)];
    strand.overhead += amount;
    part(strand, path, paths).overhead += amount;
  }
  void add_sections(Strand& strand, u32 lock, u64 sections, Work held);
  // Forgets what was executed, not the order.
  void forget_work();

  // Calls f(edge) for what comes before a strand; f(part); f(use).
  template <typename F> void for_each_before(const Strand& strand, F f) const {
    for (u32 i = strand.before; i != 0; i = edges_[i].next)
      f(edges_[i].from);
  }
  template <typename F> void for_each_part(const Strand& strand, F f) const {
    for (u32 i = strand.parts; i != 0; i = parts_[i].next)
      f(parts_[i]);
  }
  template <typename F> void for_each_lock(const Strand& strand, F f) const {
    for (u32 i = strand.locks; i != 0; i = locks_[i].next)
      f(locks_[i]);
  }

private:
  friend class Folding;
  struct LatestPart {
    u64 owner = 0;
    u32 part = 0;
  };
  StrandPart& part(Strand& strand, PathId path, const CallPaths& paths) {
    if (index(path) < latest_.size() && latest_[index(path)].owner == strand.parts_owner) [[likely]]
      return parts_[latest_[index(path)].part];
    return find_part(strand, path, paths);
  }
  StrandPart& find_part(Strand& strand, PathId path, const CallPaths& paths);
  void forget_parts(Strand& strand);
  void forget_before(Strand& strand);
  void remove(StrandId id);

  Pool<Strand> strands_{"cilkshadow.dag.strands"};
  Pool<StrandEdge> edges_{"cilkshadow.dag.edges"};
  Pool<StrandPart> parts_{"cilkshadow.dag.parts"};
  Pool<LockUse> locks_{"cilkshadow.dag.locks"};
  Vector<LatestPart> latest_{"cilkshadow.dag.parts"}; // by path, of the strand that had it last
  u64 owners_ = 0;
  u64 sole_owner_ = 0; // all that looked for a part since it had its first
};
