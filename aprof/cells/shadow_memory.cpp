#include "aprof/cells/shadow_memory.hpp"

#include <algorithm>
#include <utility>

AccessTable::AccessTable()
    : slots_(static_cast<Slot*>(map_pages("aprof chunk table", kChunkCount * sizeof(Slot)))) {}

AccessTable::~AccessTable() { unmap_pages(slots_, kChunkCount * sizeof(Slot)); }

ShadowMemory::ShadowMemory(unsigned cell_shift, std::size_t pack_every)
    : cells_(kChunkBytes >> cell_shift), blocks_(cells_), indexed_(IndexedCells::size_for(cells_)),
      packer_(cells_), pack_every_(pack_every),
      directory_(
          static_cast<Chunk**>(map_pages("aprof chunk directory", kChunkCount * sizeof(Chunk*)))) {
  set_limit();
}

ShadowMemory::~ShadowMemory() {
  while (!live_.empty())
    forget(live_.back()->number);
  unmap_pages(directory_, kChunkCount * sizeof(Chunk*));
}

Chunk& ShadowMemory::find_or_add_chunk(std::size_t number) {
  CHECK(number < kChunkCount);
  if (Chunk* known = directory_[number])
    return *known;
  auto* chunk = static_cast<Chunk*>(allocate("aprof.shadow.chunk", sizeof(Chunk)));
  *chunk = {static_cast<u32>(number), static_cast<u32>(live_.size()), {}, nullptr, 0};
  live_.push_back(chunk);
  directory_[number] = chunk;
  for (const StampedRange& range : stamped_)
    if (range.first <= number && number < range.last) {
      chunk->wts.cells = blocks_.take();
      std::fill(chunk->wts.cells, chunk->wts.cells + cells_, range.stamp);
    }
  return *chunk;
}

Accesses* ShadowMemory::accesses_of(const AccessTable& table, const Chunk& chunk) {
  Accesses* known = chunk.accesses;
  while (known != nullptr && known->table != &table)
    known = known->next;
  return known;
}

Accesses& ShadowMemory::find_or_add_accesses(AccessTable& table, Chunk& of) {
  if (Accesses* const known = accesses_of(table, of))
    return *known;
  if (of.accesses != nullptr && of.is_exclusive())
    share(of);
  auto* added = static_cast<Accesses*>(allocate("aprof.shadow.accesses", sizeof(Accesses)));
  *added = {&table, &of, of.accesses, {}, static_cast<u32>(table.live_.size())};
  if (of.is_exclusive() ? !has_room() : of.wts.cells == nullptr)
    index_afresh(added->ts);
  else
    added->ts.cells = blocks_.take_clear();
  table.live_.push_back(added);
  of.accesses = added;
  return *added;
}

Cells ShadowMemory::obtain_cells(AccessTable& table, std::size_t number) {
  Chunk& of = find_or_add_chunk(number);
  Accesses& known = find_or_add_accesses(table, of);
  const bool in_block = known.ts.cells != nullptr || of.wts.cells != nullptr;
  const bool indexed = known.ts.indexed != nullptr || of.wts.indexed != nullptr;
  if (!in_block && (indexed || !has_room() || blocks_.in_use() == blocks_.touched())) {
    if (known.ts.indexed == nullptr)
      index(known.ts);
    known.ts.indexed->accesses_until_hot = accesses_until_hot(of);
    if (!of.is_exclusive())
      index(of.wts);
    known.ts.use = of.wts.use = Use::recent;
    known.ts.indexed->writes = of.wts.indexed;
    table.slots_[number] = Slot(known.ts.indexed);
    return {};
  }
  return use_blocks(known);
}

Cells ShadowMemory::use_blocks(Accesses& known) {
  Chunk& of = *known.chunk;
  Timestamp* const ts = use_block(known);
  Timestamp* const wts = of.is_exclusive() ? ts : use_block(of, of.wts);
  known.table->slots_[of.number] = Slot(of.number, cells_, {ts, wts});
  return {ts, wts};
}

Timestamp* ShadowMemory::obtain_writes(std::size_t number) {
  Chunk& of = find_or_add_chunk(number);
  if (of.is_exclusive())
    share(of);
  return use_block(of, of.wts);
}

