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

AccessTable::AccessTable()
    : slots_(static_cast<Cells*>(map_pages("aprof chunk table", kChunkCount * sizeof(Cells)))) {}

AccessTable::~AccessTable() { unmap_pages(slots_, kChunkCount * sizeof(Cells)); }

ShadowMemory::ShadowMemory(unsigned cell_shift, std::size_t pack_every)
    : cells_(kChunkBytes >> cell_shift), blocks_(cells_), packer_(cells_), pack_every_(pack_every),
      directory_(
          static_cast<Chunk**>(map_pages("aprof chunk directory", kChunkCount * sizeof(Chunk*)))) {
  set_limit();
}

ShadowMemory::~ShadowMemory() {
  while (!live_.empty())
    forget(live_.back()->number);
  unmap_pages(directory_, kChunkCount * sizeof(Chunk*));
}

Chunk& ShadowMemory::chunk(std::size_t number) {
  CHECK(number < kChunkCount);
  if (Chunk* known = directory_[number])
    return *known;
  auto* chunk = static_cast<Chunk*>(allocate("aprof.shadow.chunk", sizeof(Chunk)));
  *chunk = {static_cast<u32>(number), static_cast<u32>(live_.size()), {}, nullptr};
  live_.push_back(chunk);
  directory_[number] = chunk;
  for (const StampedRange& range : stamped_)
    if (range.first <= number && number < range.last) {
      chunk->wts.cells = blocks_.take();
      std::fill(chunk->wts.cells, chunk->wts.cells + cells_, range.stamp);
    }
  return *chunk;
}

Accesses& ShadowMemory::accesses(AccessTable& table, Chunk& of) {
  for (Accesses* known = of.accesses; known != nullptr; known = known->next)
    if (known->table == &table)
      return *known;
  if (of.accesses != nullptr && of.is_exclusive())
    share(of);
  auto* added = static_cast<Accesses*>(allocate("aprof.shadow.accesses", sizeof(Accesses)));
  *added = {
      &table, &of, of.accesses, {.cells = blocks_.take()}, static_cast<u32>(table.live_.size())};
  table.live_.push_back(added);
  of.accesses = added;
  return *added;
}

Cells ShadowMemory::cells(AccessTable& table, std::size_t number) {
  Chunk& of = chunk(number);
  Timestamp* const ts = use(accesses(table, of).ts);
  return table.slots_[number] = {ts, of.is_exclusive() ? nullptr : use(of.wts)};
}

Timestamp* ShadowMemory::writes(std::size_t number) {
  Chunk& of = chunk(number);
  if (of.is_exclusive())
    share(of);
  return use(of.wts);
}

// Its thread, if it had one, takes notice at its next access.
void ShadowMemory::share(Chunk& chunk) {
  chunk.wts = {.cells = blocks_.take()};
  if (chunk.accesses == nullptr)
    return;
  Timestamp* const ts = use(chunk.accesses->ts);
  for (std::size_t cell = 0; cell < cells_; cell++) {
    change(chunk.wts.cells[cell], ts[cell].written_at());
    change(ts[cell], ts[cell].plain());
  }
  chunk.accesses->table->slots_[chunk.number] = {};
}

Timestamp* ShadowMemory::use(Times& times) {
  unpack(times);
  times.use = Use::recent;
  return times.cells;
}

void ShadowMemory::remove(Times& times) {
  if (times.cells != nullptr)
    blocks_.give_back(std::exchange(times.cells, nullptr));
  if (times.packed != nullptr)
    release(std::exchange(times.packed, nullptr));
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
  remove(accesses->ts);
  release(accesses);
}

void ShadowMemory::forget(std::size_t number) {
  Chunk* chunk = directory_[number];
  if (chunk == nullptr)
    return;
  while (chunk->accesses != nullptr)
    remove(chunk->accesses);
  remove(chunk->wts);
  directory_[number] = nullptr;
  live_.back()->live_index = chunk->live_index;
  live_.swap_remove(chunk->live_index);
  release(chunk);
}

void ShadowMemory::forget_cells(std::size_t number, std::size_t first, std::size_t last) {
  const auto forget = [&](Times& times) {
    Timestamp* const cells = use(times);
    std::for_each(cells + first, cells + last,
                  [](Timestamp& cell) { change(cell, Timestamp::never()); });
  };
  Chunk& of = chunk(number);
  for (Accesses* known = of.accesses; known != nullptr; known = known->next)
    forget(known->ts);
  if (!of.is_exclusive())
    forget(of.wts);
}

void ShadowMemory::move_cells(std::size_t from, std::size_t from_first, std::size_t to,
                              std::size_t to_first, std::size_t cells) {
  const auto copy = [cells](const Timestamp* old, Timestamp* now) {
    for (std::size_t cell = 0; cell < cells; cell++)
      change(now[cell], old[cell]);
  };
  const Timestamp* old_writes = writes(from) + from_first;
  copy(old_writes, writes(to) + to_first);
  for (Accesses* known = chunk(from).accesses; known != nullptr; known = known->next)
    copy(use(known->ts) + from_first, use(accesses(*known->table, chunk(to)).ts) + to_first);
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
      const auto keep_writes = [](Timestamp& ts) { change(ts, ts.written_at()); };
      if (last->ts.packed != nullptr)
        last->ts.packed->for_each_value(keep_writes);
      else
        std::for_each(last->ts.cells, last->ts.cells + cells_, keep_writes);
      chunk.wts = std::exchange(last->ts, {});
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
  const auto check_times = [&](const Times& times) {
    const auto check_time = [&](Timestamp time) { CHECK(time.plain() <= now); };
    CHECK((times.cells == nullptr) != (times.packed == nullptr));
    CHECK(times.use == Use::folded || times.packed == nullptr);
    if (times.packed != nullptr)
      times.packed->for_each_value(check_time);
    else
      std::for_each(times.cells, times.cells + cells_, check_time);
    words += cells_;
  };
  for (std::size_t i = 0; i < live_.size(); i++) {
    const Chunk& chunk = *live_[i];
    CHECK(chunk.live_index == i && directory_[chunk.number] == &chunk);
    CHECK(!chunk.is_exclusive() || (chunk.accesses != nullptr && chunk.accesses->next == nullptr));
    if (!chunk.is_exclusive())
      check_times(chunk.wts);
    for (const Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
      CHECK(known->chunk == &chunk && known->table->live_[known->live_index] == known);
      CHECK(chunk.use() <= known->ts.use);
      const Cells& slot = known->table->slots_[chunk.number];
      CHECK(slot.ts == nullptr || (known->ts.use == Use::recent && slot.ts == known->ts.cells &&
                                   slot.wts == chunk.wts.cells));
      check_times(known->ts);
    }
  }
  return words;
}
