#include "aprof/cells/chunk_numbers.hpp"

std::size_t HighChunks::find_or_add(GuestAddr page) {
  if (const u32* known = numbers_.find(page))
    return *known;
  if (pages_.size() == kHighChunks)
    out_of_memory("shadow memory of addresses above 128 GiB", kChunkBytes);
  const std::size_t number = kLowChunks + pages_.size();
  pages_.push_back(page);
  numbers_.insert(page, static_cast<u32>(number));
  return number;
}
