// Shadow memory: the tables wts (one, global) and ts_t (one per logical thread) of §4.2.
//
// Guest memory is cut into chunks of 64 KiB; a table maps a chunk's number to the timestamps of
// its cells and allocates them on first access (§5, with one level in place of three: the table
// is a sparse mapping of which only touched pages take memory). A cell is 2^cell_shift bytes.
//
// Most chunks are accessed by a single logical thread, and the kernel stores nothing into them.
// Such an exclusive chunk has no write timestamps: its thread's own writes never induce an access.
// The access timestamps tell by a flag what the thread wrote, until the chunk comes to be shared:
// then what it wrote was written no later than it accessed it last, and that is all that another's
// first access asks for.
//
// Invariants: an AccessChunk points to the WriteChunk of the same number, and has no flags, or is
// exclusive: the only one of its number, known to the WriteTable as such. A live chunk stands in
// its table exactly once and in the table's list of live chunks at live_index. Cost: a hot access
// is two dependent loads, and two more if the chunk is shared; freeing and renumbering visit live
// chunks only.
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
  WriteChunk* writes; // null: exclusive
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
  WriteTable(ChunkPool& pool, std::size_t cells) : chunks_(pool), cells_(cells) {}
  ~WriteTable();

  WriteChunk* find(std::size_t number) const { return chunks_.find(number); }
  // The chunk, made if need be; shared from now on if it was exclusive.
  WriteChunk& obtain(std::size_t number);
  void remove(std::size_t number); // if there is one
  // `chunk` is new: connects it with its write timestamps. It is exclusive if nobody else has
  // accessed or stamped that memory.
  void connect(AccessChunk& chunk);
  const AccessChunk* exclusive(std::size_t number) const { return exclusive_[number]; }
  const Vector<WriteChunk*>& live() const { return chunks_.live(); }

  // Whole chunks first..last-1, none of them live.
  void stamp_untouched(std::size_t first, std::size_t last, Timestamp stamp);
  void forget_untouched(std::size_t first, std::size_t last);
  bool is_known(std::size_t number) const; // live, exclusive or stamped

  struct StampedRange {
    std::size_t first, last;
    Timestamp stamp;
  };
  Vector<StampedRange>& stamped() { return stamped_; }

private:
  bool is_stamped(std::size_t number) const;

  ChunkTable<WriteChunk> chunks_;
  std::size_t cells_; // of a chunk
  AccessChunk** exclusive_ = static_cast<AccessChunk**>(
      map_pages("aprof chunk table", kChunkCount * sizeof(AccessChunk*)));
  Vector<StampedRange> stamped_{"aprof.shadow.stamped"};
};
