// Shadow memory: the tables wts (one, global) and ts_t (one per logical thread) of §4.2.
//
// Guest memory is cut into chunks of 64 KiB; a directory maps a chunk's number to what is known of
// it and is filled on first access (§5, with one level in place of three: tables are sparse
// mappings of which only touched pages take memory). A cell is 2^cell_shift bytes.
//
// Most chunks are accessed by a single logical thread, and the kernel stores nothing into them.
// Such an exclusive chunk has no write timestamps: its thread's own writes never induce an access.
// The access timestamps tell by a flag what the thread wrote, until the chunk comes to be shared:
// then what it wrote was written no later than it accessed it last, and that is all that another's
// first access asks for.
//
// What accesses of a thread ask for stands in slots of its own, which only remember what the
// directory knows. Cost: a hot access is two dependent loads, side by side with two more; freeing
// and renumbering visit live chunks only.
//
// What a thread does not access for a while is packed (packed_cells.hpp): its ts_t of a chunk, and
// wts when nobody does. To see which, all slots are cleared when as many blocks of timestamps are
// in use as the limit says, so that the next access to each chunk comes by here; what did not come
// by until the next time is packed. The limit is a quarter above what is in use then, or a
// sixty-fourth of what is live, but not below the memory that blocks have taken anyway. It is only
// raised while more was unpacked again than is a small part of the run.
//
// What is accessed again is indexed at first (indexed_cells.hpp), and so is what comes new when
// blocks are half of the chunks and more than a first number. What proves hot becomes blocks, in
// place of what a hand that goes round finds idle, or finds at all. A chunk's ts_t and wts are used
// as blocks, or all indexed: a slot tells which.
#pragma once

#include "aprof/cells/cells.hpp"
#include "aprof/cells/indexed_cells.hpp"
#include "aprof/cells/packed_cells.hpp"
#include "aprof/cells/renaming.hpp"
#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

inline constexpr unsigned kChunkBits = 16;
inline constexpr GuestAddr kChunkBytes = GuestAddr{1} << kChunkBits;
// Valgrind gives its clients addresses below 128 GiB on amd64-linux (aspacem_maxAddr): there a
// chunk's number is its address. A client may ask for addresses above (Go's heap is at
// 0xC000000000): chunks there are numbered from kLowChunks on as they are accessed.
inline constexpr unsigned kLowAddressBits = 37;
inline constexpr GuestAddr kLowAddressEnd = GuestAddr{1} << kLowAddressBits;
inline constexpr GuestAddr kGuestAddressEnd = GuestAddr{1} << 47;
inline constexpr std::size_t kLowChunks = std::size_t{1} << (kLowAddressBits - kChunkBits);
inline constexpr std::size_t kHighChunks = std::size_t{1} << 20; // 64 GiB of them
inline constexpr std::size_t kChunkCount = kLowChunks + kHighChunks;

// What a thread knows of a chunk: its cells as blocks, or indexed, or nothing. Of low chunks,
// blocks are known by where they would begin if they went back to address 0, so that an address
// alone tells where in them its cells are.
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
  Cells cells(std::size_t number, std::size_t cells_of_chunk) const {
    return at(offset(first_cell(number, cells_of_chunk)));
  }
  // From there on; of a low chunk.
  Cells at(u64 offset) const {
    return {reinterpret_cast<Timestamp*>(ts_ + offset),
            reinterpret_cast<Timestamp*>(wts_ + offset)};
  }
  static u64 offset(GuestAddr cell) { return cell * sizeof(Timestamp); }

private:
  static GuestAddr first_cell(std::size_t number, std::size_t cells_of_chunk) {
    return number < kLowChunks ? number * cells_of_chunk : 0;
  }

  u64 ts_ = 0;  // 0: no blocks
  u64 wts_ = 0; // of blocks; or the indexed cells
};

// Numbers of the chunks at high addresses, in the order of their first access; kept for good.
class HighChunks {
public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Of the chunk at `page`, its address over kChunkBytes; kNone if it has none.
  std::size_t find(GuestAddr page) {
    const u32* known = numbers_.find(page);
    return known == nullptr ? kNone : *known;
  }
  std::size_t find_or_add(GuestAddr page);

  // Calls visit(page, number) for those in first..last-1.
  template <typename Visit> void for_each(GuestAddr first, GuestAddr last, Visit visit) const {
    for (std::size_t i = 0; i < pages_.size(); i++)
      if (first <= pages_[i] && pages_[i] < last)
        visit(pages_[i], kLowChunks + i);
  }

private:
  AddressMap<u32> numbers_{"aprof.shadow.high"};
  Vector<GuestAddr> pages_{"aprof.shadow.high"};
};

// Blocks of timestamps, one for each cell of a chunk, carved from slabs whose pages take memory
// when first touched. Freed blocks are reused, and of one that was touched here and there no more
// is ever touched for that; slabs are returned when the pool dies.
class BlockPool {
public:
  explicit BlockPool(std::size_t cells) : cells_(cells) {}
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  Timestamp* take_clear(); // all never
  Timestamp* take();       // anything, never where it was not touched
  void give_back(Timestamp* block) {
    free_.push_back(block);
    in_use_--;
  }
  std::size_t in_use() const { return in_use_; }
  std::size_t touched() const { return in_use_ + free_.size(); }

private:
  static constexpr std::size_t kSlabBytes = std::size_t{4} << 20;
  // A cache line between blocks, so that the same cells of different blocks are not in each
  // other's way in the cache.
  static constexpr std::size_t kColour = 64;

  std::size_t block_bytes() const { return cells_ * sizeof(Timestamp) + kColour; }

