// Returns whether a name matches one of several patterns, where `*` matches any text and `?` any
// character.
#pragma once

#include "base/valgrind.hpp"

#include <initializer_list>

template <typename Patterns> bool matches(const char* name, const Patterns& patterns) {
  for (const char* pattern : patterns)
    if (VG_(string_match)(pattern, name))
      return true;
  return false;
}
inline bool matches(const char* name, std::initializer_list<const char*> patterns) {
  return matches<std::initializer_list<const char*>>(name, patterns);
}
