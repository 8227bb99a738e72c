// Reads the client's memory.
#pragma once

#include "base/types.hpp"

// Returns 0 if there is no readable word at the address.
GuestAddr client_word(GuestAddr address);
