#include "aprof/indexed_cells.hpp"

namespace {

// As many cells at once as compilers need to see to use few instructions for them.
constexpr std::size_t kTogether = 64;

// Those from `begin` to `last` become `even` and `odd` by turns.
struct Replaced {
  u8 begin, last, even, odd;
};

void replace(u8* places, std::size_t cells, Replaced by) {
  const auto length = static_cast<u8>(by.last - by.begin);
  for (std::size_t i = 0; i < cells; i += kTogether) {
    u8 together[kTogether];
    u8 changed = 0;
    for (std::size_t j = 0; j < kTogether; j++) {
      const u8 place = places[i + j];
      const auto in_range = static_cast<u8>(place - by.begin);
      const u8 replaced = (in_range & 1) != 0 ? by.odd : by.even;
      together[j] = in_range <= length ? replaced : place;
      changed |= together[j] ^ place;
    }
    if (changed != 0) // pages that were never touched take no memory
      std::copy_n(together, kTogether, places + i);
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
    ranges[count++] = {static_cast<u8>(begin), static_cast<u8>(i - 1), becomes[begin],
                       becomes[std::min(begin + 1, i - 1)]};
  }
  for (unsigned i = 0; i < count; i++)
    replace(places_, cells_, ranges[i]);
}
