// The timestamps of a chunk in use, at a byte each: a dictionary of up to 256, and for each cell
// its place in it. So a chunk of 64 KiB takes 17.
//
// What is stamped `now` need not be told from what the thread stamped since the later of two: the
// beginning of its top activation, and of its slice, the time since others last wrote. So one place
// serves all accesses of an activation, and to write is to store bytes. When the dictionary is
// full, places that no cell has are freed, and those that nothing can tell apart become one.
//
// Cost: an access takes a load or two more than one of a block; an activation that leaves a new
// stamp pays a hundredth of a pass over the chunk.
//
// A shared chunk's wts is stamped with the slice's beginning: that is after all that others
// accessed before, and not after what the thread itself accesses in the slice. So its dictionary
// grows with slices, not with activations.
#pragma once

#include "aprof/cells/packed_cells.hpp"
#include "aprof/cells/timestamp_vectors.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <type_traits>

class IndexedCells {
public:
  static constexpr std::size_t kMostValues = 256;

  // Of a block for the places, in timestamps, for a BlockPool: pages where cells were never
  // accessed take no memory. The rest lies elsewhere for that.
  static constexpr std::size_t size_for(std::size_t cells) { return cells / sizeof(Timestamp); }
  // In a block that is never all over.
  static IndexedCells* make(Timestamp* block, std::size_t cells) {
    auto* made = new (allocate("aprof.shadow.indexed", sizeof(IndexedCells))) IndexedCells;
    made->places_ = reinterpret_cast<u8*>(block);
    made->cells_ = static_cast<u32>(cells);
    made->values_ = 1;
    made->dictionary_[0] = Timestamp::never();
    made->most_ = kMostValues;
    return made;
  }
  static IndexedCells* make(Timestamp* block, std::size_t cells, const PackedCells& packed) {
    auto* made = make(block, cells);
    made->values_ = packed.open(made->dictionary_, made->places_, cells);
    return made;
  }
  static IndexedCells* make(Timestamp* block, std::size_t cells, const IndexedCells& other) {
    auto* made = make(block, cells);
    made->values_ = other.values_;
    std::copy_n(other.dictionary_, other.values_, made->dictionary_);
    for (std::size_t cell = 0; cell < cells; cell++)
      if (other.places_[cell] != 0)
        made->places_[cell] = other.places_[cell];
    return made;
  }
  // Returns the block.
  static Timestamp* destroy(IndexedCells* cells) {
    auto* block = reinterpret_cast<Timestamp*>(cells->places_);
    release(cells);
    return block;
  }
  void unpack(Timestamp* cells) const {
    for (std::size_t cell = 0; cell < cells_; cell++)
      change(cells[cell], at(cell));
  }

  PackedCells* pack() const { return PackedCells::make(dictionary_, values_, places_, cells_); }

