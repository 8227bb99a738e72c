// The hot half of the engine: read and write of Figure 11, inlined into the helpers that
// instrumented code calls.
//
// Most accesses change nothing. A read is a no-op when the cell was accessed since the top
// activation began and nobody wrote it since (ts >= S[top].ts and ts >= wts), although line 12 of
// the figure stores the counter: no later comparison can tell the difference.
#pragma once

#include "aprof/engine.hpp"

#define APROF_LIKELY(x) __builtin_expect(!!(x), 1)
#define APROF_UNLIKELY(x) __builtin_expect(!!(x), 0)

template <unsigned kCellShift> struct FastPath {
  static constexpr std::size_t kCellMask = (kChunkBytes >> kCellShift) - 1;

  // Calls visit(chunk, cell) for each cell under an access of the current thread. An access
  // beyond the client's space is about to fault, and has none.
  template <typename Visit>
  [[gnu::always_inline]] static void any_cells(Engine& engine, GuestAddr address, std::size_t bytes,
                                               Visit visit) {
    const GuestAddr last = address + bytes - 1;
    if ((address | last) >= kGuestAddressEnd)
      return;
    const GuestAddr last_cell = last >> kCellShift;
    for (GuestAddr cell = address >> kCellShift; cell <= last_cell; cell++) {
      const std::size_t number = engine.number_of(cell >> (kChunkBits - kCellShift));
      AccessChunk* chunk = engine.slots_[number];
      if (chunk == nullptr && (chunk = engine.materialise(number)) == nullptr)
        continue;
      visit(*chunk, cell & kCellMask);
    }
  }

  // The same for an access of a power of two of bytes: when it is aligned, as nearly all are, and
  // its chunk exists, a known number of cells of one chunk. Otherwise calls otherwise().
  template <std::size_t kBytes, typename Visit, typename Otherwise>
  [[gnu::always_inline]] static void cells(Engine& engine, GuestAddr address, Visit visit,
                                           Otherwise otherwise) {
    if (APROF_UNLIKELY((address & (kBytes - 1)) != 0 || address >= kLowAddressEnd))
      return otherwise();
    AccessChunk* chunk = engine.slots_[address >> kChunkBits];
    if (APROF_UNLIKELY(chunk == nullptr))
      return otherwise();
    const std::size_t first = address >> kCellShift & kCellMask;
    constexpr std::size_t kCells = (kBytes >> kCellShift) == 0 ? 1 : kBytes >> kCellShift;
    for (std::size_t i = 0; i < kCells; i++)
      visit(*chunk, first + i);
  }

  [[gnu::always_inline]] static void read_cell(Engine& engine, AccessChunk& chunk,
                                               std::size_t cell) {
    Timestamp& ts = chunk.ts[cell];
    if (chunk.writes != nullptr) {
      const Timestamp wts = chunk.writes->wts[cell];
      if (APROF_UNLIKELY(ts < engine.top_ts_ || ts < wts))
        engine.first_access(ts, wts);
    } else if (APROF_UNLIKELY(ts < engine.top_ts_)) {
      engine.first_access(ts, Timestamp::never());
    }
  }

  [[gnu::always_inline]] static void write_cell(Engine& engine, AccessChunk& chunk,
                                                std::size_t cell) {
    if (chunk.writes != nullptr) {
      chunk.ts[cell] = engine.now_;
      chunk.writes->wts[cell] = engine.now_;
    } else {
      chunk.ts[cell] = engine.now_.written();
    }
  }
};

template <unsigned kCellShift>
[[gnu::noinline]] void Engine::read(GuestAddr address, std::size_t bytes) {
  using Fast = FastPath<kCellShift>;
  Fast::any_cells(*this, address, bytes, [this](AccessChunk& chunk, std::size_t cell) {
    Fast::read_cell(*this, chunk, cell);
  });
}

template <unsigned kCellShift>
[[gnu::noinline]] void Engine::write(GuestAddr address, std::size_t bytes) {
  using Fast = FastPath<kCellShift>;
  Fast::any_cells(*this, address, bytes, [this](AccessChunk& chunk, std::size_t cell) {
    Fast::write_cell(*this, chunk, cell);
  });
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::always_inline]] inline void Engine::read_sized(GuestAddr address) {
  using Fast = FastPath<kCellShift>;
  Fast::template cells<kBytes>(
      *this, address,
      [this](AccessChunk& chunk, std::size_t cell) { Fast::read_cell(*this, chunk, cell); },
      [this, address] { read<kCellShift>(address, kBytes); });
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::always_inline]] inline void Engine::write_sized(GuestAddr address) {
  using Fast = FastPath<kCellShift>;
  Fast::template cells<kBytes>(
      *this, address,
      [this](AccessChunk& chunk, std::size_t cell) { Fast::write_cell(*this, chunk, cell); },
      [this, address] { write<kCellShift>(address, kBytes); });
}
