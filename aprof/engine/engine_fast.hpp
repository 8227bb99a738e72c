// The hot half of the engine: call, return, read and write of Figure 11, inlined into the helpers
// that instrumented code calls.
//
// Most accesses change nothing. A read is a no-op when the cell was accessed since the top
// activation began and nobody wrote it since (ts >= S[top].ts and ts >= wts), although line 12 of
// the figure stores the counter: no later comparison can tell the difference.
//
// The fast path of reads and writes calls nothing and saves no register, but to leave by a jump to
// a slow one (tests/tool/test_hot_code.py).
#pragma once

#include "aprof/engine/engine.hpp"
#include "aprof/profile/slow_paths.hpp"

#include <algorithm>
#include <bit>

#define APROF_LIKELY(x) __builtin_expect(!!(x), 1)
#define APROF_UNLIKELY(x) __builtin_expect(!!(x), 0)

template <unsigned kCellShift> struct FastPath {
  static constexpr std::size_t kCellMask = (kChunkBytes >> kCellShift) - 1;
  static constexpr std::size_t cells_of(std::size_t bytes) {
    return bytes >> kCellShift == 0 ? 1 : bytes >> kCellShift;
  }

  // Calls visit(cells, how many) for each chunk's cells under an access of the current thread, or
  // visit_indexed(chunk number, first, how many). An access beyond the client's space is about to
  // fault, and has none.
  template <typename Visit, typename VisitIndexed>
  [[gnu::always_inline]] static void any_cells(Engine& engine, GuestAddr address, std::size_t bytes,
                                               Visit visit, VisitIndexed visit_indexed) {
    const GuestAddr last = address + bytes - 1;
    if ((address | last) >= kGuestAddressEnd)
      return;
    const GuestAddr end = (last >> kCellShift) + 1;
    for (GuestAddr cell = address >> kCellShift; cell < end;) {
      const std::size_t first = cell & kCellMask;
      const std::size_t count = std::min(end - cell, kCellMask + 1 - first);
      const std::size_t number = engine.number_of(cell >> (kChunkBits - kCellShift));
      if (!engine.slots_[number].is_known())
        engine.materialise(number);
      if (const Slot slot = engine.slots_[number]; slot.has_blocks())
        visit(slot.cells(number, kCellMask + 1).from(first), count);
      else if (slot.is_known())
        visit_indexed(number, first, count);
      cell += count;
    }
  }

  // The number of the chunk that an access of a power of two of bytes lies in if it covers whole
  // cells, or one in part; otherwise, and at high addresses, one beyond all.
  template <std::size_t kBytes>
  [[gnu::always_inline]] static std::size_t chunk_of(GuestAddr address) {
    constexpr GuestAddr kCellBytes = 1 << kCellShift;
    if constexpr (kBytes < kCellBytes) { // wherever in the cell
      if (APROF_UNLIKELY(address % kCellBytes > kCellBytes - kBytes))
        return kLowChunks;
      return address >> kChunkBits;
    }
    constexpr unsigned kLog2 = std::countr_zero(kBytes);
    return std::rotr(address, kLog2) >> (kChunkBits - kLog2);
  }

  // Calls visit(cells) with what begins at `offset`, as Slot::at has it, in a low chunk that has
  // been asked for before and has blocks; without_blocks() in another low chunk; otherwise calls
  // otherwise().
  template <typename Visit, typename WithoutBlocks, typename Otherwise>
  [[gnu::always_inline]] static void in_chunk(Engine& engine, std::size_t number, u64 offset,
                                              Visit visit, WithoutBlocks without_blocks,
                                              Otherwise otherwise) {
    if (APROF_UNLIKELY(number >= kLowChunks))
      return otherwise();
    const Slot slot = engine.slots_[number];
    if (APROF_UNLIKELY(!slot.has_blocks()))
      return without_blocks();
    visit(slot.at(offset));
  }

  // The same for an access of a power of two of bytes, when it lies as nearly all do: a known
  // number of its cells.
  template <std::size_t kBytes, typename Visit, typename WithoutBlocks, typename Otherwise>
  [[gnu::always_inline]] static void cells(Engine& engine, GuestAddr address, Visit visit,
                                           WithoutBlocks without_blocks, Otherwise otherwise) {
    constexpr bool kAsLong = sizeof(Timestamp) == 1 << kCellShift && kBytes >= sizeof(Timestamp);
    in_chunk(engine, chunk_of<kBytes>(address),
             kAsLong ? address : Slot::offset(address >> kCellShift), visit, without_blocks,
             otherwise);
  }

  // The same for neighbouring cells of 4 bytes.
  template <std::size_t kCells, typename Visit, typename WithoutBlocks, typename Otherwise>
  [[gnu::always_inline]] static void run(Engine& engine, GuestAddr address, Visit visit,
                                         WithoutBlocks without_blocks, Otherwise otherwise) {
    static_assert(1 << kCellShift == sizeof(Timestamp));
    const std::size_t number = std::rotr(address, kCellShift) >> (kChunkBits - kCellShift);
    const GuestAddr last = address + (kCells - 1) * sizeof(Timestamp);
    if (APROF_UNLIKELY(last >> kChunkBits != number))
      return otherwise();
    in_chunk(engine, number, address, visit, without_blocks, otherwise);
  }

  // The cells under an access that lies in one chunk, which has been asked for before; otherwise
  // none.
  [[gnu::always_inline]] static Cells unaligned_cells(Engine& engine, GuestAddr address,
                                                      std::size_t bytes, std::size_t& count) {
    const std::size_t number = address >> kChunkBits;
    const GuestAddr last = address + bytes - 1;
    if (number >= kLowChunks || last >> kChunkBits != number)
      return {};
    count = (last >> kCellShift) - (address >> kCellShift) + 1;
    const Slot slot = engine.slots_[number];
    return slot.has_blocks() ? slot.at(Slot::offset(address >> kCellShift)) : Cells{};
  }

  // Whether a read, or a write, in a low chunk without blocks is done with that, as its cells are
  // indexed and what is to be stamped has its place; of reads, if they have the same past.
  template <std::size_t kBytes>
  [[gnu::always_inline]] static bool read_is_done(Engine& engine, GuestAddr address) {
    constexpr std::size_t kCells = cells_of(kBytes);
    const std::size_t first = address >> kCellShift & kCellMask;
    IndexedCells* const cells = engine.slots_[address >> kChunkBits].indexed();
    if (cells == nullptr || --cells->patience == 0 || !cells->are_alike<kCells>(first))
      return false;
    const Timestamp before = cells->at(first);
    const IndexedCells* const writes = cells->writes;
    if (writes != nullptr && !(writes->are_alike<kCells>(first) && writes->at(first) <= before))
      return false;
    if (engine.top_ts_ <= before)
      return true;
    if (!engine.find_place(*cells))
      return false;
    engine.first_accesses(*cells, first, kCells, before);
    return true;
  }
  template <std::size_t kBytes>
  [[gnu::always_inline]] static bool write_is_done(Engine& engine, GuestAddr address) {
    constexpr std::size_t kCells = cells_of(kBytes);
    const std::size_t first = address >> kCellShift & kCellMask;
    IndexedCells* const cells = engine.slots_[address >> kChunkBits].indexed();
    if (cells == nullptr || --cells->patience == 0 || !engine.find_place(*cells))
      return false;
    if (cells->writes == nullptr) {
      cells->set(first, kCells, cells->latest_place() + 1);
      return true;
    }
    if (!cells->writes->has_place_of(engine.slice_))
      return false;
    cells->set(first, kCells, cells->latest_place());
    cells->writes->set(first, kCells, cells->writes->latest_place());
    return true;
  }

  // The same and, if it is not done, the rest.
  template <std::size_t kBytes>
  [[gnu::always_inline]] static void read_without_blocks(Engine& engine, GuestAddr address) {
    if (!read_is_done<kBytes>(engine, address))
      finish<kBytes, &Engine::read_indexed, &Engine::read<kCellShift>>(engine, address);
  }
  template <std::size_t kBytes>
  [[gnu::always_inline]] static void write_without_blocks(Engine& engine, GuestAddr address) {
    if (!write_is_done<kBytes>(engine, address))
      finish<kBytes, &Engine::write_indexed, &Engine::write<kCellShift>>(engine, address);
  }
  template <std::size_t kBytes, auto kIndexed, auto kAny>
  [[gnu::always_inline]] static void finish(Engine& engine, GuestAddr address) {
    const std::size_t number = address >> kChunkBits;
    if (engine.slots_[number].indexed() != nullptr)
      return (engine.*kIndexed)(number, address >> kCellShift & kCellMask, cells_of(kBytes));
    (engine.*kAny)(address, kBytes);
  }

  // Whether all is as a read would leave it.
  template <std::size_t kCells>
  [[gnu::always_inline]] static bool are_accessed(const Timestamp* ts, const Timestamp* wts,
                                                  Timestamp begun) {
    if constexpr (kCells < 4) {
      bool accessed = true;
      for (std::size_t i = 0; i < kCells; i++)
        accessed = accessed && begun <= ts[i] && wts[i] <= ts[i];
      return accessed;
    } else {
      I32x4 others = {};
      for_each_vector<kCells>([&](std::size_t first, auto lanes) {
        const I32x4 accessed = vector_at(ts + first, lanes);
        others |= (accessed < vector_of(begun, lanes)) | (accessed < vector_at(wts + first, lanes));
      });
      return !is_any(others);
    }
  }

  template <std::size_t kCells>
  [[gnu::always_inline]] static bool are_accessed(Cells cells, Timestamp begun) {
    return are_accessed<kCells>(cells.ts, cells.wts, begun);
  }

  // Whether all were last accessed at time `before`, and not written since.
  template <std::size_t kCells>
  [[gnu::always_inline]] static bool are_last_accessed(const Timestamp* ts, const Timestamp* wts,
                                                       Timestamp before) {
    if constexpr (kCells < 4) {
      bool alike = true;
      for (std::size_t i = 0; i < kCells; i++)
        alike = alike && ts[i] == before && wts[i] <= before;
      return alike;
    } else {
      I32x4 others = {};
      for_each_vector<kCells>([&](std::size_t first, auto lanes) {
        const I32x4 then = vector_of(before, lanes);
        others |= (vector_at(ts + first, lanes) != then) | (vector_at(wts + first, lanes) > then);
      });
      return !is_any(others);
    }
  }

  template <std::size_t kCells>
  [[gnu::always_inline]] static void read_cells(Engine& engine, Cells cells) {
    if (APROF_LIKELY(are_accessed<kCells>(cells, engine.top_ts_)))
      return;
    if constexpr (kCells <= 2) {
      const Timestamp before = cells.ts[0];
      if (APROF_LIKELY(are_last_accessed<kCells>(cells.ts, cells.wts, before))) {
        set<kCells>(cells.ts, engine.now_.flagged_as(before));
        return engine.count_first_accesses(before, kCells);
      }
    }
    engine.first_accesses<kCells>(cells.ts, cells.wts);
  }

  template <std::size_t kCells>
  [[gnu::always_inline]] static void set(Timestamp* cells, Timestamp stamp) {
    if constexpr (kCells >= 4) {
      for_each_vector<kCells>(
          [&](std::size_t first, auto lanes) { set_vector(cells + first, stamp, lanes); });
    } else {
      if constexpr (kCells >= 2)
        set_pair(cells, pair_of(stamp));
      if constexpr (kCells % 2 != 0)
        cells[kCells - 1] = stamp;
    }
  }
  template <std::size_t kCells>
  [[gnu::always_inline]] static void write_cells(Engine& engine, Cells cells) {
    const Timestamp now = engine.now_;
    if (cells.are_exclusive())
      return set<kCells>(cells.ts, now.written());
    set<kCells>(cells.ts, now);
    set<kCells>(cells.wts, now);
  }
  template <std::size_t kCells>
  [[gnu::always_inline]] static void modify_cells(Engine& engine, Cells cells) {
    if (APROF_LIKELY(are_accessed<kCells>(cells, engine.top_ts_)))
      return write_cells<kCells>(engine, cells);
    if constexpr (kCells <= 2) {
      const Timestamp before = cells.ts[0];
      if (APROF_LIKELY(are_last_accessed<kCells>(cells.ts, cells.wts, before))) {
        write_cells<kCells>(engine, cells);
        return engine.count_first_accesses(before, kCells);
      }
    }
    engine.first_modify<kCells>(cells.ts, cells.wts);
  }
};

