// The timestamps of a chunk that were not accessed for a while: a dictionary of the distinct ones,
// and for each cell its place in it, in as few bits as tell them apart.
//
// Once all that tell the same are replaced by one (renaming.hpp), there are few: 16384 cells, 64
// KiB, take between nothing and 16 KiB. Cost: one pass over the cells either way.
#pragma once

#include "aprof/cells/timestamp_vectors.hpp"
#include "base/memory.hpp"
#include "base/types.hpp"

class PackedCells {
public:
  static constexpr std::size_t kMostValues = 256;

  // `places`: of each cell's value among `values`, one if they are all the same.
  static PackedCells* make(const Timestamp* values, std::size_t count, const u8* places,
                           std::size_t cells);
  void unpack(Timestamp* cells, std::size_t count) const;
  // The same at a byte for each place; returns how many distinct ones there are.
  u32 open(Timestamp* dictionary, u8* places, std::size_t cells) const;

  bool is_uniform() const { return bits_ == 0; }
  // Calls f(timestamp) for each distinct one, which it may change.
  template <typename F> void for_each_value(F f) {
    for (u32 i = 0; i < values_; i++)
      f(dictionary()[i]);
  }

private:
  PackedCells(u32 values, u32 bits) : values_(values), bits_(bits) {}
  Timestamp* dictionary() { return reinterpret_cast<Timestamp*>(this + 1); }
  const Timestamp* dictionary() const { return reinterpret_cast<const Timestamp*>(this + 1); }
  u8* places() { return reinterpret_cast<u8*>(dictionary() + values_); }
  const u8* places() const { return reinterpret_cast<const u8*>(dictionary() + values_); }

  u32 values_;
  u32 bits_; // of a place: 0, 1, 2, 4 or 8
};

bool are_equal(const Timestamp* cells, std::size_t count);
void forget(Timestamp* cells, std::size_t count); // writes only where there is something

// Makes them. Knows what it replaced lately, so that most cells cost a look-up.
class Packer {
public:
  explicit Packer(std::size_t cells);
  ~Packer() { release(places_); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  static PackedCells* pack_equal(Timestamp value) {
    return PackedCells::make(&value, 1, nullptr, 0);
  }
  // Of cells whose timestamp is value_of(a[cell], b[cell]); null if there are too many distinct
  // ones.
  template <typename ValueOf>
  PackedCells* pack(const Timestamp* a, const Timestamp* b, ValueOf value_of) {
    clear();
    u8* const places = places_; // stores of bytes may change members, for all the compiler knows
    const std::size_t cells = cells_;
    for (std::size_t cell = 0; cell < cells; cell += kRun) {
      const std::size_t distinct = is_run(a + cell) && is_run(b + cell) ? 1 : kRun;
      for (std::size_t i = cell; i < cell + distinct; i++) {
        const u64 key = u64{a[i].value()} << 32 | b[i].value();
        Known& known = known_[key * 0x9E3779B97F4A7C15u >> (64 - kKnownBits)];
        if (known.key != key) [[unlikely]] {
          const std::size_t place = place_of(value_of(a[i], b[i]));
          if (place == PackedCells::kMostValues)
            return nullptr;
          known = {key, static_cast<u8>(place)};
        }
        places[i] = known.place;
      }
      if (distinct == 1)
        __builtin_memset(places + cell, places[cell], kRun);
    }
    return PackedCells::make(values_, size_, places, cells);
  }

private:
  static constexpr std::size_t kRun = 8;
  static constexpr unsigned kKnownBits = 10;
  static constexpr unsigned kSlotBits = 10;
  static constexpr u64 kNoKey = ~u64{0};

  struct Known {
    u64 key;
    u8 place;
  };

  // Whether they are all the same, as most are.
  static bool is_run(const Timestamp* cells) { return are_all<kRun>(cells, cells[0]); }

  void clear();
  std::size_t place_of(Timestamp value); // kMostValues if there is no room for it

  const std::size_t cells_;
  u8* const places_;
  Known known_[1 << kKnownBits];
  Timestamp values_[PackedCells::kMostValues]; // in the order in which they came
  u16 slots_[1 << kSlotBits];                  // 1 and the place of a value; 0: free
  std::size_t size_;
};
