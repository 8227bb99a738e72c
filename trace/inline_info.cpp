#include "trace/inline_info.hpp"

#include "base/pattern.hpp"

namespace inline_info {
namespace {

bool wanted = false;

// The dynamic linker maps all of a file, and then its parts over that. With the one that is written
// to, the core reads debug info.
bool is_in_c_library(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  const HChar* path = segment == nullptr ? nullptr : VG_(am_get_filename)(segment);
  return path != nullptr && matches(VG_(basename)(path), {"libc.so*", "libc-*.so"});
}

} // namespace

void want() {
  wanted = true;
  VG_(clo_read_inline_info) = True;
}

void before_system_call(UInt number, const UWord* arguments) {
  if (wanted && number == __NR_mmap && is_in_c_library(arguments[0]))
    VG_(clo_read_inline_info) = False;
}

void after_system_call(UInt number) {
  if (wanted && number == __NR_mmap)
    VG_(clo_read_inline_info) = True;
}

} // namespace inline_info
