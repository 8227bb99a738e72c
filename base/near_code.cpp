#include "base/near_code.hpp"

// Of the core, beyond what tools are meant to call.
extern "C" {
SysRes vgPlain_am_mmap_anon_fixed_client(Addr start, SizeT bytes, UInt protection);
Bool vgPlain_am_covered_by_single_free_segment(Addr start, SizeT bytes);
}

namespace near_code {
namespace {

constexpr std::size_t kLeast = std::size_t{8} << 20; // a sector has 13 MB or 21 MB
constexpr Addr kRegion = Addr{1} << 32;
constexpr Addr kForPrograms = Addr{1} << 31; // the lower half: brk, MAP_32BIT, and the tool

// Between free pages, so that it stays a segment of its own. Null: nowhere.
Addr find_room(std::size_t bytes) {
  const Addr region = reinterpret_cast<Addr>(&map) & ~(kRegion - 1);
  const std::size_t with_gaps = bytes + std::size_t{2} * VKI_PAGE_SIZE;
  if (with_gaps > kForPrograms)
    return 0;
  for (Addr start = region + kRegion - with_gaps; start >= region + kForPrograms; start -= kLeast)
    if (vgPlain_am_covered_by_single_free_segment(start, with_gaps))
      return start + VKI_PAGE_SIZE;
  return 0;
}

} // namespace

bool map(std::size_t bytes, SysRes& mapped) {
  if (bytes < kLeast)
    return false;
  const Addr start = find_room(VG_PGROUNDUP(bytes));
  if (start == 0)
    return false;
  mapped = vgPlain_am_mmap_anon_fixed_client(start, bytes,
                                             VKI_PROT_READ | VKI_PROT_WRITE | VKI_PROT_EXEC);
  if (sr_isError(mapped))
    return false;
  // The core gives no such place to itself, only to the program; but it is the core's, who may
  // unmap it and is not to have another mapped over it.
  const_cast<NSegment*>(VG_(am_find_nsegment)(start))->kind = SkAnonV;
  return true;
}

} // namespace near_code