// Lines 3-12 of read in Figure 11 for `cells` cells that the top activation had not accessed, all
// last accessed at time `before`, and written by nobody else since. Nearly always they are new to
// the thread, or that access was the caller's.
[[gnu::always_inline]] inline void Engine::count_first_accesses(Timestamp before, i64 cells) {
  took(SlowPath::first_access);
  Activation& top = *top_;
  top.rms += cells;
  if (before.is_never())
    return;
  Activation& caller = (&top)[-1]; // there is one, the cell was accessed before the top began
  if (APROF_LIKELY(caller.ts <= before))
    caller.rms -= cells;
  else
    uncount_for_ancestor(before, cells);
}

// The same of indexed cells, which have a place for what is stamped now.
[[gnu::always_inline]] inline void Engine::first_accesses(IndexedCells& cells, std::size_t first,
                                                          std::size_t count, Timestamp before) {
  // Of shared chunks, no time has the flag.
  cells.set(first, count, cells.latest_place() + before.is_written());
  count_first_accesses(before, static_cast<i64>(count));
}

// Whether they have a place for what is stamped now, or have room for one.
[[gnu::always_inline]] inline bool Engine::find_place(IndexedCells& cells) {
  if (cells.has_place_since(top_ts_) && cells.has_place_since(slice_))
    return true;
  if (!cells.has_room() || (cells.writes != nullptr && !cells.writes->has_room()))
    return false;
  cells.writes == nullptr ? cells.add_with_flag(now_) : cells.add(now_);
  return true;
}

