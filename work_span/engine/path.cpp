#include "work_span/engine/path.hpp"

#include "base/check.hpp"
#include "work_span/dag/recorder.hpp"

#include <utility>

namespace {
constexpr std::size_t kBlock = 256; // nodes allocated together
}

Paths::~Paths() {
  for (PathNode* block : blocks_) {
    for (std::size_t i = 0; i < kBlock; i++)
      block[i].prof.clear(profs_);
    release(block);
  }
}

void Paths::pack(Path& path) {
  absorb_before(path.prof, path.before);
  if (path.before != nullptr && path.prof.empty())
    return;
  PathNode* node = take_node();
  node->prof = std::move(path.prof);
  node->before = std::exchange(path.before, node);
}

PathPoint Paths::freeze(Path& path) {
  pack(path);
  // In a loop of spawns, each longer than the one before, only one child still needs the previous
  // node.
  if (PathNode* before = path.before->before; before != nullptr)
    absorb_before(before->prof, before->before);
  path.before->references++;
  return {path.lengths, path.before};
}

PathPoint Paths::end(Path& path) {
  pack(path);
  return {path.lengths, std::exchange(path.before, nullptr)};
}

PathPoint Paths::copy(const PathPoint& point) {
  point.node->references++;
  if (point.strand != StrandId::none)
    dag_->strands().pin(point.strand);
  return point;
}

void Paths::unpin_strand(PathPoint& point) {
  dag_->strands().unpin(std::exchange(point.strand, StrandId::none));
}

void Paths::drop(PathPoint& point) {
  forget_strand(point);
  if (point.node != nullptr)
    drop_node(std::exchange(point.node, nullptr));
}

bool Paths::join(Path& path, PathPoint& point) {
  forget_strand(point);
  const bool later = point.lengths.span > path.lengths.span;
  path.lengths.raise_to(point.lengths);
  if (later) {
    path.prof.clear(profs_);
    if (path.before != nullptr)
      drop_node(path.before);
    path.before = std::exchange(point.node, nullptr);
  } else {
    drop(point);
  }
  absorb_before(path.prof, path.before);
  return later;
}

void Paths::keep_later(PathPoint& kept, PathPoint& other) {
  if (other.lengths.span > kept.lengths.span)
    std::swap(kept.node, other.node);
  kept.lengths.raise_to(other.lengths);
  if (other.strand != StrandId::none)
    kept.strand = dag_->meet(kept.strand, std::exchange(other.strand, StrandId::none));
  drop(other);
}

void Paths::unfork(Path& branch) {
  absorb_before(branch.prof,
                branch.before); // nodes exist if the branch was frozen to look at the results
  if (branch.before != nullptr)
    drop_node(std::exchange(branch.before, nullptr));
}

[[gnu::noinline]] void Paths::go_on_with_nodes(Path& path, Path& longer, Path& other) {
  drop(other);
  append(path, longer);
}

// The nodes of `branch` include everything in `path`.
void Paths::replace(Path& path, Path& branch) {
  drop(path);
  path.prof = std::move(branch.prof);
  path.before = std::exchange(branch.before, nullptr);
  absorb_before(path.prof, path.before);
}

[[gnu::noinline]] void Paths::add_nodes() {
  auto* nodes = static_cast<PathNode*>(allocate("cilkshadow.paths", kBlock * sizeof(PathNode)));
  blocks_.push_back(nodes);
  for (std::size_t i = 0; i < kBlock; i++)
    free_ = new (&nodes[i]) PathNode{0, {}, free_};
}

inline PathNode* Paths::take_node() {
  if (live_ >= compress_at_) [[unlikely]]
    compress();
  if (free_ == nullptr) [[unlikely]]
    add_nodes();
  PathNode* node = std::exchange(free_, free_->before);
  node->references = 1;
  live_++;
  return node;
}

inline void Paths::release_node(PathNode* node) {
  node->references = 0;
  node->before = free_;
  free_ = node;
  live_--;
}

// A loop, because a chain may be as long as the recursion is deep.
void Paths::free_chain(PathNode* node) {
  do {
    PathNode* before = node->before;
    node->prof.clear(profs_);
    release_node(node);
    node = before;
  } while (node != nullptr && --node->references == 0);
}

void Paths::unite_with_before(Prof& prof, PathNode*& before) {
  do {
    PathNode* const node = before;
    prof.unite(profs_, node->prof);
    before = node->before;
    release_node(node);
  } while (before != nullptr && before->references == 1);
}

// A node may become needed by a single other node without either being at hand. Afterwards, each
// node is needed by two others, or by a path or a point.
void Paths::compress() {
  for (PathNode* block : blocks_)
    for (std::size_t i = 0; i < kBlock; i++)
      if (block[i].references > 0)
        absorb_before(block[i].prof, block[i].before);
  compress_at_ = 2 * live_ + kBlock;
}
