#include "aprof/cells/indexed_cells.hpp"

#include <span>

namespace {

// Those from `begin` on, `length` more, become `even` and `odd` by turns; in all elements.
struct Replaced {
  U8x16 begin, length, even, odd;
};

U8x16 in_all(u32 place) { return U8x16{} + static_cast<u8>(place); }

void replace(u8* places, std::size_t cells, std::span<const Replaced> by) {
  for (std::size_t i = 0; i < cells; i += sizeof(U8x16)) {
    const U8x16 before = load<U8x16>(places + i);
    U8x16 now = before;
    for (const Replaced& range : by) {
      const U8x16 from_begin = now - range.begin;
      const U8x16 replaced = (from_begin & 1) != 0 ? range.odd : range.even;
      now = from_begin <= range.length ? replaced : now;
    }
    if (is_any(now != before)) // pages that were never touched take no memory
      store(places + i, now);
  }
}

} // namespace

// What each place becomes; returns how many are left.
u32 IndexedCells::join(const u64* classes, const bool* used, u8* becomes) const {
  u64 known[kMostValues];
  u32 kept = 0;
  for (u32 i = 0; i < values_; i++) {
    if (!used[i]) {
      becomes[i] = i < 2 ? 0 : becomes[i - 2]; // no matter which
      continue;
    }
    // Nearly always one of the latest: with its flag, of the value two before.
    const u32 likely = i < 2 ? kept : becomes[i - 2];
    const u32 place = likely < kept && known[likely] == classes[i]
                          ? likely
                          : static_cast<u32>(std::find(known, known + kept, classes[i]) - known);
    becomes[i] = static_cast<u8>(place);
    if (place == kept)
      known[kept++] = classes[i];
  }
  return kept;
}

void IndexedCells::find_used(bool* used) const {
  std::fill_n(used, kMostValues, false);
  for (std::size_t cell = 0; cell < cells_; cell++)
    used[places_[cell]] = true;
}

// Stamps of activations that followed each other tend to become one, with flag and without. No
// place becomes a later one, so that ranges can be replaced in their order.
void IndexedCells::replace_places(const u8* becomes) {
  constexpr unsigned kFewRanges = 8;
  Replaced ranges[kFewRanges];
  unsigned count = 0;
  for (u32 i = 0; i < values_;) {
    if (becomes[i] == i) {
      i++;
      continue;
    }
    if (count == kFewRanges) {
      for (std::size_t cell = 0; cell < cells_; cell++)
        if (const u8 place = becomes[places_[cell]]; place != places_[cell])
          places_[cell] = place;
      return;
    }
    const u32 begin = i;
    i = std::min(i + 2, values_);
    while (i < values_ && becomes[i] == becomes[i - 2])
      i++;
    ranges[count++] = {in_all(begin), in_all(i - 1 - begin), in_all(becomes[begin]),
                       in_all(becomes[std::min(begin + 1, i - 1)])};
  }
  replace(places_, cells_, {ranges, count});
}
