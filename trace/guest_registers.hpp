// Arguments and results of the client's functions, where it calls or returns (System V ABI), and
// where shadows of registers are.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

#include <cstddef>

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace guest {

// The first shadow of registers, where translated code keeps words of ours for each thread.
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

// Of an integer or a pointer, where a function is entered.
inline u64 argument(unsigned i) {
  constexpr std::size_t kOffsets[] = {
      offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
      offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
      offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9)};
  return get(kOffsets[i]);
}

// Where it returns.
inline u64 result() { return get(offsetof(VexGuestAMD64State, guest_RAX)); }

// The stack where a function is entered: the return address, then arguments after the sixth.
inline const u64* stack() {
  return reinterpret_cast<const u64*>(get(offsetof(VexGuestAMD64State, guest_RSP)));
}

inline GuestAddr stack_pointer() { return get(offsetof(VexGuestAMD64State, guest_RSP)); }
inline GuestAddr frame_pointer() { return get(offsetof(VexGuestAMD64State, guest_RBP)); }

// What pthread_self is in the running thread.
inline u64 thread_pointer() { return get(offsetof(VexGuestAMD64State, guest_FS_CONST)); }

} // namespace guest
