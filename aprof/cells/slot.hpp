// A thread's cache entry for a chunk: unknown, its cells as blocks of timestamps, or its indexed
// cells. Owns neither.
//
//           unknown   blocks                                         indexed
//   ts_     0         where ts_t would begin for address 0           0
//   wts_    0         likewise for wts; equal to ts_ if exclusive    the IndexedCells
//
// For low chunks, a block is represented by the address where it would begin if it extended back to
// guest address 0. So the guest address alone gives the position of its cells.
#pragma once

#include "aprof/cells/cells.hpp"
#include "aprof/cells/chunk_numbers.hpp"
#include "base/types.hpp"

class IndexedCells;

class Slot {
public:
  Slot() = default;
  Slot(std::size_t number, std::size_t cells_of_chunk, Cells cells)
      : ts_(reinterpret_cast<u64>(cells.ts) - offset(first_cell(number, cells_of_chunk))),
        wts_(reinterpret_cast<u64>(cells.wts) - offset(first_cell(number, cells_of_chunk))) {}
  explicit Slot(IndexedCells* indexed) : wts_(reinterpret_cast<u64>(indexed)) {}

  bool is_known() const { return wts_ != 0; }
  bool has_blocks() const { return ts_ != 0; }
  IndexedCells* indexed() const {
    return has_blocks() ? nullptr : reinterpret_cast<IndexedCells*>(wts_);
  }
  // The chunk's first cell.
  Cells cells(std::size_t number, std::size_t cells_of_chunk) const {
    return at(offset(first_cell(number, cells_of_chunk)));
  }
  // The cell at this offset, in a low chunk.
  Cells at(u64 offset) const {
    return {reinterpret_cast<Timestamp*>(ts_ + offset),
            reinterpret_cast<Timestamp*>(wts_ + offset)};
  }
  // `cell`: an address in units of cells.
  static u64 offset(GuestAddr cell) { return cell * sizeof(Timestamp); }

private:
  static GuestAddr first_cell(std::size_t number, std::size_t cells_of_chunk) {
    return number < kLowChunks ? number * cells_of_chunk : 0;
  }

  u64 ts_ = 0;
  u64 wts_ = 0;
};
