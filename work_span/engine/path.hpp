// Longest paths through the dag of strands, and what lies along them.
//
// A path is what a thread has behind it: the length of the longest way from the program's start to
// here (the span so far), and the profs along that way. Where the computation forks, both branches
// share what lies before: a node, immutable and counted, that both have as predecessor. Where
// branches meet, one path goes on and the other is dropped; a node that only one path still needs
// is united with it. So memory is bounded by the branches alive, not by the forks there were.
//
// A fork within one thread needs no node as long as nobody else sees what lies before it: the
// branches are paths without a node before them, and who forked keeps what lies before as a path of
// its own.
//
// Beside the span two more lengths are kept, without profs: the burdened span, in which each spawn
// costs a constant more, and the lock-serialised span, in which the critical sections of a lock
// follow each other in the order observed. Their longest paths may be other ones.
#pragma once

#include "work_span/engine/prof.hpp"

class DagRecorder;
enum class StrandId : u32;

// Copied number by number, as they are counted: what was just stored in several pieces cannot be
// loaded in one without a wait.
struct Lengths {
  Span span = 0;
  Span burdened = 0;
  Span serialised = 0;

  Lengths() = default;
  explicit Lengths(Span all) : span(all), burdened(all), serialised(all) {}
  Lengths(const Lengths& other)
      : span(other.span), burdened(other.burdened), serialised(other.serialised) {}
  Lengths& operator=(const Lengths& other) {
    span = other.span;
    burdened = other.burdened;
    serialised = other.serialised;
    return *this;
  }

  Lengths& operator+=(Work work) {
    span += work;
    burdened += work;
    serialised += work;
    return *this;
  }
  void raise_to(const Lengths& other) {
    span = span < other.span ? other.span : span;
    burdened = burdened < other.burdened ? other.burdened : burdened;
    serialised = serialised < other.serialised ? other.serialised : serialised;
  }
  Lengths& operator-=(const Lengths& other) {
    span -= other.span;
    burdened -= other.burdened;
    serialised -= other.serialised;
    return *this;
  }
  Lengths& operator+=(const Lengths& other) {
    span += other.span;
    burdened += other.burdened;
    serialised += other.serialised;
    return *this;
  }
  bool operator==(const Lengths&) const = default;
};

struct PathNode {
  u32 references; // of nodes after it, paths and points; 0: free
  Prof prof;
  PathNode* before; // null: the program's start
};

// Where a path has been, frozen: what a thread that ended, a semaphore or a spawned child that
// returned leaves to those who wait for it. Copied and dropped by Paths only.
struct PathPoint {
  Lengths lengths;
  PathNode* node = nullptr; // null: nothing is frozen here
  StrandId strand{};        // the latest before it, if the dag is recorded
};

// A path that grows, or a branch of one. What it is moved from is a branch of it, without length.
struct Path {
  Lengths lengths;            // from the program's start
  Prof prof;                  // since `before`
  PathNode* before = nullptr; // null: where the branch forked, or the program's start

  Path() = default;
  Path(Path&& other) noexcept { *this = std::move(other); }
  // This one must be empty.
  Path& operator=(Path&& other) noexcept {
    lengths = other.lengths;
    prof = std::move(other.prof);
    before = std::exchange(other.before, nullptr);
    return *this;
  }

  bool is_list() const { return before == nullptr && prof.is_list(); }
};

// Operations on paths; owns the nodes' memory.
class Paths {
public:
  explicit Paths(ProfPool& profs) : profs_(profs) {}
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;
  void record(DagRecorder& dag) { dag_ = &dag; }
  ~Paths(); // after it, no path or point may be used

  // The point where `path` is now; it goes on from there.
  PathPoint freeze(Path& path);
  // The same for a path that ends here.
  PathPoint end(Path& path);
  PathPoint copy(const PathPoint& point);
  void drop(PathPoint& point);

  void drop(Path& path) {
    path.prof.clear(profs_);
    if (path.before != nullptr)
      drop_node(std::exchange(path.before, nullptr));
  }

  // A path that goes on from `point`, which is used up.
  Path begin(PathPoint& point) {
    Path path;
    path.lengths = point.lengths;
    path.before = std::exchange(point.node, nullptr);
    forget_strand(point);
    return path;
  }
  // Nothing else goes on from where `branch` forked, the end of `path`, which goes on with it. The
  // branch is used up, but for its lengths.
  void append(Path& path, Path& branch) {
    if (branch.before != nullptr) [[unlikely]]
      return replace(path, branch);
    path.prof.unite(profs_, branch.prof);
  }
  // The same with the longer of two branches; the other is dropped.
  void go_on(Path& path, Path& longer, Path& other) {
    if (!longer.is_list() || !other.is_list()) [[unlikely]]
      return go_on_with_nodes(path, longer, other);
    other.prof.drop_list(profs_);
    path.prof.take_list(profs_, longer.prof);
  }
  // `branch` has no node before it any more: what is in those of its own becomes its prof, and
  // where it forked from is others'.
  void unfork(Path& branch);
  // All that `path` did is in nodes.
  void pack(Path& path);
  // `branch`, if it has no node before it, forked where the packed `path` ends.
  void fork_at_node(Path& branch, const Path& path) {
    if (branch.before == nullptr) {
      branch.before = path.before;
      branch.before->references++;
    }
  }
  // `point` happens before what follows on `path`: the longer of both goes on. True if that is the
  // point's. The point is used up.
  bool join(Path& path, PathPoint& point);
  // Keeps the later of two points, the kept one if they are equal. The other is used up.
  void keep_later(PathPoint& kept, PathPoint& other);
  // The same where there may be none yet.
  void gather(PathPoint& into, PathPoint point) {
    if (into.node == nullptr)
      into = point;
    else
      keep_later(into, point);
  }

  // Calls f(site, measures) for the profs along `path`, several times for a site.
  template <typename F> void for_each(const Path& path, F f);

  u64 nodes() const { return live_; } // for tests of the space bound

private:
  void forget_strand(PathPoint& point) {
    if (point.strand != StrandId{}) [[unlikely]]
      unpin_strand(point);
  }
  void unpin_strand(PathPoint& point);
  void replace(Path& path, Path& branch);
  void go_on_with_nodes(Path& path, Path& longer, Path& other);
  PathNode* take_node();
  void add_nodes();
  void release_node(PathNode* node);
  void drop_node(PathNode* node) {
    if (--node->references == 0)
      free_chain(node);
  }
  void free_chain(PathNode* node);
  // What lies before and nobody else needs becomes part of `prof`.
  void absorb_before(Prof& prof, PathNode*& before) {
    if (before != nullptr && before->references == 1) [[unlikely]]
      unite_with_before(prof, before);
  }
  void unite_with_before(Prof& prof, PathNode*& before);
  void compress();

  ProfPool& profs_;
  DagRecorder* dag_ = nullptr;
  PathNode* free_ = nullptr; // linked by `before`
  u64 live_ = 0;
  u64 compress_at_ = 1024;
  Vector<PathNode*> blocks_{"cilkshadow.paths"};
};

template <typename F> void Paths::for_each(const Path& path, F f) {
  path.prof.for_each(f);
  for (const PathNode* node = path.before; node != nullptr; node = node->before)
    node->prof.for_each(f);
}
