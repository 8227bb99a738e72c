// The access policies Read, Write and Modify (a read and a write of the same cells): what an access
// does to its cells (Figure 11). Engine::access, access_sized and access_run (engine_fast.hpp) find
// the cells and are shared by all three.
//
// Most accesses change nothing. A read is a no-op if the cell was accessed since the top activation
// began and nobody has written it since (ts >= S[top].ts and ts >= wts). Line 12 of the figure
// stores the counter even then, but no later comparison can tell the difference.
//
// A policy has these functions for cells in blocks and for indexed ones:
//
//   in_blocks<kCells>(cells)                   the hot path: no calls except a final jump
//   in_blocks(cells, count)                    any number of cells
//   in_blocks_unaligned<kCells>(cells, count)  kCells, or one more if unaligned
//   indexed_at_once<kCells>(cells, first)      a fast path; false: not applicable, nothing done
//   indexed(chunk number, first, count)        any number of cells
//
// Modify has only the first one. Everywhere else it is performed as its two parts, one after the
// other.
#pragma once

#include "aprof/engine/engine.hpp"
#include "base/likely.hpp"

struct Read {
  template <typename Visit> static void for_each_part(Visit visit) { visit(Read()); }

  template <std::size_t kCells>
  [[gnu::always_inline]] static void in_blocks(Engine& engine, Cells cells) {
    if (APROF_LIKELY(cells.are_accessed_since<kCells>(engine.top_ts_)))
      return;
    if constexpr (kCells <= 2) {
      const Timestamp before = cells.ts[0];
      if (APROF_LIKELY(cells.are_last_accessed_at<kCells>(before))) {
        set_all<kCells>(cells.ts, engine.now_.flagged_as(before));
        return engine.count_first_accesses(before, kCells);
      }
    }
    engine.first_accesses<kCells>(cells);
  }
  static void in_blocks(Engine& engine, Cells cells, std::size_t count) {
    engine.read_each(cells, count);
  }
  template <std::size_t kCells>
  [[gnu::always_inline]] static void in_blocks_unaligned(Engine& engine, Cells cells,
                                                         std::size_t count) {
    if (!cells.are_accessed_since<kCells>(engine.top_ts_) ||
        !cells.from(count - 1).are_accessed_since<1>(engine.top_ts_))
      count == kCells ? engine.first_accesses<kCells>(cells)
                      : engine.first_accesses<kCells + 1>(cells);
  }

  // Applies if all cells have the same past, and if the new stamp has an entry.
  template <std::size_t kCells>
  [[gnu::always_inline]] static bool indexed_at_once(Engine& engine, IndexedCells& cells,
                                                     std::size_t first) {
    if (!cells.are_alike<kCells>(first))
      return false;
    const Timestamp before = cells.at(first);
    const IndexedCells* const writes = cells.writes;
    if (writes != nullptr && !(writes->are_alike<kCells>(first) && writes->at(first) <= before))
      return false;
    if (engine.top_ts_ <= before)
      return true;
    if (!engine.add_entry(cells))
      return false;
    engine.first_accesses(cells, first, kCells, before);
    return true;
  }
  static void indexed(Engine& engine, std::size_t number, std::size_t first, std::size_t count) {
    engine.read_indexed(number, first, count);
  }
};

struct Write {
  template <typename Visit> static void for_each_part(Visit visit) { visit(Write()); }

  template <std::size_t kCells>
  [[gnu::always_inline]] static void in_blocks(Engine& engine, Cells cells) {
    const Timestamp now = engine.now_;
    if (cells.are_exclusive())
      return set_all<kCells>(cells.ts, now.written());
    set_all<kCells>(cells.ts, now);
    set_all<kCells>(cells.wts, now);
  }
  static void in_blocks(Engine& engine, Cells cells, std::size_t count) {
    for (std::size_t i = 0; i < count; i++)
      in_blocks<1>(engine, cells.from(i));
  }
  template <std::size_t kCells>
  [[gnu::always_inline]] static void in_blocks_unaligned(Engine& engine, Cells cells,
                                                         std::size_t count) {
    in_blocks<kCells>(engine, cells);
    in_blocks<1>(engine, cells.from(count - 1));
  }

  template <std::size_t kCells>
  [[gnu::always_inline]] static bool indexed_at_once(Engine& engine, IndexedCells& cells,
                                                     std::size_t first) {
    if (!engine.add_entry(cells))
      return false;
    if (cells.writes == nullptr) {
      cells.set(first, kCells, cells.latest_index() + 1);
      return true;
    }
    if (!cells.writes->has_entry_of(engine.slice_))
      return false;
    cells.set(first, kCells, cells.latest_index());
    cells.writes->set(first, kCells, cells.writes->latest_index());
    return true;
  }
  static void indexed(Engine& engine, std::size_t number, std::size_t first, std::size_t count) {
    engine.write_indexed(number, first, count);
  }
};

struct Modify {
  template <typename Visit> static void for_each_part(Visit visit) {
    visit(Read());
    visit(Write());
  }

  template <std::size_t kCells>
  [[gnu::always_inline]] static void in_blocks(Engine& engine, Cells cells) {
    if (APROF_LIKELY(cells.are_accessed_since<kCells>(engine.top_ts_)))
      return Write::in_blocks<kCells>(engine, cells);
    if constexpr (kCells <= 2) {
      const Timestamp before = cells.ts[0];
      if (APROF_LIKELY(cells.are_last_accessed_at<kCells>(before))) {
        Write::in_blocks<kCells>(engine, cells);
        return engine.count_first_accesses(before, kCells);
      }
    }
    engine.first_modify<kCells>(cells);
  }
};
