// What a thread knows of a chunk: nothing, or its cells as blocks of timestamps, or as indexed
// cells. Owns neither.
//
//           unknown   blocks                                     indexed
//   ts_     0         where ts_t would begin for address 0       0
//   wts_    0         the same of wts, or ts_ where exclusive    the IndexedCells
//
// "For address 0" is in low chunks: there a block is known by where it would begin if it went back
// to address 0, so that an address alone tells where in it its cells are.
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
  // The cell with this offset, of a low chunk.
  Cells at(u64 offset) const {
    return {reinterpret_cast<Timestamp*>(ts_ + offset),
            reinterpret_cast<Timestamp*>(wts_ + offset)};
  }
  // `cell`: an address in cells.
  static u64 offset(GuestAddr cell) { return cell * sizeof(Timestamp); }

private:
  static GuestAddr first_cell(std::size_t number, std::size_t cells_of_chunk) {
    return number < kLowChunks ? number * cells_of_chunk : 0;
  }

  u64 ts_ = 0;
  u64 wts_ = 0;
};