// Neighbouring cells nearly always have the same past, but for those that were accessed just now
// with others: those that a run begins with, and one of an access that is not aligned.
template <std::size_t kCells>
[[gnu::noinline]] void Engine::first_accesses(Timestamp* ts, const Timestamp* wts) {
  using Fast = FastPath<0>;
  if constexpr (kCells > 2) {
    constexpr std::size_t kLast = (kCells - 1) / 2 * 2;
    std::size_t first = 0;
    while (first < kLast && Fast::are_accessed<2>(ts + first, wts + first, top_ts_))
      first += 2;
    if (first == kLast)
      return first_accesses<kCells - kLast>(ts + first, wts + first);
    if (first > 0)
      return read_run(ts + first, wts + first, kCells - first);
  }
  const Timestamp before = ts[0];
  if (before < wts[0]) {
    const Timestamp write = wts[0];
    if (!are_all<kCells>(ts, before) || !are_all<kCells>(wts, write))
      return read_run(ts, wts, kCells);
    Fast::set<kCells>(ts, now_);
    return count_induced_accesses(before, kCells, write.is_kernel_write());
  }
  if (APROF_UNLIKELY(!Fast::are_last_accessed<kCells>(ts, wts, before))) {
    if constexpr (kCells == 2 || kCells == 4) { // words, and pairs of them
      took(SlowPath::unlike_cells);
      constexpr std::size_t kHalf = kCells / 2;
      if (!Fast::are_accessed<kHalf>(ts, wts, top_ts_))
        first_accesses<kHalf>(ts, wts);
      if (!Fast::are_accessed<kHalf>(ts + kHalf, wts + kHalf, top_ts_))
        first_accesses<kHalf>(ts + kHalf, wts + kHalf);
      return;
    }
    return read_run(ts, wts, kCells);
  }
  Fast::set<kCells>(ts, now_.flagged_as(before));
  count_first_accesses(before, kCells);
}

