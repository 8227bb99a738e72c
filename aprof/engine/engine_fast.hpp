// The hot half of the engine: call, return, read and write of Figure 11, inlined into the helpers
// that translated code calls.
//
// The fast path of an access makes no call and saves no register; it leaves to a slow path by a
// jump (tests/tool/test_hot_code.py).
#pragma once

#include "aprof/engine/accesses.hpp"
#include "aprof/engine/cell_lookup.hpp"
#include "aprof/engine/engine.hpp"
#include "aprof/profile/slow_paths.hpp"
#include "base/likely.hpp"

// Lines 3-12 of read in Figure 11 for `cells` cells that the top activation has not accessed
// before, all last accessed at time `before` and not written by anybody else since. Nearly always
// they are new to the thread, or were last accessed by the caller.
[[gnu::always_inline]] inline void Engine::count_first_accesses(Timestamp before, i64 cells) {
  took(SlowPath::first_access);
  Activation& top = *top_;
  top.rms += cells;
  if (before.is_never())
    return;
  // Exists, because the cell was accessed before the top activation began.
  Activation& caller = (&top)[-1];
  if (APROF_LIKELY(caller.ts <= before))
    caller.rms -= cells;
  else
    uncount_for_ancestor(before, cells);
}

// Stamps indexed cells, which must have an entry for the present stamp, and counts them as above.
[[gnu::always_inline]] inline void Engine::first_accesses(IndexedCells& cells, std::size_t first,
                                                          std::size_t count, Timestamp before) {
  // In shared chunks, no timestamp has the flag.
  cells.set(first, count, cells.latest_index() + before.is_written());
  count_first_accesses(before, static_cast<i64>(count));
}

// Adds an entry for the present stamp unless an existing one serves. Returns false if there is no
// room.
[[gnu::always_inline]] inline bool Engine::add_entry(IndexedCells& cells) {
  if (cells.has_entry_since(top_ts_) && cells.has_entry_since(slice_))
    return true;
  if (!cells.has_room() || (cells.writes != nullptr && !cells.writes->has_room()))
    return false;
  cells.writes == nullptr ? cells.add_with_flag(now_) : cells.add(now_);
  return true;
}

// Adjacent cells nearly always have the same past. The exceptions are cells that were just accessed
// together with others: the first ones of a run, or one of an unaligned access.
template <std::size_t kCells> [[gnu::noinline]] void Engine::first_accesses(Cells cells) {
  if constexpr (kCells > 2) {
    constexpr std::size_t kLast = (kCells - 1) / 2 * 2;
    std::size_t first = 0;
    while (first < kLast && cells.from(first).are_accessed_since<2>(top_ts_))
      first += 2;
    if (first == kLast)
      return first_accesses<kCells - kLast>(cells.from(first));
    if (first > 0)
      return read_each(cells.from(first), kCells - first);
  }
  const Timestamp before = cells.ts[0];
  if (before < cells.wts[0]) {
    const Timestamp write = cells.wts[0];
    if (!are_all<kCells>(cells.ts, before) || !are_all<kCells>(cells.wts, write))
      return read_each(cells, kCells);
    set_all<kCells>(cells.ts, now_);
    return count_induced_accesses(before, kCells, write.is_kernel_write());
  }
  if (APROF_UNLIKELY(!cells.are_last_accessed_at<kCells>(before))) {
    if constexpr (kCells == 2 || kCells == 4) { // words, and pairs of them
      took(SlowPath::unlike_cells);
      constexpr std::size_t kHalf = kCells / 2;
      if (!cells.are_accessed_since<kHalf>(top_ts_))
        first_accesses<kHalf>(cells);
      if (!cells.from(kHalf).are_accessed_since<kHalf>(top_ts_))
        first_accesses<kHalf>(cells.from(kHalf));
      return;
    }
    return read_each(cells, kCells);
  }
  set_all<kCells>(cells.ts, now_.flagged_as(before));
  count_first_accesses(before, kCells);
}

template <std::size_t kCells> [[gnu::noinline]] void Engine::first_modify(Cells cells) {
  first_accesses<kCells>(cells);
  Write::in_blocks<kCells>(*this, cells);
}

