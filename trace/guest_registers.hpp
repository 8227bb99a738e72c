// Access to the client's registers: arguments and results of its functions where it calls or
// returns (System V ABI), and the offsets of shadow registers.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

#include <cstddef>

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace guest {

// The first set of shadow registers, where translated code keeps the tool's own words for each
// thread.
constexpr Int kShadow = 1;
constexpr Int in_shadow(std::size_t offset) {
  return static_cast<Int>(kShadow * sizeof(VexGuestAMD64State) + offset);
}

inline u64 get(std::size_t offset) {
  u64 value = 0;
  VG_(get_shadow_regs_area)
  (VG_(get_running_tid)(), reinterpret_cast<UChar*>(&value), 0, static_cast<PtrdiffT>(offset),
   sizeof value);
  return value;
}

inline void set(std::size_t offset, u64 value) {
  VG_(set_shadow_regs_area)
  (VG_(get_running_tid)(), 0, static_cast<PtrdiffT>(offset), sizeof value,
   reinterpret_cast<const UChar*>(&value));
}

// The i-th integer or pointer argument, at the entry of a function.
inline u64 argument(unsigned i) {
  constexpr std::size_t kOffsets[] = {
      offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
      offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
      offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9)};
  return get(kOffsets[i]);
}

// The integer result, at the return of a function.
inline u64 result() { return get(offsetof(VexGuestAMD64State, guest_RAX)); }

// The stack at the entry of a function: the return address, then the arguments after the sixth.
inline const u64* stack() {
  return reinterpret_cast<const u64*>(get(offsetof(VexGuestAMD64State, guest_RSP)));
}

inline GuestAddr stack_pointer() { return get(offsetof(VexGuestAMD64State, guest_RSP)); }
inline GuestAddr frame_pointer() { return get(offsetof(VexGuestAMD64State, guest_RBP)); }

// The value of pthread_self in the running thread.
inline u64 thread_pointer() { return get(offsetof(VexGuestAMD64State, guest_FS_CONST)); }

} // namespace guest