template <std::size_t kCells>
[[gnu::noinline]] void Engine::first_modify(Timestamp* ts, Timestamp* wts) {
  first_accesses<kCells>(ts, wts);
  FastPath<0>::write_cells<kCells>(*this, {ts, wts});
}

template <unsigned kCellShift>
[[gnu::noinline]] void Engine::read(GuestAddr address, std::size_t bytes) {
  took(SlowPath::any_size);
  FastPath<kCellShift>::any_cells(
      *this, address, bytes,
      [this](Cells cells, std::size_t count) { read_run(cells.ts, cells.wts, count); },
      [this](std::size_t number, std::size_t first, std::size_t count) {
        read_indexed(number, first, count);
      });
}

template <unsigned kCellShift>
[[gnu::noinline]] void Engine::write(GuestAddr address, std::size_t bytes) {
  took(SlowPath::any_size);
  using Fast = FastPath<kCellShift>;
  Fast::any_cells(
      *this, address, bytes,
      [this](Cells cells, std::size_t count) {
        for (std::size_t i = 0; i < count; i++)
          Fast::template write_cells<1>(*this, cells.from(i));
      },
      [this](std::size_t number, std::size_t first, std::size_t count) {
        write_indexed(number, first, count);
      });
}

// Accesses in a low chunk whose cells are indexed, or were not asked for before.
template <unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::read_without_blocks(GuestAddr address) {
  took(SlowPath::no_blocks);
  FastPath<kCellShift>::template read_without_blocks<kBytes>(*this, address);
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::write_without_blocks(GuestAddr address) {
  took(SlowPath::no_blocks);
  FastPath<kCellShift>::template write_without_blocks<kBytes>(*this, address);
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::modify_without_blocks(GuestAddr address) {
  took(SlowPath::no_blocks);
  using Fast = FastPath<kCellShift>;
  Fast::template read_without_blocks<kBytes>(*this, address);
  Fast::template write_without_blocks<kBytes>(*this, address);
}

// Accesses that are not aligned, or at high addresses.
template <unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::read_unaligned(GuestAddr address) {
  took(SlowPath::unaligned);
  using Fast = FastPath<kCellShift>;
  constexpr std::size_t kCells = Fast::cells_of(kBytes);
  std::size_t count;
  if (const Cells cells = Fast::unaligned_cells(*this, address, kBytes, count);
      cells.ts != nullptr) {
    if (!Fast::template are_accessed<kCells>(cells, top_ts_) ||
        !Fast::template are_accessed<1>(cells.from(count - 1), top_ts_))
      count == kCells ? first_accesses<kCells>(cells.ts, cells.wts)
                      : first_accesses<kCells + 1>(cells.ts, cells.wts);
    return;
  }
  read<kCellShift>(address, kBytes);
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::write_unaligned(GuestAddr address) {
  took(SlowPath::unaligned);
  using Fast = FastPath<kCellShift>;
  constexpr std::size_t kCells = Fast::cells_of(kBytes);
  std::size_t count;
  if (const Cells cells = Fast::unaligned_cells(*this, address, kBytes, count);
      cells.ts != nullptr) {
    Fast::template write_cells<kCells>(*this, cells);
    Fast::template write_cells<1>(*this, cells.from(count - 1));
    return;
  }
  write<kCellShift>(address, kBytes);
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::modify_unaligned(GuestAddr address) {
  read_unaligned<kCellShift, kBytes>(address);
  write_unaligned<kCellShift, kBytes>(address);
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::always_inline]] inline void Engine::read_sized(GuestAddr address) {
  using Fast = FastPath<kCellShift>;
  Fast::template cells<kBytes>(
      *this, address,
      [this](Cells cells) { Fast::template read_cells<Fast::cells_of(kBytes)>(*this, cells); },
      [this, address] { read_without_blocks<kCellShift, kBytes>(address); },
      [this, address] { read_unaligned<kCellShift, kBytes>(address); });
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::always_inline]] inline void Engine::write_sized(GuestAddr address) {
  using Fast = FastPath<kCellShift>;
  Fast::template cells<kBytes>(
      *this, address,
      [this](Cells cells) { Fast::template write_cells<Fast::cells_of(kBytes)>(*this, cells); },
      [this, address] { write_without_blocks<kCellShift, kBytes>(address); },
      [this, address] { write_unaligned<kCellShift, kBytes>(address); });
}

template <unsigned kCellShift, std::size_t kBytes>
[[gnu::always_inline]] inline void Engine::modify_sized(GuestAddr address) {
  using Fast = FastPath<kCellShift>;
  Fast::template cells<kBytes>(
      *this, address,
      [this](Cells cells) { Fast::template modify_cells<Fast::cells_of(kBytes)>(*this, cells); },
      [this, address] { modify_without_blocks<kCellShift, kBytes>(address); },
      [this, address] { modify_unaligned<kCellShift, kBytes>(address); });
}

template <std::size_t kCells>
[[gnu::always_inline]] inline void Engine::read_run(GuestAddr address) {
  using Fast = FastPath<2>;
  Fast::template run<kCells>(
      *this, address, [this](Cells cells) { Fast::template read_cells<kCells>(*this, cells); },
      [this, address] { read_without_blocks<2, kCells * sizeof(Timestamp)>(address); },
      [this, address] { read<2>(address, kCells * sizeof(Timestamp)); });
}

template <std::size_t kCells>
[[gnu::always_inline]] inline void Engine::write_run(GuestAddr address) {
  using Fast = FastPath<2>;
  Fast::template run<kCells>(
      *this, address, [this](Cells cells) { Fast::template write_cells<kCells>(*this, cells); },
      [this, address] { write_without_blocks<2, kCells * sizeof(Timestamp)>(address); },
      [this, address] { write<2>(address, kCells * sizeof(Timestamp)); });
}

[[gnu::always_inline]] inline void Engine::tick() {
  if (now_.value() >= renumber_at_)
    renumber();
  now_ = now_.next();
}

inline void Engine::call(RoutineRecord* record) {
  tick();
  known_ = {};
  // First, as it may run out of memory: a call that is counted is pending.
  top_ = &current_->stack.push(now_, record, *options_.clock - started_);
  top_ts_ = now_;
  if (record != nullptr) {
    record->calls++;
    top_->outermost = current_->pending_of(record->routine)++ == 0;
  }
}

[[gnu::always_inline]] inline bool Engine::usual_call(RoutineId routine) {
  LogicalThread& thread = *current_;
  if (index(routine) >= known_.size() || thread.stack.is_full() || now_.value() >= renumber_at_)
    return false;
  RoutineRecord* const record = known_[index(routine)];
  if (record == nullptr)
    return false;
  now_ = now_.next();
  top_ = &thread.stack.push(now_, record, *options_.clock - started_);
  top_ts_ = now_;
  record->calls++;
  top_->outermost = thread.pending[index(routine)]++ == 0;
  return true;
}

[[gnu::always_inline]] inline bool Engine::usual_return() {
  Activation& top = *top_;
  RoutineRecord* const record = top.record;
  if (!usual_ || record == nullptr || top.induced != 0 || top.rms < 0)
    return false;
  LogicalThread& thread = *current_;
  Activation& caller = (&top)[-1];
  const unsigned event = only_event_;
  const u64 inclusive = options_.clock->of[event] - started_.of[event] - top.at_entry.of[event];
  const u64 self = inclusive - top.children.of[event];
  const i64 size = top.rms;
  const bool outermost = top.outermost;
  thread.pending[index(record->routine)]--;
  caller.rms += size;
  caller.children.of[event] += inclusive;
  top_ = &caller;
  top_ts_ = caller.ts;
  thread.stack.pop();
  // Last, so that no register is saved for what it may call.
  record->add_usual(caller.record, outermost, static_cast<u64>(size), inclusive, self);
  return true;
}
