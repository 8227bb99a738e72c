// Longest paths through the dag of strands, and the profs along them.
//
// A thread's path has the length of the longest way from the program's start to where the thread is
// (the span so far), and the profs along that way. Where the computation forks, both branches share
// what lies before the fork: an immutable, reference-counted node that is the predecessor of both.
// Where branches join, one path continues and the other is dropped; a node that only one path still
// needs is merged with it. So memory is bounded by the number of live branches, not by the number
// of forks.
//
// A fork within one thread needs no node as long as nobody else sees what lies before it: the
// branches are then paths without a preceding node, and the thread keeps what lies before the fork
// as a path of its own.
//
// In addition to the span, two more lengths are kept, without profs: the burdened span, in which
// each spawn costs a constant more, and the lock-serialised span, in which the critical sections of
// a lock follow each other in the observed order. Their longest paths may be different ones.
#pragma once

#include "work_span/engine/prof.hpp"

class DagRecorder;
enum class StrandId : u32;

// Copied one by one, as they were stored: a wider load would have to wait for all of the stores.
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
  u32 references; // by nodes after it, paths and points; 0: free
  Prof prof;
  PathNode* before; // null: the program's start
};

// A frozen position on a path: what an ended thread, a semaphore or a returned child leaves to
// those who wait for it. Copied and dropped only by Paths.
struct PathPoint {
  Lengths lengths;
  PathNode* node = nullptr; // null: no position
  StrandId strand{};        // the latest one before it, if the dag is recorded
};

// A path that grows, or a branch of one. A moved-from path is a branch of the new one, without
// length.
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

// Operations on paths; owns the memory of the nodes.
class Paths {
public:
  explicit Paths(ProfPool& profs) : profs_(profs) {}
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;
  void record(DagRecorder& dag) { dag_ = &dag; }
  ~Paths(); // afterwards, no path or point may be used

  // Returns the point where `path` is now; the path continues from there.
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

  // Returns a path that continues from `point`, which is consumed.
  Path begin(PathPoint& point) {
    Path path;
    path.lengths = point.lengths;
    path.before = std::exchange(point.node, nullptr);
    forget_strand(point);
    return path;
  }
  // Continues `path` with `branch`, which forked from its end; nothing else continues from there.
  // Consumes the branch, except for its lengths.
  void append(Path& path, Path& branch) {
    if (branch.before != nullptr) [[unlikely]]
      return replace(path, branch);
    path.prof.unite(profs_, branch.prof);
  }
  // The same with the longer of two branches; the other one is dropped.
  void go_on(Path& path, Path& longer, Path& other) {
    if (!longer.is_list() || !other.is_list()) [[unlikely]]
      return go_on_with_nodes(path, longer, other);
    other.prof.drop_list(profs_);
    path.prof.take_list(profs_, longer.prof);
  }
  // Removes the node before `branch`: its own nodes become part of its prof, and the one it forked
  // from belongs to others.
  void unfork(Path& branch);
  // Moves everything in `path` into nodes.
  void pack(Path& path);
  // Makes `branch`, unless it has a node before it, fork from the end of the packed `path`.
  void fork_at_node(Path& branch, const Path& path) {
    if (branch.before == nullptr) {
      branch.before = path.before;
      branch.before->references++;
    }
  }
  // `point` happens before what follows on `path`, which continues as the longer of the two.
  // Returns true if that is the point's. Consumes the point.
  bool join(Path& path, PathPoint& point);
  // Keeps the later of two points; `kept` if they are equal. Consumes the other one.
  void keep_later(PathPoint& kept, PathPoint& other);
  // The same, if there may be none yet.
  void gather(PathPoint& into, PathPoint point) {
    if (into.node == nullptr)
      into = point;
    else
      keep_later(into, point);
  }

  // Calls f(site, measures) for the profs along `path`; a site may occur several times.
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
  // Merges what lies before into `prof`, if nobody else needs it.
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
