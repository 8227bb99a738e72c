// Interned strings. Each distinct string is stored once and has a number, starting at 1.
#pragma once

#include "base/address_map.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

class StringTable {
public:
  explicit StringTable(const char* cost_centre)
      : cost_centre_(cost_centre), strings_(cost_centre), by_hash_(cost_centre) {}

  u32 intern(const char* text);
  const char* operator[](u32 id) const { return strings_[id - 1]; }
  u32 size() const { return static_cast<u32>(strings_.size()); }

private:
  const char* cost_centre_;
  Vector<const char*> strings_;
  AddressMap<u32> by_hash_;
};
