// Finds the timestamps of the cells of an access by its address, in the slots of the current thread
// (shadow_memory.hpp).
//
// Nearly all accesses are in a chunk at a low address, and their size tells which cells they cover.
// These take one comparison and one dependent load. Each function calls one of the callbacks that
// it is given, so that a caller shows all cases side by side.
#pragma once

#include "aprof/engine/engine.hpp"
#include "base/likely.hpp"

#include <algorithm>
#include <bit>

template <unsigned kCellShift> struct CellLookup {
  static constexpr std::size_t kCellsOfChunk = kChunkBytes >> kCellShift;

  // The number of cells that an aligned access of this size covers: a multiple of a cell, or a part
  // of one.
  static constexpr std::size_t cells_of(std::size_t bytes) {
    return bytes >> kCellShift == 0 ? 1 : bytes >> kCellShift;
  }
  // The cell's index in its chunk.
  static std::size_t in_chunk(GuestAddr address) {
    return address >> kCellShift & (kCellsOfChunk - 1);
  }

  // Any access: for the cells in each chunk that it covers, calls in_blocks(cells, count) or
  // indexed(chunk number, first, count). An access outside of the client's address space is about
  // to fault; nothing is called for it.
  template <typename InBlocks, typename Indexed>
  [[gnu::always_inline]] static void any(Engine& engine, GuestAddr address, std::size_t bytes,
                                         InBlocks in_blocks, Indexed indexed) {
    const GuestAddr last = address + bytes - 1;
    if ((address | last) >= kGuestAddressEnd)
      return;
    const GuestAddr end = (last >> kCellShift) + 1;
    for (GuestAddr cell = address >> kCellShift; cell < end;) {
      const std::size_t first = cell & (kCellsOfChunk - 1);
      const std::size_t count = std::min(end - cell, kCellsOfChunk - first);
      const std::size_t number = engine.find_or_add_number(cell >> (kChunkBits - kCellShift));
      if (!engine.slots_[number].is_known())
        engine.materialise(number);
      if (const Slot slot = engine.slots_[number]; slot.has_blocks())
        in_blocks(slot.cells(number, kCellsOfChunk).from(first), count);
      else if (slot.is_known())
        indexed(number, first, count);
      cell += count;
    }
  }

  // An access of kBytes, a power of two. Calls in_blocks(cells) if it covers cells_of(kBytes) cells
  // of a low chunk that is in the slot as blocks; without_blocks() if it is in another low chunk;
  // otherwise unaligned().
  template <std::size_t kBytes, typename InBlocks, typename WithoutBlocks, typename Unaligned>
  [[gnu::always_inline]] static void sized(Engine& engine, GuestAddr address, InBlocks in_blocks,
                                           WithoutBlocks without_blocks, Unaligned unaligned) {
    constexpr bool kAsLong = sizeof(Timestamp) == 1 << kCellShift && kBytes >= sizeof(Timestamp);
    at(engine, chunk_of<kBytes>(address), kAsLong ? address : Slot::offset(address >> kCellShift),
       in_blocks, without_blocks, unaligned);
  }

  // The same for kCells adjacent cells, each of the size of a timestamp.
  template <std::size_t kCells, typename InBlocks, typename WithoutBlocks, typename Otherwise>
  [[gnu::always_inline]] static void run(Engine& engine, GuestAddr address, InBlocks in_blocks,
                                         WithoutBlocks without_blocks, Otherwise otherwise) {
    static_assert(1 << kCellShift == sizeof(Timestamp));
    const std::size_t number = std::rotr(address, kCellShift) >> (kChunkBits - kCellShift);
    const GuestAddr last = address + (kCells - 1) * sizeof(Timestamp);
    if (APROF_UNLIKELY(last >> kChunkBits != number))
      return otherwise();
    at(engine, number, address, in_blocks, without_blocks, otherwise);
  }

  // The cells of an access anywhere in one low chunk, if that chunk is in the slot as blocks;
  // otherwise none.
  [[gnu::always_inline]] static Cells in_one_chunk(Engine& engine, GuestAddr address,
                                                   std::size_t bytes, std::size_t& count) {
    const std::size_t number = address >> kChunkBits;
    const GuestAddr last = address + bytes - 1;
    if (number >= kLowChunks || last >> kChunkBits != number)
      return {};
    count = (last >> kCellShift) - (address >> kCellShift) + 1;
    const Slot slot = engine.slots_[number];
    return slot.has_blocks() ? slot.at(Slot::offset(address >> kCellShift)) : Cells{};
  }

private:
  // The number of the chunk that contains an access of a power of two of bytes, if it covers whole
  // cells or a part of one. Otherwise, or at a high address, a number beyond all low chunks.
  template <std::size_t kBytes>
  [[gnu::always_inline]] static std::size_t chunk_of(GuestAddr address) {
    constexpr GuestAddr kCellBytes = 1 << kCellShift;
    if constexpr (kBytes < kCellBytes) { // anywhere in the cell
      if (APROF_UNLIKELY(address % kCellBytes > kCellBytes - kBytes))
        return kLowChunks;
      return address >> kChunkBits;
    }
    constexpr unsigned kLog2 = std::countr_zero(kBytes);
    return std::rotr(address, kLog2) >> (kChunkBits - kLog2);
  }

  // `offset`: of the first cell, as for Slot::at.
  template <typename InBlocks, typename WithoutBlocks, typename Otherwise>
  [[gnu::always_inline]] static void at(Engine& engine, std::size_t number, u64 offset,
                                        InBlocks in_blocks, WithoutBlocks without_blocks,
                                        Otherwise otherwise) {
    if (APROF_UNLIKELY(number >= kLowChunks))
      return otherwise();
    const Slot slot = engine.slots_[number];
    if (APROF_UNLIKELY(!slot.has_blocks()))
      return without_blocks();
    in_blocks(slot.at(offset));
  }
};
