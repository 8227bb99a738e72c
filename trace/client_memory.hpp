// What the client has in its memory.
#pragma once

#include "base/types.hpp"

// 0: nothing is there that may be read.
GuestAddr client_word(GuestAddr address);
