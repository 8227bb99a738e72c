#include "aprof/cells/block_pool.hpp"

#include "aprof/cells/timestamp_vectors.hpp"
#include "base/memory.hpp"

BlockPool::~BlockPool() {
  for (char* slab : slabs_)
    unmap_pages(slab, kSlabBytes);
}

Timestamp* BlockPool::take_clear() {
  const bool is_used = !free_.empty();
  Timestamp* block = take();
  if (is_used)
    clear(block, cells_);
  return block;
}

Timestamp* BlockPool::take() {
  in_use_++;
  if (!free_.empty()) {
    Timestamp* block = free_.back();
    free_.pop_back();
    return block;
  }
  if (used_in_slab_ + block_bytes() > kSlabBytes) {
    slabs_.push_back(static_cast<char*>(map_pages("aprof shadow memory", kSlabBytes)));
    used_in_slab_ = 0;
  }
  char* block = slabs_.back() + used_in_slab_;
  used_in_slab_ += block_bytes();
  return reinterpret_cast<Timestamp*>(block);
}
