#include "trace/string_table.hpp"

#include "base/valgrind.hpp"

namespace {

u64 hash(const char* text) { // FNV-1a
  u64 value = 0xCBF29CE484222325u;
  for (; *text != 0; text++)
    value = (value ^ static_cast<u8>(*text)) * 0x100000001B3u;
  return value;
}

} // namespace

u32 StringTable::intern(const char* text) {
  u64 key = hash(text) | 1;
  for (;; key += 2) {
    const u32* id = by_hash_.find(key);
    if (id == nullptr)
      break;
    if (VG_(strcmp)((*this)[*id], text) == 0)
      return *id;
  }
  strings_.push_back(VG_(strdup)(cost_centre_, text));
  by_hash_.insert(key, size());
  return size();
}
