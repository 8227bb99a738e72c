// What whoever reads the numbers should know: the profile's notes. Of those by which numbers may be
// wrong the summary has a line, too.
#pragma once

#include "base/types.hpp"

#include <array>

namespace notes {

// A sentence: "3 threads at most were ...".
struct Note {
  const char* kind; // docs/format-cilkshadow.md
  u64 count;
  const char* text; // after the count
  const char* more; // sentences after it, which the summary leaves out
  bool warns;       // numbers may be wrong
};

std::array<Note, 19> of_all_kinds();

template <typename F> void for_each(F f) {
  for (const Note& note : of_all_kinds())
    if (note.count > 0)
      f(note);
}

void print_warnings();

} // namespace notes
