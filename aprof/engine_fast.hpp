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

// Calls visit(chunk, first cell, last cell + 1) for the chunks that an access of the current
// thread covers; accesses beyond the client's space are about to fault, and none.
template <unsigned kCellShift> struct FastPath {
  static constexpr std::size_t kCellMask = (kChunkBytes >> kCellShift) - 1;

  template <typename Visit>
  [[gnu::always_inline]] static void cells(Engine& engine, GuestAddr address, std::size_t bytes,
                                           Visit visit) {
    const GuestAddr last = address + bytes - 1;
    if (APROF_UNLIKELY((address | last) >= kGuestAddressEnd))
      return;
    const std::size_t number = address >> kChunkBits;
    if (APROF_UNLIKELY(last >> kChunkBits != number)) {
      const std::size_t here = kChunkBytes - (address & (kChunkBytes - 1));
      in_chunk(engine, number, address, address + here - 1, visit);
      in_chunk(engine, number + 1, address + here, last, visit);
      return;
    }
    in_chunk(engine, number, address, last, visit);
  }

private:
  template <typename Visit>
  [[gnu::always_inline]] static void in_chunk(Engine& engine, std::size_t number,
                                              GuestAddr address, GuestAddr last, Visit visit) {
    AccessChunk* chunk = engine.slots_[number];
    if (APROF_UNLIKELY(chunk == nullptr)) {
      chunk = engine.materialise(number);
      if (chunk == nullptr)
        return;
    }
    std::size_t cell = address >> kCellShift & kCellMask;
    const std::size_t last_cell = last >> kCellShift & kCellMask;
    do
      visit(*chunk, cell);
    while (cell++ != last_cell);
  }

public:
  [[gnu::always_inline]] static void read(Engine& engine, GuestAddr address, std::size_t bytes) {
    cells(engine, address, bytes, [&](AccessChunk& chunk, std::size_t cell) {
      Timestamp& ts = chunk.ts[cell];
      const Timestamp wts = chunk.writes->wts[cell];
      if (APROF_UNLIKELY(ts < engine.top_ts_ || ts < wts))
        engine.first_access(ts, wts);
    });
  }

  [[gnu::always_inline]] static void write(Engine& engine, GuestAddr address, std::size_t bytes) {
    cells(engine, address, bytes, [&](AccessChunk& chunk, std::size_t cell) {
      chunk.ts[cell] = engine.now_;
      chunk.writes->wts[cell] = engine.now_;
    });
  }
};

template <unsigned kCellShift> void Engine::read(GuestAddr address, std::size_t bytes) {
  FastPath<kCellShift>::read(*this, address, bytes);
}
template <unsigned kCellShift> void Engine::write(GuestAddr address, std::size_t bytes) {
  FastPath<kCellShift>::write(*this, address, bytes);
}
