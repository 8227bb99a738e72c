// The notes of a profile: what a reader of its numbers should know, such as events that were not
// understood. Those by which numbers may be wrong are warnings, which the end message repeats. Owns
// nothing; the counts are asked from where they are kept.
#pragma once

#include "base/types.hpp"

#include <array>

namespace notes {

// A sentence that begins with a count: "3 threads at most were ...".
struct Note {
  const char* kind; // docs/format-cilkshadow.md
  u64 count;
  const char* text; // after the count
  const char* more; // sentences after it, which the end message leaves out
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
