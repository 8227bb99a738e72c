// Shadow memory: the tables wts (one, global) and ts_t (one per logical thread) of the paper, §4.2.
//
// A directory maps the number of a chunk (chunk_numbers.hpp) to its timestamps; it is filled on
// first access (§5, but with one level instead of three: tables are sparse mappings of which only
// touched pages take memory). A cell is 2^cell_shift bytes. Owns all chunks, their timestamps, and
// the slots of the threads' tables.
//
// Most chunks are accessed by a single logical thread, and the kernel stores nothing there. Such an
// exclusive chunk has no write timestamps, because a thread's own writes never induce an access. A
// flag in the access timestamps says which cells the thread has written. When the chunk becomes
// shared, each of these cells was written no later than its last access, which is all that matters
// to another thread's first access.
//
// An access reads only the thread's slots, which cache the directory. Cost: a hot access takes two
// dependent loads, in parallel with two more. Freeing and renumbering visit live chunks only.
//
// The timestamps of a chunk have one of three forms (chunk.hpp):
//
//   form      per cell                       used for chunks that are
//   block     a word                         hot
//   indexed   a byte (indexed_cells.hpp)     new or accessed again while blocks are scarce
//   packed    a few bits (packed_cells.hpp)  idle: not accessed for a while by the thread,
//                                            or for wts by anybody
//
// While in use, the ts_t and wts of a chunk are either all blocks or all indexed; a slot says
// which. The form changes as follows:
//
//   to packed  When the number of blocks in use reaches a limit, all slots are cleared, so that the
//              next access to each chunk takes the slow path. Chunks that are not accessed until
//              this happens again are packed. The new limit exceeds the blocks then in use by a
//              quarter, or by a sixty-fourth of the live chunks if that is more, and is not below
//              the memory that blocks have taken anyway. If unpacking has taken more than a small
//              part of the run, the limit is raised instead.
//   to block   Indexed cells become a block when they are hot. If half of the chunks, and more
//              than a first number, are blocks already, another chunk is evicted: an idle one,
//              found by a clock hand (second-chance replacement), or else the first one found.
#pragma once

#include "aprof/cells/block_pool.hpp"
#include "aprof/cells/chunk.hpp"
#include "aprof/cells/renumbering.hpp"

class ShadowMemory {
public:
  // `pack_every`: pack whenever this many more blocks are in use; 0: when it pays.
  explicit ShadowMemory(unsigned cell_shift, std::size_t pack_every = 0);
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  // Creates the chunk's timestamps if there are none, fills the thread's slot, and returns the
  // chunk's cells, or none if they are indexed.
  Cells obtain_cells(AccessTable& table, std::size_t number);
  // Turns a chunk's indexed cells into blocks if there is room or if `forced`. Otherwise they stay
  // indexed, and none are returned.
  Cells promote(AccessTable& table, std::size_t number, bool forced);
  // Stamps cells of wts. The chunk becomes shared.
  void write(std::size_t number, std::size_t first, std::size_t last, Timestamp stamp);

  void forget(std::size_t number);
  void forget_cells(std::size_t number, std::size_t first, std::size_t last);
  void move_cells(std::size_t from, std::size_t from_first, std::size_t to, std::size_t to_first,
                  std::size_t cells);
  // The thread ends. What it wrote is kept if it is `outlived` by other threads.
  void close(AccessTable& table, bool outlived);

  // For the whole chunks first..last-1, none of which is live, such as a mapped file that nobody
  // has accessed yet: stamps their cells as written by the kernel, without allocating memory.
  void stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp);
  void forget_untouched(std::size_t first, std::size_t last);
  bool is_known(std::size_t number) const; // live or stamped

  // Whether so many blocks are in use that live chunks should be packed.
  bool is_packing_due() const { return blocks_.in_use() + indexed_.in_use() >= limit_; }
  // Returns false, and raises the limit, if packing does not pay at this time of the clock.
  bool begin_packing(u64 clock);
  // Packs the idle timestamps of a chunk. Recently used ones become idle until their next access.
  void pack_idle(Chunk& chunk, Renumbering renumbering);
  void set_limit(); // call after packing
  // Packs chunks until there is room for one more block.
  void demote(Renumbering renumbering);
  // Replaces the timestamps of a chunk in any form.
  void renumber(Chunk& chunk, Renumbering renumbering);

  std::size_t blocks() const { return blocks_.in_use(); }
  bool has_room() const; // for one more block
  // Whether obtain_cells needs a block even if there is no room, because wts or other threads' ts_t
  // of the chunk are blocks.
  bool needs_block(const AccessTable& table, std::size_t number) const;
  // How often timestamps of a chunk were packed, indexed, or turned into a block again.
  u64 packed() const { return packed_; }
  u64 indexed() const { return indexed_ever_; }
  u64 promoted() const { return promoted_; }
  const Vector<Chunk*>& live() const { return live_; }
  struct StampedRange {
    std::size_t first, last;
    Timestamp stamp;
  };
  Vector<StampedRange>& stamped() { return stamped_; }

  u64 check(Timestamp now) const; // checks every invariant; returns how many words it read

