// What the tool could not follow or did not see in this run: notes in the profile and in the
// message at the end. The counts are read from where they are kept.
#pragma once

#include "base/types.hpp"

#include <array>

namespace aprof {

// A sentence that begins with a count.
struct Limit {
  const char* kind; // docs/format-aprof.md
  u64 count;
  const char* text; // follows the count
};

std::array<Limit, 4> limits();

bool any_limit();

} // namespace aprof
