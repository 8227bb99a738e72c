// What shadow memory takes of chunks in use and of others: which are blocks, indexed or packed.
#include "aprof/cells/shadow_memory.hpp"

#include <algorithm>
#include <utility>

Cells ShadowMemory::promote(AccessTable& table, std::size_t number, bool forced) {
  Chunk& of = *directory_[number];
  Accesses& known = accesses(table, of);
  if (!forced && !has_room()) {
    known.ts.indexed->patience = patience(of);
    return {};
  }
  unpacked_cells_ += cells_;
  promoted_++;
  return in_blocks(known);
}

bool ShadowMemory::has_blocks(const Chunk& chunk) {
  bool has = chunk.wts.cells != nullptr;
  for (const Accesses* known = chunk.accesses; known != nullptr; known = known->next)
    has |= known->ts.cells != nullptr;
  return has;
}

bool ShadowMemory::takes_block(const AccessTable& table, std::size_t number) const {
  const Chunk* const of = directory_[number];
  if (of == nullptr || !has_blocks(*of))
    return false;
  const Accesses* const known = accesses_of(table, *of);
  return known == nullptr || known->ts.cells == nullptr;
}

bool ShadowMemory::has_room() const {
  const std::size_t in_use = blocks_.in_use() + indexed_.in_use();
  return blocks_.in_use() < std::max(pack_every_ != 0 ? pack_every_ : kFirstBlocks,
                                     (in_use + 7 * live_.size()) / 8 / kShare);
}

void ShadowMemory::limit(IndexedCells& cells) {
  indexed_ever_++;
  if (pack_every_ != 0)
    cells.limit_values(12);
}

u32 ShadowMemory::patience(const Chunk& of) const {
  return (pack_every_ != 0 ? 3 : kPatience) << of.evicted;
}

// Whole chunks, which come back indexed. The first time that the hand comes by it makes idle what
// it finds, unless it has gone a long way.
void ShadowMemory::demote(Renaming renaming) {
  for (std::size_t i = 0; i < live_.size() && !has_room(); i++) {
    hand_ = (hand_ + 1) % live_.size();
    Chunk& chunk = *live_[hand_];
    if (!has_blocks(chunk))
      continue;
    if (chunk.use() == Use::recent) {
      rest(chunk);
      if (i < live_.size() / 8)
        continue;
    }
    const unsigned evicted = chunk.evicted;
    fold(chunk, renaming);
    if (!has_blocks(chunk))
      chunk.evicted = static_cast<u8>(std::min(evicted + 1, 3u));
  }
}

bool ShadowMemory::begin_folding(u64 clock) {
  most_in_use_ = std::max(most_in_use_, blocks_.in_use() + indexed_.in_use());
  const bool pays = pack_every_ != 0 || unpacked_cells_ * kEventsPerCell <= clock;
  if (!pays)
    set_limit();
  return pays;
}

// Folding visits every live chunk: a few for each block that may come until the next time.
void ShadowMemory::set_limit() {
  const std::size_t in_use = blocks_.in_use() + indexed_.in_use();
  const std::size_t more = std::max(in_use / 4, live_.size() / 64);
  limit_ = pack_every_ != 0 ? in_use + pack_every_
                            : std::max({kFirstLimit, in_use + more, most_in_use_});
}

void ShadowMemory::rest(Accesses& accesses) {
  accesses.ts.use = Use::idle;
  accesses.table->slots_[accesses.chunk->number] = {};
}

void ShadowMemory::rest(Chunk& chunk) {
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next)
    if (known->ts.use == Use::recent)
      rest(*known);
  chunk.wts.use = std::max(chunk.wts.use, Use::idle);
}

void ShadowMemory::fold(Chunk& chunk, Renaming renaming) {
  // What was folded beside a wts that was in use did not follow the renaming of that.
  const bool all = chunk.use() == Use::idle;
  if (all) {
    chunk.evicted = 0;
    unpack(chunk.wts);
  }
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
    if (known->ts.use == Use::recent) {
      rest(*known);
      continue;
    }
    if (!all && (known->ts.use != Use::idle || chunk.wts.indexed != nullptr))
      continue; // packed already, or beside a wts in use that is indexed
    if (chunk.is_exclusive() && known->ts.indexed != nullptr) {
      fold_indexed(known->ts, renaming);
      continue;
    }
    unpack(known->ts);
    fold_accesses(known->ts, chunk.wts.cells, renaming);
  }
  if (all && !chunk.is_exclusive())
    fold_writes(chunk.wts, renaming);
  else if (chunk.wts.use == Use::recent)
    chunk.wts.use = Use::idle;
}

