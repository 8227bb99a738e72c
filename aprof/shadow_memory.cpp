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

BlockPool::~BlockPool() {
  for (char* slab : slabs_)
    unmap_pages(slab, kSlabBytes);
}

Timestamp* BlockPool::take() {
  if (!free_.empty()) {
    Timestamp* block = free_.back();
    free_.pop_back();
    __builtin_memset(static_cast<void*>(block), 0, block_bytes_);
    return block;
  }
  if (used_in_slab_ + block_bytes_ > kSlabBytes) {
    slabs_.push_back(static_cast<char*>(map_pages("aprof shadow memory", kSlabBytes)));
    used_in_slab_ = 0;
  }
  char* block = slabs_.back() + used_in_slab_;
  used_in_slab_ += block_bytes_;
  return reinterpret_cast<Timestamp*>(block);
}

AccessTable::AccessTable()
    : slots_(static_cast<Cells*>(map_pages("aprof chunk table", kChunkCount * sizeof(Cells)))) {}

AccessTable::~AccessTable() { unmap_pages(slots_, kChunkCount * sizeof(Cells)); }

ShadowMemory::ShadowMemory(unsigned cell_shift)
    : cells_(kChunkBytes >> cell_shift), blocks_(cells_),
      directory_(
          static_cast<Chunk**>(map_pages("aprof chunk directory", kChunkCount * sizeof(Chunk*)))) {}

ShadowMemory::~ShadowMemory() {
  while (!live_.empty())
    forget(live_.back()->number);
  unmap_pages(directory_, kChunkCount * sizeof(Chunk*));
}

Chunk& ShadowMemory::chunk(std::size_t number) {
  CHECK(number < kChunkCount);
  if (directory_[number] != nullptr)
    return *directory_[number];
  auto* chunk = static_cast<Chunk*>(allocate("aprof.shadow.chunk", sizeof(Chunk)));
  *chunk = {static_cast<u32>(number), static_cast<u32>(live_.size()), nullptr, nullptr};
  live_.push_back(chunk);
  directory_[number] = chunk;
  for (const StampedRange& range : stamped_)
    if (range.first <= number && number < range.last) {
      chunk->wts = blocks_.take();
      std::fill(chunk->wts, chunk->wts + cells_, range.stamp);
    }
  return *chunk;
}

Accesses& ShadowMemory::accesses(AccessTable& table, std::size_t number) {
  Chunk& of = chunk(number);
  for (Accesses* known = of.accesses; known != nullptr; known = known->next)
    if (known->table == &table)
      return *known;
  if (of.accesses != nullptr && of.is_exclusive())
    share(of);
  auto* added = static_cast<Accesses*>(allocate("aprof.shadow.accesses", sizeof(Accesses)));
  *added = {&table, &of, of.accesses, blocks_.take(), static_cast<u32>(table.live_.size())};
  table.live_.push_back(added);
  of.accesses = added;
  return *added;
}

Cells ShadowMemory::cells(AccessTable& table, std::size_t number) {
  const Accesses& of = accesses(table, number);
  const Cells cells{of.ts, of.chunk->wts};
  table.slots_[number] = cells;
  return cells;
}

Timestamp* ShadowMemory::writes(std::size_t number) {
  Chunk& of = chunk(number);
  if (of.is_exclusive())
    share(of);
  return of.wts;
}

// Its thread, if it had one, takes notice at its next access.
void ShadowMemory::share(Chunk& chunk) {
  chunk.wts = blocks_.take();
  const Accesses* owner = chunk.accesses;
  if (owner == nullptr)
    return;
  for (std::size_t cell = 0; cell < cells_; cell++) {
    chunk.wts[cell] = owner->ts[cell].written_at();
    owner->ts[cell] = owner->ts[cell].plain();
  }
  owner->table->slots_[chunk.number] = {};
}

