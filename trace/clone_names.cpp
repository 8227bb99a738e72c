#include "trace/clone_names.hpp"

namespace {

struct Text {
  const char* begin;
  std::size_t length;

  bool operator==(const char* word) const {
    std::size_t i = 0;
    while (i < length && word[i] == begin[i] && word[i] != 0)
      i++;
    return i == length && word[i] == 0;
  }
  bool begins_with(const char* word) const {
    std::size_t i = 0;
    while (i < length && word[i] == begin[i] && word[i] != 0)
      i++;
    return word[i] == 0;
  }
};

template <std::size_t kWords> bool is_one_of(const Text& word, const char* const (&words)[kWords]) {
  for (const char* candidate : words)
    if (word == candidate)
      return true;
  return false;
}

bool is_digit(char c) { return '0' <= c && c <= '9'; }

enum class Kind { other, copy, cold, piece, namesake };

// Classifies a suffix by its word, with or without a number behind it. Function names with dots, as
// some languages have them, must not be taken for copies.
Kind kind_of(const Text& word, bool is_numbered) {
  constexpr const char* kCopies[] = {"constprop", "isra", "clone", "llvm", "__uniq", "specialized"};
  constexpr const char* kVersions[] = {"localalias", "default", "avx",    "avx2",   "sse2",
                                       "sse3",       "ssse3",   "sse4_1", "sse4_2", "fma",
                                       "bmi",        "bmi2",    "popcnt"};
  if (word == "cold")
    return Kind::cold;
  if (is_numbered && word == "part")
    return Kind::piece;
  if (is_numbered && word == "lto_priv")
    return Kind::namesake;
  if ((is_numbered && is_one_of(word, kCopies)) || is_one_of(word, kVersions) ||
      word.begins_with("arch_") || word.begins_with("avx512"))
    return Kind::copy;
  return Kind::other;
}

struct Suffix {
  Kind kind = Kind::other;
  std::size_t at = 0; // where the word begins
};

// Parses a suffix `.word` with numbers, each after a dot.
Suffix dotted(const char* name, std::size_t length) {
  bool is_numbered = false;
  for (std::size_t end = length;;) {
    std::size_t word = end;
    while (word > 0 && name[word - 1] != '.')
      word--;
    // The word or the name before it is empty.
    if (word <= 1 || word == end)
      return {};
    if (!is_digit(name[word]))
      return {kind_of({name + word, end - word}, is_numbered), word - 1};
    is_numbered = true;
    end = word - 1;
  }
}

// Parses such a suffix in the form of demanglers, ` [clone .word.0]`. clang's LTO writes ` [clone
// .1]`.
Suffix bracketed(const char* name, std::size_t length) {
  constexpr char kBefore[] = " [clone .";
  constexpr std::size_t kBytes = sizeof kBefore - 1;
  for (std::size_t at = length; at-- > 1;) {
    if (name[at] != ' ' || length - at <= kBytes ||
        !Text{name + at, length - at}.begins_with(kBefore))
      continue;
    if (is_digit(name[at + kBytes]))
      return {Kind::namesake, at};
    const std::size_t dot = at + kBytes - 1;
    const Suffix inner = dotted(name + dot - 1, length - 1 - (dot - 1));
    return inner.at == 1 ? Suffix{inner.kind, at} : Suffix{};
  }
  return {};
}

} // namespace

CloneName CloneName::of(const char* name) {
  std::size_t length = 0;
  while (name[length] != 0 && (name[length] != '@' || length == 0))
    length++;
  CloneName found{length, length, 0, length, 0};
  for (;;) {
    const std::size_t end = found.in_source;
    const Suffix suffix =
        end > 0 && name[end - 1] == ']' ? bracketed(name, end) : dotted(name, end);
    if (suffix.kind == Kind::other)
      break;
    if (suffix.kind == Kind::namesake && found.with_lto == 0)
      found.with_lto = end;
    found.pieces += suffix.kind == Kind::piece || suffix.kind == Kind::cold;
    if (end == length && suffix.kind == Kind::cold)
      found.hot = suffix.at;
    found.in_source = suffix.at;
  }
  if (found.with_lto == 0)
    found.with_lto = found.in_source;
  return found;
}
