// Shadow memory: the tables wts (one, global) and ts_t (one per logical thread) of §4.2.
//
// Guest memory is cut into chunks of 64 KiB; a table maps a chunk's number to the timestamps of
// its cells and allocates them on first access (§5, with one level in place of three: the table
// is a sparse mapping of which only touched pages take memory). A cell is 2^cell_shift bytes.
//
// Invariants: every AccessChunk points to the WriteChunk of the same number; a live chunk stands
// in its table exactly once and in the table's list of live chunks at live_index.
// Cost: a hot access is two dependent loads per word; freeing and renumbering visit live chunks
// only.
#pragma once

#include "aprof/timestamp.hpp"
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

struct WriteChunk {
  u32 number;
  u32 live_index;
  u64 unused[7]; // the cells start on a cache line of their own
  Timestamp wts[];
};
struct AccessChunk {
  WriteChunk* writes;
  u32 number;
  u32 live_index;
  u64 unused[6];
  Timestamp ts[];
};
static_assert(sizeof(WriteChunk) == 64 && sizeof(AccessChunk) == 64);

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

// Blocks of one size, zeroed, carved from slabs whose pages take memory when first touched.
// Freed blocks are reused; slabs are returned when the pool dies.
class ChunkPool {
public:
  explicit ChunkPool(std::size_t block_bytes) : block_bytes_(block_bytes) {}
  ~ChunkPool();
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  void* take();
  void give_back(void* block);

private:
  static constexpr std::size_t kSlabBytes = std::size_t{4} << 20;

  std::size_t block_bytes_;
  Vector<char*> slabs_{"aprof.shadow.slabs"};
  Vector<void*> free_{"aprof.shadow.free"};
  std::size_t used_in_slab_ = kSlabBytes;
};

// The table behind both kinds of shadow memory.
template <typename Chunk> class ChunkTable {
public:
  explicit ChunkTable(ChunkPool& pool);
  ~ChunkTable();
  ChunkTable(const ChunkTable&) = delete;
  ChunkTable& operator=(const ChunkTable&) = delete;

  Chunk* find(std::size_t number) const { return slots_[number]; }
  Chunk& add(std::size_t number); // must be absent
  void remove(Chunk& chunk);
  const Vector<Chunk*>& live() const { return live_; }
  Chunk* const* slots() const { return slots_; } // for the fast path

private:
  ChunkPool& pool_;
  Chunk** slots_;
  Vector<Chunk*> live_{"aprof.shadow.live"};
};

extern template class ChunkTable<WriteChunk>;
extern template class ChunkTable<AccessChunk>;

using AccessTable = ChunkTable<AccessChunk>; // ts_t

// wts, and the mapped files that nobody wrote to yet: their cells carry the stamp of the kernel's
// write without taking memory before they are touched.
class WriteTable {
public:
  explicit WriteTable(ChunkPool& pool) : chunks_(pool) {}

  WriteChunk* find(std::size_t number) const { return chunks_.find(number); }
  WriteChunk& obtain(std::size_t number, std::size_t cells);
  void remove(WriteChunk& chunk) { chunks_.remove(chunk); }
  const Vector<WriteChunk*>& live() const { return chunks_.live(); }

  // Whole chunks first..last-1, none of them live.
  void stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp);
  void forget_untouched(std::size_t first, std::size_t last);
  bool is_live_or_stamped(std::size_t number) const;

  struct StampedRange {
    std::size_t first, last;
    Timestamp stamp;
  };
  Vector<StampedRange>& stamped() { return stamped_; }

private:
  ChunkTable<WriteChunk> chunks_;
  Vector<StampedRange> stamped_{"aprof.shadow.stamped"};
};