void ShadowMemory::fold_indexed(Times& ts, Renaming& renaming) {
  ts.use = Use::folded;
  ts.indexed->compact([&](Timestamp time) { return u64{renaming.access_alone(time).value()}; });
  ts.indexed->for_each_value([&](Timestamp& time) { time = renaming.access_alone(time); });
  ts.packed = ts.indexed->pack();
  indexed_.give_back(IndexedCells::destroy(std::exchange(ts.indexed, nullptr)));
  packed_++;
}

void ShadowMemory::fold_accesses(Times& ts, const Timestamp* wts, Renaming& renaming) {
  ts.use = Use::folded;
  if (PackedCells* packed = pack_accesses(ts.cells, wts, renaming))
    pack(ts, packed);
  else
    rename_accesses(ts.cells, wts, renaming);
}

void ShadowMemory::fold_writes(Times& wts, Renaming& renaming) {
  wts.use = Use::folded;
  if (PackedCells* packed = pack_writes(wts.cells, renaming))
    pack(wts, packed);
  else
    rename_writes(wts.cells, renaming);
}

PackedCells* ShadowMemory::pack_accesses(const Timestamp* ts, const Timestamp* wts,
                                         Renaming& renaming) {
  if (wts != nullptr)
    return packer_.pack(
        ts, wts, [&](Timestamp time, Timestamp write) { return renaming.access(time, write); });
  if (are_equal(ts, cells_)) // as of arrays that are streamed
    return packer_.pack_equal(renaming.access_alone(ts[0]));
  return packer_.pack(ts, ts,
                      [&](Timestamp time, Timestamp) { return renaming.access_alone(time); });
}

PackedCells* ShadowMemory::pack_writes(const Timestamp* wts, Renaming& renaming) {
  return packer_.pack(wts, wts, [&](Timestamp time, Timestamp) { return renaming.write(time); });
}

void ShadowMemory::pack(Times& times, PackedCells* packed) {
  blocks_.give_back(std::exchange(times.cells, nullptr));
  times.packed = packed;
  packed_++;
}

void ShadowMemory::unpack(Times& times) {
  if (times.indexed != nullptr) {
    times.cells = blocks_.take();
    times.indexed->unpack(times.cells);
    indexed_.give_back(IndexedCells::destroy(std::exchange(times.indexed, nullptr)));
  }
  if (times.packed == nullptr)
    return;
  times.cells = blocks_.take();
  times.packed->unpack(times.cells, cells_);
  unpacked_cells_ += times.packed->is_uniform() ? cells_ / 16 : cells_;
  release(std::exchange(times.packed, nullptr));
}

void ShadowMemory::index(Times& times) {
  if (times.indexed != nullptr)
    return;
  times.indexed = IndexedCells::make(indexed_.take_clear(), cells_, *times.packed);
  limit(*times.indexed);
  unpacked_cells_ += times.packed->is_uniform() ? cells_ / 16 : cells_ / 4;
  release(std::exchange(times.packed, nullptr));
}

void ShadowMemory::index_copy(Times& times, const Times& of) {
  times.indexed = IndexedCells::make(indexed_.take_clear(), cells_, *of.indexed);
  limit(*times.indexed);
}

void ShadowMemory::index_afresh(Times& times) {
  times.indexed = IndexedCells::make(indexed_.take_clear(), cells_);
  limit(*times.indexed);
}

void ShadowMemory::rename(Chunk& chunk, Renaming renaming) {
  const auto to_block = [&](Times& times) {
    if (times.indexed != nullptr) {
      ask_again(chunk);
      times.use = Use::folded;
    }
    unpack(times);
  };
  to_block(chunk.wts);
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
    to_block(known->ts);
    if (known->ts.use == Use::folded)
      fold_accesses(known->ts, chunk.wts.cells, renaming);
    else
      rename_accesses(known->ts.cells, chunk.wts.cells, renaming);
  }
  if (chunk.is_exclusive())
    return;
  if (chunk.wts.use == Use::folded)
    fold_writes(chunk.wts, renaming);
  else
    rename_writes(chunk.wts.cells, renaming);
}

void ShadowMemory::rename_accesses(Timestamp* ts, const Timestamp* wts, Renaming& renaming) {
  for (std::size_t cell = 0; cell < cells_; cell++)
    change(ts[cell],
           wts == nullptr ? renaming.access_alone(ts[cell]) : renaming.access(ts[cell], wts[cell]));
}

void ShadowMemory::rename_writes(Timestamp* wts, Renaming& renaming) {
  for (std::size_t cell = 0; cell < cells_; cell++)
    change(wts[cell], renaming.write(wts[cell]));
}