  std::size_t cells_;
  Vector<char*> slabs_{"aprof.shadow.slabs"};
  Vector<Timestamp*> free_{"aprof.shadow.free"};
  std::size_t used_in_slab_ = kSlabBytes;
  std::size_t in_use_ = 0;
};

// Accessed since the slots were cleared; or not; or not, and packed as far as it can be.
enum class Use : u8 { recent, idle, folded };

// wts or ts_t of a chunk: a block, or indexed, or packed, or not there.
struct Times {
  Timestamp* cells = nullptr;
  IndexedCells* indexed = nullptr;
  PackedCells* packed = nullptr;
  Use use = Use::recent;

  bool exist() const { return cells != nullptr || indexed != nullptr || packed != nullptr; }
};

struct Chunk;
class AccessTable;

// ts_t of a chunk.
struct Accesses {
  AccessTable* table; // of the thread
  Chunk* chunk;
  Accesses* next; // another thread's
  Times ts;
  u32 live_index;
};

struct Chunk {
  bool is_exclusive() const { return !wts.exist(); } // there is one of `accesses`
  // By anybody: no ts_t is in use longer than wts.
  Use use() const { return is_exclusive() ? accesses->ts.use : wts.use; }

  u32 number;
  u32 live_index;
  Times wts;
  Accesses* accesses; // of all threads that accessed it
  u8 evicted;         // how often it made room for others since it was idle, 3 at most
};

// ts_t of a logical thread.
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

// All tables, and the mapped files that nobody accessed yet: their cells carry the stamp of the
// kernel's write without taking memory before they are touched.
class ShadowMemory {
public:
  // `pack_every`: pack whenever so many blocks more are in use; 0: when it pays.
  explicit ShadowMemory(unsigned cell_shift, std::size_t pack_every = 0);
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  // To blocks: what is indexed and hot if there is room, or in any case.
  Cells promote(AccessTable& table, std::size_t number, bool forced);
  // Both make what is not there.
  Cells cells(AccessTable& table, std::size_t number);
  // The chunk is shared from now on.
  Timestamp* writes(std::size_t number);
  void write(std::size_t number, std::size_t first, std::size_t last, Timestamp stamp);

  void forget(std::size_t number);
  void forget_cells(std::size_t number, std::size_t first, std::size_t last);
  void move_cells(std::size_t from, std::size_t from_first, std::size_t to, std::size_t to_first,
                  std::size_t cells);
  // The thread ends. What it wrote outlives it if there are others.
  void close(AccessTable& table, bool outlived);

  // Whole chunks first..last-1, none of them live.
  void stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp);
  void forget_untouched(std::size_t first, std::size_t last);
  bool is_known(std::size_t number) const; // live or stamped

  // Whether it is time to fold and rest what is live, at this time of the clock.
  bool is_crowded() const { return blocks_.in_use() + indexed_.in_use() >= limit_; }
  bool begin_folding(u64 clock); // or not: it does not pay now, and the limit is raised
  // What is idle of a chunk is folded, what was accessed recently is idle until its next access.
  void fold(Chunk& chunk, Renaming renaming);
  void demote(Renaming renaming);               // until there is room for a block
  void rename(Chunk& chunk, Renaming renaming); // whether folded or not
  void set_limit();                             // after folding

  std::size_t blocks() const { return blocks_.in_use(); }
  bool has_room() const; // for one more block
  // Whether cells() needs one in any case, as the chunk has blocks of other threads or of writes.
  bool takes_block(const AccessTable& table, std::size_t number) const;
  // Times, ever.
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
  Chunk& chunk(std::size_t number);
  Cells in_blocks(Accesses& accesses);
  static bool has_blocks(const Chunk& chunk);
  static void rest(Accesses& accesses);
  static void rest(Chunk& chunk);
  static Accesses* accesses_of(const AccessTable& table, const Chunk& chunk); // null if none
  Accesses& accesses(AccessTable& table, Chunk& of);                          // made if not there
  void share(Chunk& chunk);
  // As blocks.
  Timestamp* use(Chunk& chunk, Times& times);
  Timestamp* use(Accesses& accesses) { return use(*accesses.chunk, accesses.ts); }
  void ask_again(Chunk& chunk); // all its threads, before their next access
  void unpack(Times& times);
  void limit(IndexedCells& cells);
  void index(Times& times);
  u32 patience(const Chunk& of) const;
  void index_afresh(Times& times);
  void index_copy(Times& times, const Times& of);
  void pack(Times& times, PackedCells* packed);
  void fold_accesses(Times& ts, const Timestamp* wts, Renaming& renaming);
  void fold_indexed(Times& ts, Renaming& renaming);
  void fold_writes(Times& wts, Renaming& renaming);
  PackedCells* pack_accesses(const Timestamp* ts, const Timestamp* wts, Renaming& renaming);
  PackedCells* pack_writes(const Timestamp* wts, Renaming& renaming);
  void rename_accesses(Timestamp* ts, const Timestamp* wts, Renaming& renaming);
  void rename_writes(Timestamp* wts, Renaming& renaming);
  void remove(Accesses* accesses);
  void remove(Times& times);

  // Programs that touch less never have anything packed: 8 MiB of timestamps.
  static constexpr std::size_t kFirstLimit = 128;
  // Nor has anything that is new indexed that has fewer blocks: 28 MiB.
  static constexpr std::size_t kFirstBlocks = 448;
  // Of all chunks, this part may be blocks. ts_t of further threads count for an eighth where they
  // are in use.
  static constexpr std::size_t kShare = 2;
  // Accesses to indexed cells that cost as much as to evict another chunk.
  static constexpr u32 kPatience = 32768;
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
