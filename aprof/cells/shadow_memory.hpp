// Shadow memory: the tables wts (one, global) and ts_t (one per logical thread) of the paper, §4.2.
//
// A directory maps a chunk's number (chunk_numbers.hpp) to what is known of it, and is filled on
// the first access (§5, with one level in place of three: tables are sparse mappings of which only
// touched pages take memory). A cell is 2^cell_shift bytes. Owns all chunks, their timestamps, and
// the slots of the threads' tables.
//
// Most chunks are accessed by a single logical thread, and the kernel stores nothing into them.
// Such an exclusive chunk has no write timestamps: its thread's own writes never induce an access.
// The access timestamps tell by a flag what the thread wrote, until the chunk becomes shared: then
// what the thread wrote was written no later than it was accessed last, and nothing else matters to
// another's first access.
//
// A thread's accesses look at its slots only, which remember what the directory knows. Cost: a hot
// access is two dependent loads, side by side with two more; freeing and renumbering visit live
// chunks only.
//
// Three forms of a chunk's timestamps (chunk.hpp), by how it is used:
//
//   block      a word for each cell          what is hot
//   indexed    a byte (indexed_cells.hpp)    what is new, or accessed again, while blocks are
//   scarce packed     some bits (packed_cells.hpp)  what the thread, or for wts anybody, has not
//   accessed
//                                            for a while
//
// A chunk's ts_t and wts are used as blocks, or all indexed; a slot tells which. From one form to
// another:
//
//   to packed  When as many blocks are in use as the limit says, all slots are cleared, so that the
//              next access to each chunk asks here; what has not asked until the next time is
//              packed. The limit is a quarter above what is in use then, or a sixty-fourth of what
//              is live, but not below the memory that blocks have taken anyway. While more was
//              unpacked again than is a small part of the run, the limit is raised instead.
//   to block   Indexed cells become a block when they prove hot. If blocks are half of the chunks,
//              and more than a first number, they take the room of a chunk that is idle, which the
//              hand of a clock finds (second-chance replacement), or of the first that it comes to.
#pragma once

#include "aprof/cells/block_pool.hpp"
#include "aprof/cells/chunk.hpp"
#include "aprof/cells/renumbering.hpp"

class ShadowMemory {
public:
  // `pack_every`: pack whenever so many blocks more are in use; 0: when it pays.
  explicit ShadowMemory(unsigned cell_shift, std::size_t pack_every = 0);
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  // Makes the chunk's timestamps if there are none, fills the thread's slot, and returns the
  // chunk's cells; none if they are indexed.
  Cells obtain_cells(AccessTable& table, std::size_t number);
  // Turns a chunk's indexed cells into blocks, if there is room or `forced`; otherwise returns
  // none, and they stay indexed.
  Cells promote(AccessTable& table, std::size_t number, bool forced);
  // Stamps cells of wts. The chunk is shared from now on.
  void write(std::size_t number, std::size_t first, std::size_t last, Timestamp stamp);

  void forget(std::size_t number);
  void forget_cells(std::size_t number, std::size_t first, std::size_t last);
  void move_cells(std::size_t from, std::size_t from_first, std::size_t to, std::size_t to_first,
                  std::size_t cells);
  // The thread ends. What it wrote outlives it if there are others.
  void close(AccessTable& table, bool outlived);

