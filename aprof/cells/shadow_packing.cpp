// The part of ShadowMemory that decides which chunks are blocks, indexed or packed.
#include "aprof/cells/shadow_memory.hpp"

#include <algorithm>
#include <utility>

Cells ShadowMemory::promote(AccessTable& table, std::size_t number, bool forced) {
  Chunk& of = *directory_[number];
  Accesses& known = find_or_add_accesses(table, of);
  if (!forced && !has_room()) {
    known.ts.indexed->accesses_until_hot = accesses_until_hot(of);
    return {};
  }
  unpacked_cells_ += cells_;
  promoted_++;
  return use_blocks(known);
}

bool ShadowMemory::has_blocks(const Chunk& chunk) {
  bool has = chunk.wts.cells != nullptr;
  for (const Accesses* known = chunk.accesses; known != nullptr; known = known->next)
    has |= known->ts.cells != nullptr;
  return has;
}

bool ShadowMemory::needs_block(const AccessTable& table, std::size_t number) const {
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

void ShadowMemory::count_indexed(IndexedCells& cells) {
  indexed_ever_++;
  if (pack_every_ != 0)
    cells.limit_values(12);
}

u32 ShadowMemory::accesses_until_hot(const Chunk& of) const {
  return (pack_every_ != 0 ? 3 : kAccessesUntilHot) << of.evicted;
}

// Evicts whole chunks, which become indexed at their next access. The clock hand marks recently
// used chunks as idle when it first passes them, and evicts them at once only after a long way.
void ShadowMemory::demote(Renumbering renumbering) {
  for (std::size_t i = 0; i < live_.size() && !has_room(); i++) {
    hand_ = (hand_ + 1) % live_.size();
    Chunk& chunk = *live_[hand_];
    if (!has_blocks(chunk))
      continue;
    if (chunk.use() == Use::recent) {
      mark_idle(chunk);
      if (i < live_.size() / 8)
        continue;
    }
    const unsigned evicted = chunk.evicted;
    pack_idle(chunk, renumbering);
    if (!has_blocks(chunk))
      chunk.evicted = static_cast<u8>(std::min(evicted + 1, 3u));
  }
}

bool ShadowMemory::begin_packing(u64 clock) {
  most_in_use_ = std::max(most_in_use_, blocks_.in_use() + indexed_.in_use());
  const bool pays = pack_every_ != 0 || unpacked_cells_ * kEventsPerCell <= clock;
  if (!pays)
    set_limit();
  return pays;
}

// Packing visits every live chunk. The limit allows for enough new blocks until the next time that
// each of them pays for a few visits.
void ShadowMemory::set_limit() {
  const std::size_t in_use = blocks_.in_use() + indexed_.in_use();
  const std::size_t more = std::max(in_use / 4, live_.size() / 64);
  limit_ = pack_every_ != 0 ? in_use + pack_every_
                            : std::max({kFirstLimit, in_use + more, most_in_use_});
}

void ShadowMemory::mark_idle(Accesses& accesses) {
  accesses.ts.use = Use::idle;
  accesses.table->slots_[accesses.chunk->number] = {};
}

void ShadowMemory::mark_idle(Chunk& chunk) {
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next)
    if (known->ts.use == Use::recent)
      mark_idle(*known);
  chunk.wts.use = std::max(chunk.wts.use, Use::idle);
}

void ShadowMemory::pack_idle(Chunk& chunk, Renumbering renumbering) {
  // If wts stays in use, packing a ts_t renumbers only that one; once wts is idle, too, all are
  // renumbered together.
  const bool all = chunk.use() == Use::idle;
  if (all) {
    chunk.evicted = 0;
    unpack(chunk.wts);
  }
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
    if (known->ts.use == Use::recent) {
      mark_idle(*known);
      continue;
    }
    if (!all && (known->ts.use != Use::idle || chunk.wts.indexed != nullptr))
      continue; // packed already, or wts is indexed and in use
    if (chunk.is_exclusive() && known->ts.indexed != nullptr) {
      pack_indexed(known->ts, renumbering);
      continue;
    }
    unpack(known->ts);
    pack_accesses(known->ts, chunk.wts.cells, renumbering);
  }
  if (all && !chunk.is_exclusive())
    pack_writes(chunk.wts, renumbering);
  else if (chunk.wts.use == Use::recent)
    chunk.wts.use = Use::idle;
}

