// The timestamps of a chunk that has not been accessed for a while, dictionary-encoded: the
// distinct timestamps, and each cell's index among them, in as few bits as the dictionary needs.
//
// Timestamps that no comparison can distinguish are first replaced by one (renumbering.hpp), which
// leaves few distinct ones: 16384 cells, 64 KiB as a block, then take from nothing to 16 KiB. Cost:
// one pass over the cells to pack, one to unpack.
#pragma once

#include "aprof/cells/timestamp_vectors.hpp"
#include "base/memory.hpp"
#include "base/types.hpp"

class PackedCells {
public:
  static constexpr std::size_t kMostValues = 256;

  // `indices`: for each cell, the index of its timestamp in `values`; unused if there is only one.
  // The caller must release the result.
  static PackedCells* make(const Timestamp* values, std::size_t count, const u8* indices,
                           std::size_t cells);
  void unpack(Timestamp* cells, std::size_t count) const;
  // Unpacks the dictionary, and the indices to one byte each; returns the size of the dictionary.
  u32 unpack_indices(Timestamp* dictionary, u8* indices, std::size_t cells) const;

  bool is_uniform() const { return bits_ == 0; }
  // Calls f(timestamp) for each distinct timestamp; f may change it.
  template <typename F> void for_each_value(F f) {
    for (u32 i = 0; i < values_; i++)
      f(dictionary()[i]);
  }

private:
  PackedCells(u32 values, u32 bits) : values_(values), bits_(bits) {}
  Timestamp* dictionary() { return reinterpret_cast<Timestamp*>(this + 1); }
  const Timestamp* dictionary() const { return reinterpret_cast<const Timestamp*>(this + 1); }
  u8* indices() { return reinterpret_cast<u8*>(dictionary() + values_); }
  const u8* indices() const { return reinterpret_cast<const u8*>(dictionary() + values_); }

  u32 values_;
  u32 bits_; // per index: 0, 1, 2, 4 or 8
};

// Creates PackedCells. Caches the indices of recent pairs of timestamps, so that most cells cost
// one lookup. Owns its buffers: a byte for each cell, and some 20 KiB.
class Packer {
public:
  explicit Packer(std::size_t cells);
  ~Packer() { release(indices_); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  static PackedCells* pack_equal(Timestamp value) {
    return PackedCells::make(&value, 1, nullptr, 0);
  }
  // Packs cells whose timestamps are value_of(a[cell], b[cell]). Returns null if there are too many
  // distinct ones.
  template <typename ValueOf>
  PackedCells* pack(const Timestamp* a, const Timestamp* b, ValueOf value_of) {
    clear();
    u8* const indices = indices_; // byte stores may alias members
    const std::size_t cells = cells_;
    for (std::size_t cell = 0; cell < cells; cell += kRun) {
      const std::size_t distinct = is_run(a + cell) && is_run(b + cell) ? 1 : kRun;
      for (std::size_t i = cell; i < cell + distinct; i++) {
        const u64 key = u64{a[i].value()} << 32 | b[i].value();
        Known& known = known_[key * 0x9E3779B97F4A7C15u >> (64 - kKnownBits)];
        if (known.key != key) [[unlikely]] {
          const std::size_t index = find_or_add(value_of(a[i], b[i]));
          if (index == PackedCells::kMostValues)
            return nullptr;
          known = {key, static_cast<u8>(index)};
        }
        indices[i] = known.index;
      }
      if (distinct == 1)
        __builtin_memset(indices + cell, indices[cell], kRun);
    }
    return PackedCells::make(values_, size_, indices, cells);
  }

private:
  static constexpr std::size_t kRun = 8;
  static constexpr unsigned kKnownBits = 10;
  static constexpr unsigned kSlotBits = 10;
  static constexpr u64 kNoKey = ~u64{0};

  struct Known {
    u64 key;
    u8 index;
  };

  // Whether kRun timestamps are equal, as most are.
  static bool is_run(const Timestamp* cells) { return are_all<kRun>(cells, cells[0]); }

  void clear();
  // Returns the index of the value in the dictionary; kMostValues if there is no room for it.
  std::size_t find_or_add(Timestamp value);

  const std::size_t cells_;
  u8* const indices_;
  Known known_[1 << kKnownBits];
  Timestamp values_[PackedCells::kMostValues]; // in the order of their first use
  u16 slots_[1 << kSlotBits];                  // a value's index + 1; 0: free
  std::size_t size_;
};
