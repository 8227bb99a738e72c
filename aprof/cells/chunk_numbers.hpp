// Chunk numbers: guest memory is divided into chunks of 64 KiB.
//
//   address                 number of the chunk
//   below 128 GiB (low)     address / 64 KiB, below kLowChunks
//   from there on (high)    kLowChunks and up, in the order of first accesses; permanent
//   from 2^47 on            none: the client cannot own it
//
// Valgrind gives its clients low addresses on amd64-linux (aspacem_maxAddr), but a client may ask
// for high ones: Go's heap is at 0xC000000000.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

inline constexpr unsigned kChunkBits = 16;
inline constexpr GuestAddr kChunkBytes = GuestAddr{1} << kChunkBits;
inline constexpr unsigned kLowAddressBits = 37;
inline constexpr GuestAddr kLowAddressEnd = GuestAddr{1} << kLowAddressBits;
inline constexpr GuestAddr kGuestAddressEnd = GuestAddr{1} << 47;
inline constexpr std::size_t kLowChunks = std::size_t{1} << (kLowAddressBits - kChunkBits);
inline constexpr std::size_t kHighChunks = std::size_t{1} << 20; // enough for 64 GiB
inline constexpr std::size_t kChunkCount = kLowChunks + kHighChunks;

// Maps high chunks to their numbers. The key is `page`, the chunk's address / kChunkBytes. Cost: a
// hash probe.
class HighChunks {
public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t find(GuestAddr page) { // kNone if it has no number
    const u32* known = numbers_.find(page);
    return known == nullptr ? kNone : *known;
  }
  std::size_t find_or_add(GuestAddr page);

  // Calls visit(page, number) for those of the pages first..last-1 that have a number.
  template <typename Visit> void for_each(GuestAddr first, GuestAddr last, Visit visit) const {
    for (std::size_t i = 0; i < pages_.size(); i++)
      if (first <= pages_[i] && pages_[i] < last)
        visit(pages_[i], kLowChunks + i);
  }

private:
  AddressMap<u32> numbers_{"aprof.shadow.high"};
  Vector<GuestAddr> pages_{"aprof.shadow.high"};
};
