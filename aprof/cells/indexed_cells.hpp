// The timestamps of a chunk in use, dictionary-encoded: up to 256 distinct timestamps, and one byte
// per cell, the index of the cell's timestamp. A chunk of 64 KiB takes 17 KiB.
//
// A stamp of `now` need not be distinguished from stamps that the thread has made since both its
// top activation and its slice began; the slice is the time since others last wrote. So one entry
// serves all accesses of an activation, and a write only stores bytes. When the dictionary is full,
// entries that no cell uses are freed, and entries that no comparison can distinguish are merged.
//
// In a shared chunk, wts is stamped with the beginning of the slice. That is after everything that
// others accessed before, and not after what the thread itself accesses in the slice. So the
// dictionary of wts grows with the number of slices, not of activations.
//
// Owns the dictionary, and a block of a BlockPool for the indices. Cost: one or two loads more than
// an access to a block; an activation that leaves a new stamp pays a hundredth of a pass over the
// chunk.
#pragma once

#include "aprof/cells/packed_cells.hpp"
#include "aprof/cells/timestamp_vectors.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <type_traits>

class IndexedCells {
public:
  static constexpr std::size_t kMostValues = 256;

  // The size of the block of indices, in timestamps. Pages of it whose cells were never accessed
  // take no memory, which is why the dictionary is elsewhere.
  static constexpr std::size_t size_for(std::size_t cells) { return cells / sizeof(Timestamp); }
  // These create indexed cells in a block that is all never.
  static IndexedCells* make(Timestamp* block, std::size_t cells) {
    auto* made = new (allocate("aprof.shadow.indexed", sizeof(IndexedCells))) IndexedCells;
    made->indices_ = reinterpret_cast<u8*>(block);
    made->cells_ = static_cast<u32>(cells);
    made->values_ = 1;
    made->dictionary_[0] = Timestamp::never();
    made->most_ = kMostValues;
    return made;
  }
  static IndexedCells* make(Timestamp* block, std::size_t cells, const PackedCells& packed) {
    auto* made = make(block, cells);
    made->values_ = packed.unpack_indices(made->dictionary_, made->indices_, cells);
    return made;
  }
  static IndexedCells* make(Timestamp* block, std::size_t cells, const IndexedCells& other) {
    auto* made = make(block, cells);
    made->values_ = other.values_;
    std::copy_n(other.dictionary_, other.values_, made->dictionary_);
    for (std::size_t cell = 0; cell < cells; cell++)
      if (other.indices_[cell] != 0)
        made->indices_[cell] = other.indices_[cell];
    return made;
  }
  // Returns the block.
  static Timestamp* destroy(IndexedCells* cells) {
    auto* block = reinterpret_cast<Timestamp*>(cells->indices_);
    release(cells);
    return block;
  }
  void unpack(Timestamp* cells) const {
    for (std::size_t cell = 0; cell < cells_; cell++)
      change(cells[cell], at(cell));
  }

  PackedCells* pack() const { return PackedCells::make(dictionary_, values_, indices_, cells_); }

