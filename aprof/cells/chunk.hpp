// The shadow memory of one chunk: its part of wts, and of ts_t for each thread that has accessed
// it; also the table ts_t of a thread. Only ShadowMemory, which owns them, changes them.
//
// Invariants: a ChunkTimestamps that exists has exactly one of its three forms; an exclusive chunk
// has the accesses of one thread; no ts_t was used more recently than wts.
#pragma once

#include "aprof/cells/indexed_cells.hpp"
#include "aprof/cells/packed_cells.hpp"
#include "aprof/cells/slot.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

// When timestamps were last used. `recent`: since the slots were cleared; `idle`: before that;
// `packed`: before that, and they have been packed as far as possible.
enum class Use : u8 { recent, idle, packed };

// A chunk's part of wts or of a ts_t: a block, indexed, packed, or absent.
struct ChunkTimestamps {
  Timestamp* cells = nullptr;
  IndexedCells* indexed = nullptr;
  PackedCells* packed = nullptr;
  Use use = Use::recent;

  bool exist() const { return cells != nullptr || indexed != nullptr || packed != nullptr; }
};

struct Chunk;
class AccessTable;

// A chunk's part of a thread's ts_t.
struct Accesses {
  AccessTable* table; // of the thread
  Chunk* chunk;
  Accesses* next; // of another thread
  ChunkTimestamps ts;
  u32 live_index;
};

struct Chunk {
  bool is_exclusive() const { return !wts.exist(); }
  // When anybody last used the chunk.
  Use use() const { return is_exclusive() ? accesses->ts.use : wts.use; }

  u32 number;
  u32 live_index;
  ChunkTimestamps wts;
  Accesses* accesses; // list, one for each thread that accessed it
  u8 evicted;         // how often it was evicted since it was idle, at most 3
};

// The table ts_t of a logical thread.
class AccessTable {
public:
  AccessTable();
  ~AccessTable();
  AccessTable(const AccessTable&) = delete;
  AccessTable& operator=(const AccessTable&) = delete;

  const Slot* slots() const { return slots_; } // by chunk number

private:
  friend class ShadowMemory;

  Slot* slots_;
  Vector<Accesses*> live_{"aprof.shadow.live"};
};
