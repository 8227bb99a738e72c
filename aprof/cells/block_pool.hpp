// Blocks of timestamps, one for each cell of a chunk, carved from slabs.
//
// Owns the slabs, and returns them when it dies; given back blocks are reused. Pages of a slab take
// memory when they are first touched: a block that was touched here and there takes no more after
// it is given back and taken again. Cost: O(1).
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
  Timestamp* take();       // of any contents; never where it was not touched
  void give_back(Timestamp* block) {
    free_.push_back(block);
    in_use_--;
  }
  std::size_t in_use() const { return in_use_; }
  std::size_t touched() const { return in_use_ + free_.size(); }

private:
  static constexpr std::size_t kSlabBytes = std::size_t{4} << 20;
  // Blocks are a cache line more apart, so that the same cells of different blocks do not compete
  // for the same set of the cache.
  static constexpr std::size_t kColour = 64;

  std::size_t block_bytes() const { return cells_ * sizeof(Timestamp) + kColour; }

  std::size_t cells_;
  Vector<char*> slabs_{"aprof.shadow.slabs"};
  Vector<Timestamp*> free_{"aprof.shadow.free"};
  std::size_t used_in_slab_ = kSlabBytes;
  std::size_t in_use_ = 0;
};