  Timestamp at(std::size_t cell) const { return dictionary_[places_[cell]]; }
  // Whether kCells from `cell` on have the same place.
  template <std::size_t kCells> bool are_alike(std::size_t cell) const {
    if constexpr (kCells == 1)
      return true;
    using Word = std::conditional_t<(kCells < 4), u16, std::conditional_t<(kCells < 8), u32, u64>>;
    const auto place = static_cast<Word>(places_[cell] * 0x0101'0101'0101'0101u);
    bool alike = word_at<Word>(cell + kCells - sizeof(Word)) == place; // which may overlap another
    for (std::size_t i = 0; i + sizeof(Word) < kCells; i += sizeof(Word))
      alike = alike && word_at<Word>(cell + i) == place;
    return alike;
  }
  std::size_t run_at(std::size_t cell, std::size_t end) const { // its end
    const u8 place = places_[cell];
    while (++cell < end && places_[cell] == place) {
    }
    return cell;
  }
  // In words that may overlap, as there are few: the core's memset goes byte by byte.
  void set(std::size_t cell, std::size_t count, u32 place) {
    const u64 places = place * 0x0101'0101'0101'0101u;
    u8* const to = places_ + cell;
    if (count >= sizeof(u64)) {
      for (std::size_t i = 0; i + sizeof(u64) < count; i += sizeof(u64))
        store(to + i, places);
      store(to + count - sizeof(u64), places);
    } else if (count >= sizeof(u32)) {
      store(to, static_cast<u32>(places));
      store(to + count - sizeof(u32), static_cast<u32>(places));
    } else if (count >= sizeof(u16)) {
      store(to, static_cast<u16>(places));
      store(to + count - sizeof(u16), static_cast<u16>(places));
    } else if (count != 0) {
      *to = static_cast<u8>(place);
    }
  }

  // The place of what was stamped last, and of that with the flag behind it; if that is so late
  // that it will do.
  bool has_place_since(Timestamp since) const { return latest_ >= since; }
  bool has_place_of(Timestamp time) const { return latest_ == time; }
  u32 latest_place() const { return latest_place_; }
  bool has_room() const { return values_ + 2 <= most_; }
  void add(Timestamp now) {
    latest_ = now;
    latest_place_ = values_;
    dictionary_[values_++] = now;
  }
  void add_with_flag(Timestamp now) {
    add(now);
    dictionary_[values_++] = now.written();
  }
  u32 place_of(Timestamp time) { // there is room
    if (!has_place_of(time))
      add(time);
    return latest_place_;
  }
  // How many are not later.
  u32 count_until(Timestamp time) const {
    I32x4 later = {}; // each -1 as often
    u32 i = 0;
    for (; i + 4 <= values_; i += 4)
      later += vector_at(dictionary_ + i, Lanes<4>{}) > vector_of(time, Lanes<4>{});
    auto until = static_cast<u32>(static_cast<i32>(i) + later[0] + later[1] + later[2] + later[3]);
    for (; i < values_; i++)
      until += dictionary_[i] <= time;
    return until;
  }
  // class_of(timestamp): the same for those that nothing tells apart. Where there are few, those
  // that no cell has are not looked for.
  template <typename ClassOf> void compact(ClassOf class_of) {
    u64 classes[kMostValues];
    for (u32 i = 0; i < values_; i++)
      classes[i] = class_of(dictionary_[i].plain()) << 1 | dictionary_[i].is_written();
    bool used[kMostValues];
    std::fill_n(used, kMostValues, true);
    u8 becomes[kMostValues];
    u32 kept = join(classes, used, becomes);
    if (kept > kMostValues / 2) {
      find_used(used);
      kept = join(classes, used, becomes);
    }
    for (u32 i = values_; i-- > 0;)
      if (used[i])
        classes[becomes[i]] = i; // the first that becomes it
    for (u32 i = 0; i < kept; i++)
      dictionary_[i] = dictionary_[classes[i]];
    replace_places(becomes);
    values_ = kept;
    latest_ = Timestamp::never();
  }

  // Calls f(timestamp) for each distinct one, which it may change.
  template <typename F> void for_each_value(F f) {
    for (u32 i = 0; i < values_; i++)
      f(dictionary_[i]);
    latest_ = Timestamp::never();
  }
  template <typename F> void for_each_value(F f) const {
    std::for_each(dictionary_, dictionary_ + values_, f);
  }

  // Of ts_t: the chunk's wts as long as a slot says so; null: exclusive.
  IndexedCells* writes = nullptr;
  // Before compaction, in tests.
  void limit_values(u32 most) { most_ = most; }
  // Accesses until it is taken for hot.
  u32 patience = 0;

private:
  template <typename Word> Word word_at(std::size_t cell) const {
    Word word;
    __builtin_memcpy(&word, places_ + cell, sizeof word);
    return word;
  }

  u32 join(const u64* classes, const bool* used, u8* becomes) const;
  void find_used(bool* used) const;
  void replace_places(const u8* becomes);

  u8* places_;
  u32 cells_;
  u32 values_;
  u32 most_;
  Timestamp latest_;
  u32 latest_place_;
  Timestamp dictionary_[kMostValues];
};