  // Whole chunks first..last-1, none of them live: mapped files, say, that nobody accessed yet.
  // Their cells have the stamp of the kernel's write without taking memory.
  void stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp);
  void forget_untouched(std::size_t first, std::size_t last);
  bool is_known(std::size_t number) const; // live or stamped

  // Whether so many blocks are in use that live chunks should be packed.
  bool is_packing_due() const { return blocks_.in_use() + indexed_.in_use() >= limit_; }
  // Returns false if packing does not pay at this time of the clock; the limit is raised.
  bool begin_packing(u64 clock);
  // Packs what is idle of a chunk; what was accessed recently is idle until its next access.
  void pack_idle(Chunk& chunk, Renumbering renumbering);
  void set_limit(); // after packing
  // Packs chunks until there is room for a block.
  void demote(Renumbering renumbering);
  // Replaces the timestamps of a chunk in any form.
  void renumber(Chunk& chunk, Renumbering renumbering);

  std::size_t blocks() const { return blocks_.in_use(); }
  bool has_room() const; // for one more block
  // Whether obtain_cells needs a block whether there is room or not, as the chunk has blocks of
  // other threads or of wts.
  bool needs_block(const AccessTable& table, std::size_t number) const;
  // How often, so far, a chunk's part of a table was packed, indexed, or turned into a block again.
  u64 packed() const { return packed_; }
  u64 indexed() const { return indexed_ever_; }
  u64 promoted() const { return promoted_; }
  const Vector<Chunk*>& live() const { return live_; }
  struct StampedRange {
    std::size_t first, last;
    Timestamp stamp;
  };
  Vector<StampedRange>& stamped() { return stamped_; }

  u64 check(Timestamp now) const; // every invariant; returns how many words it read

private:
  Chunk& find_or_add_chunk(std::size_t number);
  Accesses& find_or_add_accesses(AccessTable& table, Chunk& of);
  static Accesses* accesses_of(const AccessTable& table, const Chunk& chunk); // null if none
  static bool has_blocks(const Chunk& chunk);
  void share(Chunk& chunk);
  Timestamp* obtain_writes(std::size_t number); // wts as a block
  // Has all threads ask for the chunk's cells before their next access.
  void clear_slots(Chunk& chunk);
  static void mark_idle(Accesses& accesses);
  static void mark_idle(Chunk& chunk);

  // To a block, from any form.
  Cells use_blocks(Accesses& accesses);
  Timestamp* use_block(Chunk& chunk, ChunkTimestamps& times);
  Timestamp* use_block(Accesses& accesses) { return use_block(*accesses.chunk, accesses.ts); }
  void unpack(ChunkTimestamps& times);
  // To indexed cells: from packed ones, with all never, as a copy.
  void index(ChunkTimestamps& times);
  void index_afresh(ChunkTimestamps& times);
  void index_copy(ChunkTimestamps& times, const ChunkTimestamps& of);
  void count_indexed(IndexedCells& cells);
  u32 accesses_until_hot(const Chunk& of) const;
  // To packed cells. Blocks with too many distinct timestamps are renumbered, and stay.
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

  // Programs that touch less never have anything packed: 8 MiB of timestamps.
  static constexpr std::size_t kFirstLimit = 128;
  // Nothing that is new is indexed while there are fewer blocks: 28 MiB.
  static constexpr std::size_t kFirstBlocks = 448;
  // One in so many chunks may be blocks. Further threads' ts_t that are in use count for an eighth.
  static constexpr std::size_t kShare = 2;
  // So many accesses to indexed cells cost as much as to evict another chunk.
  static constexpr u32 kAccessesUntilHot = 32768;
  // Packing a cell and unpacking it costs about 2 ns. So many events of the clock must have passed
  // for each, which under the tool take ten times as long or more.
  static constexpr u64 kEventsPerCell = 1;

  std::size_t cells_; // of a chunk
  BlockPool blocks_;
  BlockPool indexed_;
  std::size_t most_in_use_ = 0;
  std::size_t hand_ = 0; // what to demote next, of live_
  Packer packer_;
  std::size_t limit_; // of blocks in use
  u64 unpacked_cells_ = 0;
  u64 packed_ = 0;
  u64 indexed_ever_ = 0;
  u64 promoted_ = 0;
  const std::size_t pack_every_;
  Chunk** directory_; // by chunk number
  Vector<Chunk*> live_{"aprof.shadow.live"};
  Vector<StampedRange> stamped_{"aprof.shadow.stamped"};
};