void ShadowMemory::remove(Accesses* accesses) {
  Vector<Accesses*>& live = accesses->table->live_;
  accesses->table->slots_[accesses->chunk->number] = {};
  live.back()->live_index = accesses->live_index;
  live.swap_remove(accesses->live_index);
  Accesses** link = &accesses->chunk->accesses;
  while (*link != accesses)
    link = &(*link)->next;
  *link = accesses->next;
  if (accesses->ts != nullptr)
    blocks_.give_back(accesses->ts);
  release(accesses);
}

void ShadowMemory::forget(std::size_t number) {
  Chunk* chunk = directory_[number];
  if (chunk == nullptr)
    return;
  while (chunk->accesses != nullptr)
    remove(chunk->accesses);
  if (chunk->wts != nullptr)
    blocks_.give_back(chunk->wts);
  directory_[number] = nullptr;
  live_.back()->live_index = chunk->live_index;
  live_.swap_remove(chunk->live_index);
  release(chunk);
}

void ShadowMemory::forget_cells(std::size_t number, std::size_t first, std::size_t last) {
  Chunk& of = chunk(number);
  for (const Accesses* known = of.accesses; known != nullptr; known = known->next)
    std::fill(known->ts + first, known->ts + last, Timestamp::never());
  if (!of.is_exclusive())
    std::fill(of.wts + first, of.wts + last, Timestamp::never());
}

void ShadowMemory::move_cells(std::size_t from, std::size_t from_first, std::size_t to,
                              std::size_t to_first, std::size_t cells) {
  const Timestamp* old_writes = writes(from) + from_first;
  std::copy_n(old_writes, cells, writes(to) + to_first);
  for (const Accesses* known = chunk(from).accesses; known != nullptr; known = known->next)
    std::copy_n(known->ts + from_first, cells, accesses(*known->table, to).ts + to_first);
}

void ShadowMemory::close(AccessTable& table, bool outlived) {
  while (!table.live_.empty()) {
    Accesses* last = table.live_.back();
    Chunk& chunk = *last->chunk;
    if (chunk.is_exclusive() && !outlived) {
      forget(chunk.number);
      continue;
    }
    if (chunk.is_exclusive()) {
      for (std::size_t cell = 0; cell < cells_; cell++)
        last->ts[cell] = last->ts[cell].written_at();
      chunk.wts = std::exchange(last->ts, nullptr);
    }
    remove(last);
  }
}

void ShadowMemory::stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp) {
  forget_untouched(first, last);
  if (first < last)
    stamped_.push_back({first, last, stamp});
}

void ShadowMemory::forget_untouched(std::size_t first, std::size_t last) {
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

bool ShadowMemory::is_known(std::size_t number) const {
  return directory_[number] != nullptr ||
         std::any_of(stamped_.begin(), stamped_.end(), [&](const StampedRange& range) {
           return range.first <= number && number < range.last;
         });
}

u64 ShadowMemory::check(Timestamp now) const {
  u64 words = 0;
  for (std::size_t i = 0; i < live_.size(); i++) {
    const Chunk& chunk = *live_[i];
    CHECK(chunk.live_index == i && directory_[chunk.number] == &chunk);
    CHECK(!chunk.is_exclusive() || (chunk.accesses != nullptr && chunk.accesses->next == nullptr));
    for (std::size_t cell = 0; !chunk.is_exclusive() && cell < cells_; cell++)
      CHECK(chunk.wts[cell] <= now);
    words += cells_;
    for (const Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
      CHECK(known->chunk == &chunk && known->table->live_[known->live_index] == known);
      const Cells& slot = known->table->slots_[chunk.number];
      CHECK(slot.ts == nullptr || (slot.ts == known->ts && slot.wts == chunk.wts));
      for (std::size_t cell = 0; cell < cells_; cell++)
        CHECK(known->ts[cell].plain() <= now &&
              (chunk.is_exclusive() || !known->ts[cell].is_written()));
      words += cells_;
    }
  }
  return words;
}
