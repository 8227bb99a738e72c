#include "aprof/shadow_memory.hpp"

#include <algorithm>
#include <utility>

std::size_t HighChunks::find_or_add(GuestAddr page) {
  if (const u32* known = numbers_.find(page))
    return *known;
  if (pages_.size() == kHighChunks)
    out_of_memory("shadow memory of addresses above 128 GiB", kChunkBytes);
  const std::size_t number = kLowChunks + pages_.size();
  pages_.push_back(page);
  numbers_.insert(page, static_cast<u32>(number));
  return number;
}

ChunkPool::~ChunkPool() {
  for (char* slab : slabs_)
    unmap_pages(slab, kSlabBytes);
}

void* ChunkPool::take() {
  if (!free_.empty()) {
    void* block = free_.back();
    free_.pop_back();
    __builtin_memset(block, 0, block_bytes_);
    return block;
  }
  if (used_in_slab_ + block_bytes_ > kSlabBytes) {
    slabs_.push_back(static_cast<char*>(map_pages("aprof shadow memory", kSlabBytes)));
    used_in_slab_ = 0;
  }
  void* block = slabs_.back() + used_in_slab_;
  used_in_slab_ += block_bytes_;
  return block;
}

void ChunkPool::give_back(void* block) { free_.push_back(block); }

template <typename Chunk>
ChunkTable<Chunk>::ChunkTable(ChunkPool& pool)
    : pool_(pool),
      slots_(static_cast<Chunk**>(map_pages("aprof chunk table", kChunkCount * sizeof(Chunk*)))) {}

template <typename Chunk> ChunkTable<Chunk>::~ChunkTable() {
  for (Chunk* chunk : live_)
    pool_.give_back(chunk);
  unmap_pages(slots_, kChunkCount * sizeof(Chunk*));
}

template <typename Chunk> Chunk& ChunkTable<Chunk>::add(std::size_t number) {
  CHECK(number < kChunkCount && slots_[number] == nullptr);
  Chunk* chunk = static_cast<Chunk*>(pool_.take());
  chunk->number = static_cast<u32>(number);
  chunk->live_index = static_cast<u32>(live_.size());
  live_.push_back(chunk);
  slots_[number] = chunk;
  return *chunk;
}

template <typename Chunk> void ChunkTable<Chunk>::remove(Chunk& chunk) {
  live_.back()->live_index = chunk.live_index;
  live_.swap_remove(chunk.live_index);
  slots_[chunk.number] = nullptr;
  pool_.give_back(&chunk);
}

template class ChunkTable<WriteChunk>;
template class ChunkTable<AccessChunk>;

WriteTable::~WriteTable() { unmap_pages(exclusive_, kChunkCount * sizeof(AccessChunk*)); }

WriteChunk& WriteTable::obtain(std::size_t number) {
  if (WriteChunk* chunk = chunks_.find(number))
    return *chunk;
  WriteChunk& chunk = chunks_.add(number);
  if (AccessChunk* accesses = std::exchange(exclusive_[number], nullptr)) {
    accesses->writes = &chunk;
    for (std::size_t cell = 0; cell < cells_; cell++) {
      Timestamp& ts = accesses->ts[cell];
      chunk.wts[cell] = ts.is_written() ? ts.plain() : Timestamp::never();
      ts = ts.plain();
    }
    return chunk;
  }
  for (const StampedRange& range : stamped_)
    if (range.first <= number && number < range.last)
      std::fill(chunk.wts, chunk.wts + cells_, range.stamp);
  return chunk;
}

void WriteTable::remove(std::size_t number) {
  exclusive_[number] = nullptr;
  if (WriteChunk* chunk = chunks_.find(number))
    chunks_.remove(*chunk);
}

void WriteTable::connect(AccessChunk& chunk) {
  if (is_known(chunk.number))
    chunk.writes = &obtain(chunk.number);
  else
    exclusive_[chunk.number] = &chunk;
}

void WriteTable::stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp) {
  forget_untouched(first, last);
  if (first < last)
    stamped_.push_back({first, last, stamp});
}

void WriteTable::forget_untouched(std::size_t first, std::size_t last) {
  for (std::size_t i = stamped_.size(); i-- > 0;) {
    const StampedRange range = stamped_[i];
    if (range.last <= first || last <= range.first)
      continue;
    stamped_.swap_remove(i);
    if (range.first < first)
      stamped_.push_back({range.first, first, range.stamp});
    if (last < range.last)
      stamped_.push_back({last, range.last, range.stamp});
  }
}

bool WriteTable::is_stamped(std::size_t number) const {
  return std::any_of(stamped_.begin(), stamped_.end(), [&](const StampedRange& range) {
    return range.first <= number && number < range.last;
  });
}

bool WriteTable::is_known(std::size_t number) const {
  return chunks_.find(number) != nullptr || exclusive_[number] != nullptr || is_stamped(number);
}
