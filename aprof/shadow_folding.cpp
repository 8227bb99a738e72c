// Folding of shadow memory: what nobody accessed for a while is packed, and all that tell the same
// become one.
#include "aprof/shadow_memory.hpp"

#include <algorithm>
#include <utility>

bool ShadowMemory::begin_folding(u64 clock) {
  const bool pays = pack_every_ != 0 || unpacked_cells_ * kEventsPerCell <= clock;
  if (!pays)
    set_limit();
  return pays;
}

// Folding visits every live chunk: a few for each block that may come until the next time.
void ShadowMemory::set_limit() {
  const std::size_t in_use = blocks_.in_use();
  const std::size_t more = std::max(in_use / 4, live_.size() / 64);
  limit_ = pack_every_ != 0 ? in_use + pack_every_
                            : std::max({kFirstLimit, in_use + more, blocks_.touched()});
}

void ShadowMemory::fold(Chunk& chunk, Renaming renaming) {
  // What was folded beside a wts that was in use did not follow the renaming of that.
  const bool all = chunk.use() == Use::idle;
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
    if (known->ts.use == Use::recent) {
      known->ts.use = Use::idle;
      known->table->slots_[chunk.number] = {};
      continue;
    }
    if (all)
      unpack(known->ts);
    if (all || known->ts.use == Use::idle)
      fold_accesses(known->ts, chunk.wts.cells, renaming);
  }
  if (all && !chunk.is_exclusive())
    fold_writes(chunk.wts, renaming);
  else if (chunk.wts.use == Use::recent)
    chunk.wts.use = Use::idle;
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
  if (times.packed == nullptr)
    return;
  times.cells = blocks_.take();
  times.packed->unpack(times.cells, cells_);
  unpacked_cells_ += times.packed->is_uniform() ? cells_ / 16 : cells_;
  release(std::exchange(times.packed, nullptr));
}

void ShadowMemory::rename(Chunk& chunk, Renaming renaming) {
  unpack(chunk.wts);
  for (Accesses* known = chunk.accesses; known != nullptr; known = known->next) {
    unpack(known->ts);
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
