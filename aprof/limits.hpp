// What of the run could not be followed, or was not seen: notes of the profile, and of the message
// at the end. The counts are asked from where they are kept.
#pragma once

#include "base/types.hpp"

#include <array>

namespace aprof {

// A sentence that begins with a count.
struct Limit {
  const char* kind; // docs/format-aprof.md
  u64 count;
  const char* text; // after the count
};

std::array<Limit, 4> limits();

bool any_limit();

} // namespace aprof
