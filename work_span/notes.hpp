// The notes of a profile: what readers of its numbers should know, such as events that were not
// understood. Notes that mean that numbers may be wrong are warnings, and are repeated in the end
// message. Owns nothing; the counts are read from where they are kept.
#pragma once

#include "base/types.hpp"

#include <array>

namespace notes {

// A sentence that begins with a count: "3 threads at most were ...".
struct Note {
  const char* kind; // docs/format-cilkshadow.md
  u64 count;
  const char* text; // follows the count
  const char* more; // further sentences, omitted from the end message
  bool warns;       // numbers may be wrong
};

std::array<Note, 22> of_all_kinds();

template <typename F> void for_each(F f) {
  for (const Note& note : of_all_kinds())
    if (note.count > 0)
      f(note);
}

void print_warnings();

} // namespace notes
