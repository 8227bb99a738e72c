#include "aprof/cells/indexed_cells.hpp"

#include <span>

namespace {

// Replaces the indices from `begin` to `begin` + `length` by `even` and `odd` alternately. Each
// vector holds its value in all elements.
struct ReplacedRange {
  U8x16 begin, length, even, odd;
};

U8x16 in_all(u32 index) { return U8x16{} + static_cast<u8>(index); }

void replace(u8* indices, std::size_t cells, std::span<const ReplacedRange> by) {
  for (std::size_t i = 0; i < cells; i += sizeof(U8x16)) {
    const U8x16 before = load<U8x16>(indices + i);
    U8x16 now = before;
    for (const ReplacedRange& range : by) {
      const U8x16 from_begin = now - range.begin;
      const U8x16 replaced = (from_begin & 1) != 0 ? range.odd : range.even;
      now = from_begin <= range.length ? replaced : now;
    }
    if (is_any(now != before)) // untouched pages take no memory
      store(indices + i, now);
  }
}

} // namespace

// Computes the new index of each entry; returns the new number of entries.
u32 IndexedCells::join(const u64* classes, const bool* used, u8* becomes) const {
  u64 known[kMostValues];
  u32 kept = 0;
  for (u32 i = 0; i < values_; i++) {
    if (!used[i]) {
      becomes[i] = i < 2 ? 0 : becomes[i - 2]; // any value: no cell has it
      continue;
    }
    // Nearly always, an entry is merged with the one two before it, which has the same flag.
    const u32 likely = i < 2 ? kept : becomes[i - 2];
    const u32 index = likely < kept && known[likely] == classes[i]
                          ? likely
                          : static_cast<u32>(std::find(known, known + kept, classes[i]) - known);
    becomes[i] = static_cast<u8>(index);
    if (index == kept)
      known[kept++] = classes[i];
  }
  return kept;
}

void IndexedCells::find_used(bool* used) const {
  std::fill_n(used, kMostValues, false);
  for (std::size_t cell = 0; cell < cells_; cell++)
    used[indices_[cell]] = true;
}

// Mostly the stamps of successive activations are merged, with and without the flag. No index
// increases, so the ranges can be replaced in their order.
void IndexedCells::replace_indices(const u8* becomes) {
  constexpr unsigned kFewRanges = 8;
  ReplacedRange ranges[kFewRanges];
  unsigned count = 0;
  for (u32 i = 0; i < values_;) {
    if (becomes[i] == i) {
      i++;
      continue;
    }
    if (count == kFewRanges) {
      for (std::size_t cell = 0; cell < cells_; cell++)
        if (const u8 index = becomes[indices_[cell]]; index != indices_[cell])
          indices_[cell] = index;
      return;
    }
    const u32 begin = i;
    i = std::min(i + 2, values_);
    while (i < values_ && becomes[i] == becomes[i - 2])
      i++;
    ranges[count++] = {in_all(begin), in_all(i - 1 - begin), in_all(becomes[begin]),
                       in_all(becomes[std::min(begin + 1, i - 1)])};
  }
  replace(indices_, cells_, {ranges, count});
}