template <typename Access, unsigned kCellShift>
[[gnu::noinline]] void Engine::access(GuestAddr address, std::size_t bytes) {
  took(SlowPath::any_size);
  CellLookup<kCellShift>::any(
      *this, address, bytes,
      [this](Cells cells, std::size_t count) { Access::in_blocks(*this, cells, count); },
      [this](std::size_t number, std::size_t first, std::size_t count) {
        Access::indexed(*this, number, first, count);
      });
}

// An access in a low chunk whose cells are indexed, or which is not in the thread's slot.
template <typename Access, unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::access_without_blocks(GuestAddr address) {
  took(SlowPath::no_blocks);
  using Lookup = CellLookup<kCellShift>;
  constexpr std::size_t kCells = Lookup::cells_of(kBytes);
  const std::size_t number = address >> kChunkBits;
  const std::size_t first = Lookup::in_chunk(address);
  Access::for_each_part([&]<typename Part>(Part) {
    IndexedCells* const cells = slots_[number].indexed();
    if (cells == nullptr)
      access<Part, kCellShift>(address, kBytes);
    else if (--cells->accesses_until_hot == 0 ||
             !Part::template indexed_at_once<kCells>(*this, *cells, first))
      Part::indexed(*this, number, first, kCells);
  });
}

// An access that is unaligned or at a high address.
template <typename Access, unsigned kCellShift, std::size_t kBytes>
[[gnu::noinline]] void Engine::access_unaligned(GuestAddr address) {
  using Lookup = CellLookup<kCellShift>;
  Access::for_each_part([&]<typename Part>(Part) {
    took(SlowPath::unaligned);
    std::size_t count;
    if (const Cells cells = Lookup::in_one_chunk(*this, address, kBytes, count);
        cells.ts != nullptr)
      Part::template in_blocks_unaligned<Lookup::cells_of(kBytes)>(*this, cells, count);
    else
      access<Part, kCellShift>(address, kBytes);
  });
}

template <typename Access, unsigned kCellShift, std::size_t kBytes>
[[gnu::always_inline]] inline void Engine::access_sized(GuestAddr address) {
  using Lookup = CellLookup<kCellShift>;
  Lookup::template sized<kBytes>(
      *this, address,
      [this](Cells cells) { Access::template in_blocks<Lookup::cells_of(kBytes)>(*this, cells); },
      [this, address] { access_without_blocks<Access, kCellShift, kBytes>(address); },
      [this, address] { access_unaligned<Access, kCellShift, kBytes>(address); });
}

template <typename Access, std::size_t kCells>
[[gnu::always_inline]] inline void Engine::access_run(GuestAddr address) {
  constexpr std::size_t kBytes = kCells * sizeof(Timestamp);
  CellLookup<2>::run<kCells>(
      *this, address, [this](Cells cells) { Access::template in_blocks<kCells>(*this, cells); },
      [this, address] { access_without_blocks<Access, 2, kBytes>(address); },
      [this, address] { access<Access, 2>(address, kBytes); });
}

[[gnu::always_inline]] inline void Engine::renumber_if_due() {
  if (now_.value() >= renumber_at_)
    renumber();
}
[[gnu::always_inline]] inline void Engine::tick() {
  renumber_if_due();
  now_ = now_.next();
}

inline void Engine::call(RoutineRecord* record) {
  tick();
  known_ = {};
  // The push comes first, as it may run out of memory: a call that is counted must be pending.
  top_ = &current_->stack.push(now_, record, *options_.clock - started_);
  top_ts_ = now_;
  if (record != nullptr) {
    record->calls++;
    top_->outermost = current_->pending_of(record->routine)++ == 0;
  }
}

[[gnu::always_inline]] inline bool Engine::fast_call(RoutineId routine) {
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

template <bool kArgumentsAdded> [[gnu::always_inline]] inline bool Engine::fast_return() {
  Activation& top = *top_;
  RoutineRecord* const record = top.record;
  if (!has_fast_return_ || record == nullptr || top.induced != 0 || top.rms < 0 || top.is_loop())
    return false;
  if (!kArgumentsAdded && !top.kept.are_none() && record->takes_arguments())
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
  caller.callees_rms += static_cast<u64>(size);
  const u64 children_rms = top.callees_rms;
  top_ = &caller;
  top_ts_ = caller.ts;
  thread.stack.pop();
  // Comes last, so that no register needs to be saved across a call.
  record->add_not_induced(caller.record, outermost, static_cast<u64>(size), inclusive, self,
                          children_rms);
  return true;
}
