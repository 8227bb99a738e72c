// Reads little-endian binary data in sequence. Reads beyond the end return zeroes and make the
// cursor fail permanently, so that readers of possibly damaged data need to check only once, at the
// end.
#pragma once

#include "base/types.hpp"

class Cursor {
public:
  Cursor(const u8* begin, const u8* end) : at_(begin), end_(end) {}

  bool has_failed() const { return failed_; }
  bool is_at_end() const { return at_ == end_; }
  const u8* at() const { return at_; }

  void skip(u64 bytes) { take(bytes); }
  void fail() { take(~u64{0}); }

  u64 number(unsigned bytes) {
    const u8* from = take(bytes);
    u64 value = 0;
    for (unsigned i = 0; from != nullptr && i < bytes; i++)
      value |= u64{from[i]} << 8 * i;
    return value;
  }

  u64 uleb() {
    u64 value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const u64 byte = number(1);
      if (shift < 64)
        value |= (byte & 0x7F) << shift;
      if (byte < 0x80)
        return value;
    }
  }

  // Signed values, too: only the length matters here.
  void skip_leb() {
    while (number(1) >= 0x80) {
    }
  }

  // Reads a string that is terminated by a zero.
  const char* string() {
    const u8* begin = at_;
    while (at_ != end_ && *at_ != 0)
      at_++;
    return take(1) == nullptr ? "" : reinterpret_cast<const char*>(begin);
  }

private:
  const u8* take(u64 bytes) {
    if (bytes > static_cast<u64>(end_ - at_)) {
      failed_ = true;
      at_ = end_;
      return nullptr;
    }
    const u8* taken = at_;
    at_ += bytes;
    return taken;
  }

  const u8* at_;
  const u8* end_;
  bool failed_ = false;
};