void ShadowMemory::write(std::size_t number, std::size_t first, std::size_t last, Timestamp stamp) {
  Chunk& of = find_or_add_chunk(number);
  if (of.is_exclusive())
    share(of);
  if (of.wts.packed != nullptr && !has_room())
    index(of.wts);
  if (of.wts.indexed != nullptr && of.wts.indexed->has_room()) {
    of.wts.use = Use::recent;
    return of.wts.indexed->set(first, last - first, of.wts.indexed->latest_or_add(stamp));
  }
  Timestamp* const wts = use_block(of, of.wts);
  std::fill(wts + first, wts + last, stamp);
}

// The thread that has used the chunk alone so far, if any, sees the change at its next access.
void ShadowMemory::share(Chunk& chunk) {
  if (chunk.accesses == nullptr) {
    if (has_room())
      chunk.wts.cells = blocks_.take_clear();
    else
      index_afresh(chunk.wts);
    return;
  }
  clear_slots(chunk);
  ChunkTimestamps& ts = chunk.accesses->ts;
  ts.use = Use::recent;
  if (ts.cells == nullptr) {
    index(ts);
    index_copy(chunk.wts, ts);
    chunk.wts.indexed->for_each_value([](Timestamp& time) { time = time.written_at(); });
    ts.indexed->for_each_value([](Timestamp& time) { time = time.plain(); });
    return;
  }
  chunk.wts.cells = blocks_.take();
  for (std::size_t cell = 0; cell < cells_; cell++) {
    change(chunk.wts.cells[cell], ts.cells[cell].written_at());
    change(ts.cells[cell], ts.cells[cell].plain());
  }
}

void ShadowMemory::clear_slots(Chunk& chunk) {
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next)
    known->table->slots_[chunk.number] = {};
}

Timestamp* ShadowMemory::use_block(Chunk& chunk, ChunkTimestamps& times) {
  if (times.indexed != nullptr)
    clear_slots(chunk);
  unpack(times);
  times.use = Use::recent;
  return times.cells;
}

void ShadowMemory::remove(ChunkTimestamps& times) {
  if (times.cells != nullptr)
    blocks_.give_back(std::exchange(times.cells, nullptr));
  if (times.indexed != nullptr)
    indexed_.give_back(IndexedCells::destroy(std::exchange(times.indexed, nullptr)));
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
  Chunk& of = find_or_add_chunk(number);
  const auto forget = [&](ChunkTimestamps& times) {
    Timestamp* const cells = use_block(of, times);
    std::for_each(cells + first, cells + last,
                  [](Timestamp& cell) { change(cell, Timestamp::never()); });
  };
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
  const Timestamp* old_writes = obtain_writes(from) + from_first;
  copy(old_writes, obtain_writes(to) + to_first);
  for (Accesses* known = find_or_add_chunk(from).accesses; known != nullptr; known = known->next)
    copy(use_block(*known) + from_first,
         use_block(find_or_add_accesses(*known->table, find_or_add_chunk(to))) + to_first);
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
      else if (last->ts.indexed != nullptr)
        last->ts.indexed->for_each_value(keep_writes);
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
  const auto check_times = [&](const ChunkTimestamps& times) {
    const auto check_time = [&](Timestamp time) { CHECK(time.plain() <= now); };
    CHECK((times.cells != nullptr) + (times.indexed != nullptr) + (times.packed != nullptr) == 1);
    CHECK(times.use == Use::packed || times.packed == nullptr);
    if (times.packed != nullptr)
      times.packed->for_each_value(check_time);
    else if (times.indexed != nullptr)
      std::as_const(*times.indexed).for_each_value(check_time);
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
      const Slot& slot = known->table->slots_[chunk.number];
      const Cells cells = slot.cells(chunk.number, cells_);
      CHECK(slot.indexed() == nullptr ||
            (known->ts.use == Use::recent && slot.indexed() == known->ts.indexed));
      CHECK(!slot.has_blocks() ||
            (known->ts.use == Use::recent && cells.ts == known->ts.cells &&
             cells.wts == (chunk.is_exclusive() ? known->ts.cells : chunk.wts.cells)));
      check_times(known->ts);
    }
  }
  return words;
}
