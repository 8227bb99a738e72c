// The events that cover ranges of memory: kernelRead, kernelWrite, and mappings that are created,
// removed and moved.
#include "aprof/engine/engine.hpp"
#include "aprof/engine/engine_fast.hpp"

#include <algorithm>

namespace {

// Returns how many bytes of the range are at addresses that the client can own.
std::size_t clip(GuestAddr address, std::size_t bytes) {
  if (address >= kGuestAddressEnd)
    return 0;
  return std::min<std::size_t>(bytes, kGuestAddressEnd - address);
}

struct ChunkRange {
  std::size_t first, last;
};

// Returns the chunks that are entirely in [address, address + bytes). None at high addresses, where
// chunks are not numbered in order.
ChunkRange whole_chunks(GuestAddr address, std::size_t bytes) {
  if (address + clip(address, bytes) > kLowAddressEnd)
    return {0, 0};
  const std::size_t first = (address + kChunkBytes - 1) >> kChunkBits;
  const std::size_t last = (address + clip(address, bytes)) >> kChunkBits;
  return {first, std::max(first, last)};
}

} // namespace

// Calls visit(chunk number, first cell, last cell + 1) for each chunk that the range touches. Cells
// that are only partly in the range are included.
template <typename Visit>
void Engine::for_each_chunk(GuestAddr address, std::size_t bytes, Visit visit) {
  const GuestAddr end = address + clip(address, bytes);
  const std::size_t cell_bytes = std::size_t{1} << options_.cell_shift;
  while (address < end) {
    const GuestAddr base = address & ~(kChunkBytes - 1);
    const GuestAddr end_here = std::min(end, base + kChunkBytes);
    visit(find_or_add_number(address >> kChunkBits), (address - base) >> options_.cell_shift,
          (end_here - base + cell_bytes - 1) >> options_.cell_shift);
    address = end_here;
  }
}

// Figure 12: a kernelRead is a read by the thread, as if the system call were a subroutine.
void Engine::kernel_read(GuestAddr address, std::size_t bytes) {
  if (suspended())
    return;
  for_each_chunk(address, bytes, [&](std::size_t number, std::size_t first, std::size_t last) {
    const Cells cells = obtain_cells(number);
    if (cells.ts == nullptr)
      return read_indexed(number, first, last - first);
    read_each(cells.from(first), last - first);
  });
}

void Engine::kernel_write(GuestAddr address, std::size_t bytes) {
  if (suspended())
    return;
  tick();
  slice_ = now_;
  const Timestamp stamp = now_.kernel_write_before();
  for_each_chunk(address, bytes, [&](std::size_t number, std::size_t first, std::size_t last) {
    make_room();
    shadow_.write(number, first, last, stamp);
  });
}

void Engine::map_external(GuestAddr address, std::size_t bytes) {
  forget(address, bytes);
  if (suspended())
    return;
  tick();
  slice_ = now_;
  const Timestamp stamp = now_.kernel_write_before();
  const ChunkRange whole = whole_chunks(address, bytes);
  shadow_.stamp_untouched(whole.first, whole.last, stamp);
  for_each_chunk(address, bytes, [&](std::size_t number, std::size_t first, std::size_t last) {
    if (whole.first <= number && number < whole.last)
      return; // just forgotten, so not live
    make_room();
    shadow_.write(number, first, last, stamp);
  });
}

void Engine::forget(GuestAddr address, std::size_t bytes) {
  // Whole cells only: the rest of a partly covered cell may belong to something that remains.
  const std::size_t cell_bytes = std::size_t{1} << options_.cell_shift;
  const GuestAddr begin = (address + cell_bytes - 1) & ~GuestAddr{cell_bytes - 1};
  const GuestAddr end = (address + clip(address, bytes)) & ~GuestAddr{cell_bytes - 1};
  if (begin >= end)
    return;
  const ChunkRange low{begin >> kChunkBits,
                       std::min<std::size_t>((end + kChunkBytes - 1) >> kChunkBits, kLowChunks)};
  const ChunkRange whole = whole_chunks(begin, end - begin);
  shadow_.forget_untouched(whole.first, whole.last);
  for (std::size_t number = low.first; number < low.last; number++)
    forget_in_chunk(number, number, begin, end);
  if (end > kLowAddressEnd)
    high_.for_each(
        begin >> kChunkBits, (end + kChunkBytes - 1) >> kChunkBits,
        [&](GuestAddr page, std::size_t number) { forget_in_chunk(page, number, begin, end); });
}

// Forgets the part of one chunk that is in [begin, end).
void Engine::forget_in_chunk(GuestAddr page, std::size_t number, GuestAddr begin, GuestAddr end) {
  if (!shadow_.is_known(number))
    return;
  const GuestAddr base = page << kChunkBits;
  const GuestAddr first = std::max(begin, base) - base;
  const GuestAddr last = std::min(end, base + kChunkBytes) - base;
  if (first == 0 && last == kChunkBytes)
    shadow_.forget(number);
  else
    shadow_.forget_cells(number, first >> options_.cell_shift, last >> options_.cell_shift);
}

void Engine::move(GuestAddr from, GuestAddr to, std::size_t bytes) {
  forget(to, bytes);
  // Moves parts that are within one chunk at both ends.
  for (std::size_t done = 0; done < clip(from, bytes);) {
    const GuestAddr a = from + done;
    const GuestAddr b = to + done;
    const std::size_t part = std::min({bytes - done, kChunkBytes - (a & (kChunkBytes - 1)),
                                       kChunkBytes - (b & (kChunkBytes - 1))});
    move_within_chunks(a, b, part);
    done += part;
  }
}

void Engine::move_within_chunks(GuestAddr from, GuestAddr to, std::size_t bytes) {
  const GuestAddr old_page = from >> kChunkBits;
  const std::size_t old_number = old_page < kLowChunks ? old_page : high_.find(old_page);
  if (old_number == HighChunks::kNone || !shadow_.is_known(old_number))
    return;
  make_room();
  shadow_.move_cells(old_number, (from & (kChunkBytes - 1)) >> options_.cell_shift,
                     find_or_add_number(to >> kChunkBits),
                     (to & (kChunkBytes - 1)) >> options_.cell_shift, bytes >> options_.cell_shift);
}
