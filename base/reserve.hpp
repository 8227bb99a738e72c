// Handles running out of memory, as under a limit (ulimit -v): the run ends, but everything
// measured so far is written.
//
// A reserve of address space is kept aside and never touched. The first request of the tool or the
// core that fails releases most of it and is then served, so that the current operation completes;
// the run ends at the next safe point. A request ends the run immediately only if it is larger than
// the reserve, or if the reserve is used up before the safe point. The rest of the reserve is for
// writing the profile.
#pragma once

#include "base/types.hpp"

namespace reserve {

// `last_words` saves what can be saved; it may allocate.
void set_aside(void (*last_words)());

// Ends the run if memory has run out. Call it only where the measured data are consistent.
void stop_if_used();

// Calls map(bytes, result), which returns whether it could map that many bytes. If it cannot, it is
// called again, first with the client's own resource limit lifted, then with the reserve released.
// If that fails as well, the run ends.
void obtain(const char* purpose, std::size_t bytes, bool (*map)(std::size_t bytes, void* result),
            void* result);

} // namespace reserve
