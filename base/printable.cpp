#include "base/printable.hpp"

#include "base/types.hpp"

namespace {

bool is_seen(u32 character) {
  return character >= 0x20 && (character < 0x7f || character >= 0xa0) &&
         !(0x200e <= character && character <= 0x200f) &&
         !(0x2028 <= character && character <= 0x202e) &&
         !(0x2066 <= character && character <= 0x2069);
}

// Returns the number of bytes of the character that the text begins with; 0 if it is not to be
// printed.
unsigned seen_bytes(const char* text) {
  const auto lead = static_cast<u8>(*text);
  if (lead < 0x80)
    return is_seen(lead) ? 1 : 0;
  const unsigned bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4)
    return 0;
  u32 character = lead & (0x7fu >> bytes);
  for (unsigned i = 1; i < bytes; i++) {
    const auto next = static_cast<u8>(text[i]);
    if ((next & 0xc0) != 0x80)
      return 0;
    character = character << 6 | (next & 0x3f);
  }
  constexpr u32 kLeast[] = {0, 0, 0x80, 0x800, 0x10000}; // longer encodings are not valid
  const bool is_surrogate = 0xd800 <= character && character <= 0xdfff;
  const bool is_valid = character >= kLeast[bytes] && character <= 0x10ffff && !is_surrogate;
  return is_valid && is_seen(character) ? bytes : 0;
}

} // namespace

Vector<char> printable(const char* text) {
  Vector<char> shown("base.printable");
  while (*text != 0) {
    const unsigned bytes = seen_bytes(text);
    for (unsigned i = 0; i < bytes; i++)
      shown.push_back(*text++);
    if (bytes > 0)
      continue;
    constexpr const char* kDigits = "0123456789abcdef";
    const auto byte = static_cast<u8>(*text++);
    for (const char c : {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]})
      shown.push_back(c);
  }
  shown.push_back(0);
  return shown;
}
