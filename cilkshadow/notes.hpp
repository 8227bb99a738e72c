// What whoever reads the numbers should know: the profile's notes, which the summary says, too.
#pragma once

#include "base/types.hpp"

namespace notes {

// A sentence: "3 threads at most were ...".
struct Note {
  const char* kind; // docs/format-cilkshadow.md
  u64 count;
  const char* text; // after the count
  bool warns;       // numbers may be wrong
};

constexpr unsigned kKinds = 12;
Note note(unsigned kind);

template <typename F> void for_each(F f) {
  for (unsigned kind = 0; kind < kKinds; kind++)
    if (const Note known = note(kind); known.count > 0)
      f(known);
}

} // namespace notes
