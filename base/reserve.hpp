// What happens when memory runs out, as it does where there is a limit (ulimit -v): the run ends,
// but what was measured is written.
//
// A reserve of address space is set aside; nothing of it is touched. The first request of the tool
// or of the core that fails releases most of it and is served from there, so that whatever is under
// way completes; at the next safe point the run ends. Only a request that is larger, or that finds
// the reserve used up before the safe point, ends the run where it is. The rest of the reserve is
// for the last words.
#pragma once

#include "base/types.hpp"

namespace reserve {

// `last_words` saves what can be saved; it may allocate.
void keep(void (*last_words)());

// Ends the run if memory has run out. To be called where what was measured is consistent.
void stop_if_used();

// Calls map(bytes, result), which returns whether it mapped so many bytes. Until it does, it is
// called again: with the limit lifted that the client set on itself, then with the reserve
// released. If that fails as well, the run ends.
void obtain(const char* purpose, std::size_t bytes, bool (*map)(std::size_t bytes, void* result),
            void* result);

} // namespace reserve
