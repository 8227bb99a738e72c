// What the client has in its memory.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

// 0: nothing is there that may be read.
inline GuestAddr client_word(GuestAddr address) {
  if (!VG_(am_is_valid_for_client)(address, sizeof address, VKI_PROT_READ))
    return 0;
  return *reinterpret_cast<const GuestAddr*>(address);
}