void ShadowMemory::pack_indexed(ChunkTimestamps& ts, Renumbering& renumbering) {
  ts.use = Use::packed;
  ts.indexed->compact([&](Timestamp time) { return u64{renumbering.access_alone(time).value()}; });
  ts.indexed->for_each_value([&](Timestamp& time) { time = renumbering.access_alone(time); });
  ts.packed = ts.indexed->pack();
  indexed_.give_back(IndexedCells::destroy(std::exchange(ts.indexed, nullptr)));
  packed_++;
}

void ShadowMemory::pack_accesses(ChunkTimestamps& ts, const Timestamp* wts,
                                 Renumbering& renumbering) {
  ts.use = Use::packed;
  if (PackedCells* packed = packed_accesses(ts.cells, wts, renumbering))
    replace_block(ts, packed);
  else
    renumber_accesses(ts.cells, wts, renumbering);
}

void ShadowMemory::pack_writes(ChunkTimestamps& wts, Renumbering& renumbering) {
  wts.use = Use::packed;
  if (PackedCells* packed = packed_writes(wts.cells, renumbering))
    replace_block(wts, packed);
  else
    renumber_writes(wts.cells, renumbering);
}

PackedCells* ShadowMemory::packed_accesses(const Timestamp* ts, const Timestamp* wts,
                                           Renumbering& renumbering) {
  if (wts != nullptr)
    return packer_.pack(
        ts, wts, [&](Timestamp time, Timestamp write) { return renumbering.access(time, write); });
  if (are_equal(ts, cells_)) // as in arrays that are streamed through
    return packer_.pack_equal(renumbering.access_alone(ts[0]));
  return packer_.pack(ts, ts,
                      [&](Timestamp time, Timestamp) { return renumbering.access_alone(time); });
}

PackedCells* ShadowMemory::packed_writes(const Timestamp* wts, Renumbering& renumbering) {
  return packer_.pack(wts, wts, [&](Timestamp time, Timestamp) { return renumbering.write(time); });
}

void ShadowMemory::replace_block(ChunkTimestamps& times, PackedCells* packed) {
  blocks_.give_back(std::exchange(times.cells, nullptr));
  times.packed = packed;
  packed_++;
}

void ShadowMemory::unpack(ChunkTimestamps& times) {
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

void ShadowMemory::index(ChunkTimestamps& times) {
  if (times.indexed != nullptr)
    return;
  times.indexed = IndexedCells::make(indexed_.take_clear(), cells_, *times.packed);
  count_indexed(*times.indexed);
  unpacked_cells_ += times.packed->is_uniform() ? cells_ / 16 : cells_ / 4;
  release(std::exchange(times.packed, nullptr));
}

void ShadowMemory::index_copy(ChunkTimestamps& times, const ChunkTimestamps& of) {
  times.indexed = IndexedCells::make(indexed_.take_clear(), cells_, *of.indexed);
  count_indexed(*times.indexed);
}

void ShadowMemory::index_afresh(ChunkTimestamps& times) {
  times.indexed = IndexedCells::make(indexed_.take_clear(), cells_);
  count_indexed(*times.indexed);
}

void ShadowMemory::renumber(Chunk& chunk, Renumbering renumbering) {
  const auto to_block = [&](ChunkTimestamps& times) {
    if (times.indexed != nullptr) {
      clear_slots(chunk);
      times.use = Use::packed;
    }
    unpack(times);
  };
  to_block(chunk.wts);
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
    to_block(known->ts);
    if (known->ts.use == Use::packed)
      pack_accesses(known->ts, chunk.wts.cells, renumbering);
    else
      renumber_accesses(known->ts.cells, chunk.wts.cells, renumbering);
  }
  if (chunk.is_exclusive())
    return;
  if (chunk.wts.use == Use::packed)
    pack_writes(chunk.wts, renumbering);
  else
    renumber_writes(chunk.wts.cells, renumbering);
}

void ShadowMemory::renumber_accesses(Timestamp* ts, const Timestamp* wts,
                                     Renumbering& renumbering) {
  for (std::size_t cell = 0; cell < cells_; cell++)
    change(ts[cell], wts == nullptr ? renumbering.access_alone(ts[cell])
                                    : renumbering.access(ts[cell], wts[cell]));
}

void ShadowMemory::renumber_writes(Timestamp* wts, Renumbering& renumbering) {
  for (std::size_t cell = 0; cell < cells_; cell++)
    change(wts[cell], renumbering.write(wts[cell]));
}