  Timestamp at(std::size_t cell) const { return dictionary_[indices_[cell]]; }
  // Whether kCells cells from `cell` on have the same index.
  template <std::size_t kCells> bool are_alike(std::size_t cell) const {
    if constexpr (kCells == 1)
      return true;
    using Word = std::conditional_t<(kCells < 4), u16, std::conditional_t<(kCells < 8), u32, u64>>;
    const auto all = static_cast<Word>(indices_[cell] * 0x0101'0101'0101'0101u);
    bool alike = word_at<Word>(cell + kCells - sizeof(Word)) == all; // may overlap the previous one
    for (std::size_t i = 0; i + sizeof(Word) < kCells; i += sizeof(Word))
      alike = alike && word_at<Word>(cell + i) == all;
    return alike;
  }
  // Returns the end of the run of cells with the same index that begins at `cell`, at most `end`.
  std::size_t run_at(std::size_t cell, std::size_t end) const {
    const u8 index = indices_[cell];
    while (++cell < end && indices_[cell] == index) {
    }
    return cell;
  }
  // Stores a few, possibly overlapping words: the core's memset goes byte by byte.
  void set(std::size_t cell, std::size_t count, u32 index) {
    const u64 all = index * 0x0101'0101'0101'0101u;
    u8* const to = indices_ + cell;
    if (count >= sizeof(u64)) {
      for (std::size_t i = 0; i + sizeof(u64) < count; i += sizeof(u64))
        store(to + i, all);
      store(to + count - sizeof(u64), all);
    } else if (count >= sizeof(u32)) {
      store(to, static_cast<u32>(all));
      store(to + count - sizeof(u32), static_cast<u32>(all));
    } else if (count >= sizeof(u16)) {
      store(to, static_cast<u16>(all));
      store(to + count - sizeof(u16), static_cast<u16>(all));
    } else if (count != 0) {
      *to = static_cast<u8>(index);
    }
  }

  // Whether the latest entry is of time `since` or later, or exactly of `time`.
  bool has_entry_since(Timestamp since) const { return latest_ >= since; }
  bool has_entry_of(Timestamp time) const { return latest_ == time; }
  // The index of the latest entry. After add_with_flag, the next index is the same time with the
  // flag.
  u32 latest_index() const { return latest_index_; }
  bool has_room() const { return values_ + 2 <= most_; }
  // These require has_room().
  void add(Timestamp now) {
    latest_ = now;
    latest_index_ = values_;
    dictionary_[values_++] = now;
  }
  void add_with_flag(Timestamp now) {
    add(now);
    dictionary_[values_++] = now.written();
  }
  u32 latest_or_add(Timestamp time) {
    if (!has_entry_of(time))
      add(time);
    return latest_index_;
  }
  // Number of entries that are not later than `time`.
  u32 count_until(Timestamp time) const {
    I32x4 later = {}; // in each element: minus the number of later entries
    u32 i = 0;
    for (; i + 4 <= values_; i += 4)
      later += vector_at(dictionary_ + i, Lanes<4>{}) > vector_of(time, Lanes<4>{});
    auto until = static_cast<u32>(static_cast<i32>(i) + later[0] + later[1] + later[2] + later[3]);
    for (; i < values_; i++)
      until += dictionary_[i] <= time;
    return until;
  }
  // Merges entries with the same class_of(timestamp), which no comparison can distinguish. If many
  // entries are left, also frees those that no cell uses.
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
        classes[becomes[i]] = i; // in the end, the first entry that maps to it
    for (u32 i = 0; i < kept; i++)
      dictionary_[i] = dictionary_[classes[i]];
    replace_indices(becomes);
    values_ = kept;
    latest_ = Timestamp::never();
  }

  // Calls f(timestamp) for each distinct timestamp; f may change it.
  template <typename F> void for_each_value(F f) {
    for (u32 i = 0; i < values_; i++)
      f(dictionary_[i]);
    latest_ = Timestamp::never();
  }
  template <typename F> void for_each_value(F f) const {
    std::for_each(dictionary_, dictionary_ + values_, f);
  }

  // For ts_t: the wts of the chunk, valid while a slot refers to this object; null if the chunk is
  // exclusive.
  IndexedCells* writes = nullptr;
  // Reduces the size of the dictionary, for tests.
  void limit_values(u32 most) { most_ = most; }
  u32 accesses_until_hot = 0;

private:
  template <typename Word> Word word_at(std::size_t cell) const {
    Word word;
    __builtin_memcpy(&word, indices_ + cell, sizeof word);
    return word;
  }

  u32 join(const u64* classes, const bool* used, u8* becomes) const;
  void find_used(bool* used) const;
  void replace_indices(const u8* becomes);

  u8* indices_;
  u32 cells_;
  u32 values_;
  u32 most_;
  Timestamp latest_;
  u32 latest_index_;
  Timestamp dictionary_[kMostValues];
};
