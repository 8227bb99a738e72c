#include "base/printable.hpp"

#include "base/types.hpp"

namespace {

bool is_seen(u32 character) {
  return character >= 0x20 && (character < 0x7f || character >= 0xa0) && character != 0x61c &&
         !(0x200e <= character && character <= 0x200f) &&
         !(0x2028 <= character && character <= 0x202e) &&
         !(0x2066 <= character && character <= 0x2069);
}

struct Character {
  u32 code;
  unsigned bytes; // 0: not valid
};

// Returns the character of UTF-8 that the text begins with.
Character first_character(const char* text) {
  const auto lead = static_cast<u8>(*text);
  if (lead < 0x80)
    return {lead, 1};
  const unsigned bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4)
    return {};
  u32 code = lead & (0x7fu >> bytes);
  for (unsigned i = 1; i < bytes; i++) {
    const auto next = static_cast<u8>(text[i]);
    if ((next & 0xc0) != 0x80)
      return {};
    code = code << 6 | (next & 0x3f);
  }
  constexpr u32 kLeast[] = {0, 0, 0x80, 0x800, 0x10000}; // longer encodings are not valid
  const bool is_surrogate = 0xd800 <= code && code <= 0xdfff;
  const bool is_valid = code >= kLeast[bytes] && code <= 0x10ffff && !is_surrogate;
  return is_valid ? Character{code, bytes} : Character{};
}

void put_escape(Vector<char>& out, u32 code) {
  out.push_back('\\');
  out.push_back(code < 0x100 ? 'x' : 'u');
  for (int shift = code < 0x100 ? 4 : 12; shift >= 0; shift -= 4)
    out.push_back("0123456789abcdef"[code >> shift & 15]);
}

void put(Vector<char>& out, const char* bytes, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    out.push_back(bytes[i]);
}

bool is_plain(char c) {
  if (('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'))
    return true;
  for (const char plain : {'_', '-', '+', '=', ':', ',', '.', '/', '@', '%', '^'})
    if (c == plain)
      return true;
  return false;
}

} // namespace

Vector<char> printable(const char* text) {
  Vector<char> shown("base.printable");
  while (*text != 0) {
    const auto [code, bytes] = first_character(text);
    if (bytes == 0)
      put_escape(shown, static_cast<u8>(*text));
    else if (is_seen(code))
      put(shown, text, bytes);
    else
      put_escape(shown, code);
    text += bytes == 0 ? 1 : bytes;
  }
  shown.push_back(0);
  return shown;
}

Vector<char> shell_word(const char* text) {
  Vector<char> word("base.printable");
  bool plain = *text != 0;
  for (const char* c = text; *c != 0; c++)
    plain &= is_plain(*c);
  if (!plain)
    word.push_back('\'');
  for (const char* c = text; *c != 0; c++)
    if (*c == '\'')
      put(word, "'\\''", 4);
    else
      word.push_back(*c);
  if (!plain)
    word.push_back('\'');
  word.push_back(0);
  return word;
}
