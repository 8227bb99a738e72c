// A pool of blocks, arrays of one timestamp for each cell of a chunk, carved from slabs.
//
// Owns the slabs and frees them when it is destroyed. Blocks that are given back are reused. The
// pages of a slab take memory when they are first touched, so reusing a sparsely touched block
// takes no more memory. Cost: O(1).
#pragma once

#include "aprof/cells/timestamp.hpp"
#include "base/vector.hpp"

class BlockPool {
public:
  explicit BlockPool(std::size_t cells) : cells_(cells) {}
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  Timestamp* take_clear(); // all never
  Timestamp* take();       // contents undefined; untouched pages are never
  void give_back(Timestamp* block) {
    free_.push_back(block);
    in_use_--;
  }
  std::size_t in_use() const { return in_use_; }
  std::size_t touched() const { return in_use_ + free_.size(); }

private:
  static constexpr std::size_t kSlabBytes = std::size_t{4} << 20;
  // Blocks are padded by a cache line, so that the same cells of different blocks do not map to the
  // same cache set.
  static constexpr std::size_t kColour = 64;

  std::size_t block_bytes() const { return cells_ * sizeof(Timestamp) + kColour; }

  std::size_t cells_;
  Vector<char*> slabs_{"aprof.shadow.slabs"};
  Vector<Timestamp*> free_{"aprof.shadow.free"};
  std::size_t used_in_slab_ = kSlabBytes;
  std::size_t in_use_ = 0;
};