private:
  Chunk& find_or_add_chunk(std::size_t number);
  Accesses& find_or_add_accesses(AccessTable& table, Chunk& of);
  static Accesses* accesses_of(const AccessTable& table, const Chunk& chunk); // null if none
  static bool has_blocks(const Chunk& chunk);
  void share(Chunk& chunk);
  Timestamp* obtain_writes(std::size_t number); // wts as a block
  // Makes all threads look up the chunk's cells at their next access.
  void clear_slots(Chunk& chunk);
  static void mark_idle(Accesses& accesses);
  static void mark_idle(Chunk& chunk);

  // Convert any form to blocks.
  Cells use_blocks(Accesses& accesses);
  Timestamp* use_block(Chunk& chunk, ChunkTimestamps& times);
  Timestamp* use_block(Accesses& accesses) { return use_block(*accesses.chunk, accesses.ts); }
  void unpack(ChunkTimestamps& times);
  // Convert to indexed cells: from packed ones, with all cells never, or as a copy.
  void index(ChunkTimestamps& times);
  void index_afresh(ChunkTimestamps& times);
  void index_copy(ChunkTimestamps& times, const ChunkTimestamps& of);
  void count_indexed(IndexedCells& cells);
  u32 accesses_until_hot(const Chunk& of) const;
  // Convert to packed cells. Blocks with too many distinct timestamps are renumbered but stay
  // blocks.
  void pack_accesses(ChunkTimestamps& ts, const Timestamp* wts, Renumbering& renumbering);
  void pack_indexed(ChunkTimestamps& ts, Renumbering& renumbering);
  void pack_writes(ChunkTimestamps& wts, Renumbering& renumbering);
  PackedCells* packed_accesses(const Timestamp* ts, const Timestamp* wts, Renumbering& renumbering);
  PackedCells* packed_writes(const Timestamp* wts, Renumbering& renumbering);
  void replace_block(ChunkTimestamps& times, PackedCells* packed);

  void renumber_accesses(Timestamp* ts, const Timestamp* wts, Renumbering& renumbering);
  void renumber_writes(Timestamp* wts, Renumbering& renumbering);
  void remove(Accesses* accesses);
  void remove(ChunkTimestamps& times);

  // Programs that touch less than this, 8 MiB of timestamps, never have anything packed.
  static constexpr std::size_t kFirstLimit = 128;
  // New chunks are indexed only if there are more blocks than this, 28 MiB.
  static constexpr std::size_t kFirstBlocks = 448;
  // One in so many chunks may be blocks. The ts_t in use of further threads count for an eighth.
  static constexpr std::size_t kShare = 2;
  // The number of accesses to indexed cells that cost as much as evicting another chunk.
  static constexpr u32 kAccessesUntilHot = 32768;
  // Packing and unpacking a cell costs about 2 ns. For each cell, the clock must have advanced by
  // this number of events, each of which takes ten times as long or more under the tool.
  static constexpr u64 kEventsPerCell = 1;

  std::size_t cells_; // per chunk
  BlockPool blocks_;
  BlockPool indexed_;
  std::size_t most_in_use_ = 0;
  std::size_t hand_ = 0; // position in live_ of the clock hand of demote()
  Packer packer_;
  std::size_t limit_; // on blocks in use
  u64 unpacked_cells_ = 0;
  u64 packed_ = 0;
  u64 indexed_ever_ = 0;
  u64 promoted_ = 0;
  const std::size_t pack_every_;
  Chunk** directory_; // by chunk number
  Vector<Chunk*> live_{"aprof.shadow.live"};
  Vector<StampedRange> stamped_{"aprof.shadow.stamped"};
};
