// What happens when memory runs out, as it does where there is a limit (ulimit -v): the run ends,
// but what was measured is written.
//
// A reserve of address space is set aside; nothing of it is touched. The first request of the tool
// or of the core that fails lets most of it go and is served from that, so that whatever was under
// way completes; at the next safe point the run ends. Only a request that is larger, or that finds
// this used up before the safe point, ends the run where it is. The rest is for the last words.
#pragma once

#include "base/types.hpp"

namespace reserve {

// `last_words` saves what can be saved; it may allocate.
void keep(void (*last_words)());

// To be called where what was measured is consistent: ends the run if memory has run out.
void stop_if_used();

// Has `map` map as many bytes and store where; it returns whether it could. If not, it is called
// again: with the limit lifted that the client set on itself, then with the reserve let go.
void obtain(const char* purpose, std::size_t bytes, bool (*map)(std::size_t bytes, void* result),
            void* result);

} // namespace reserve
