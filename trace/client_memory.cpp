#include "trace/client_memory.hpp"

#include "base/valgrind.hpp"

GuestAddr client_word(GuestAddr address) {
  if (!VG_(am_is_valid_for_client)(address, sizeof address, VKI_PROT_READ))
    return 0;
  return *reinterpret_cast<const GuestAddr*>(address);
}
