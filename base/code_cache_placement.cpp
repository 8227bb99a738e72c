#include "base/code_cache_placement.hpp"

// Functions of the core that are not part of its interface for tools.
extern "C" {
SysRes vgPlain_am_mmap_anon_fixed_client(Addr start, SizeT bytes, UInt protection);
Bool vgPlain_am_covered_by_single_free_segment(Addr start, SizeT bytes);
}

namespace code_cache_placement {
namespace {

constexpr std::size_t kLeastSector = std::size_t{8} << 20; // sectors have 13 MB or 21 MB
constexpr Addr kRegion = Addr{1} << 32;
// The lower 2 GB are left to the client (brk, MAP_32BIT) and the tool.
constexpr Addr kLowerHalf = Addr{1} << 31;

// Returns 0 if there is no room. One free page on either side keeps the core from merging the
// mapping with a neighbouring segment.
Addr find_room(std::size_t bytes) {
  const Addr region = reinterpret_cast<Addr>(&map) & ~(kRegion - 1);
  const std::size_t with_gaps = bytes + std::size_t{2} * VKI_PAGE_SIZE;
  if (with_gaps > kLowerHalf)
    return 0;
  for (Addr start = region + kRegion - with_gaps; start >= region + kLowerHalf;
       start -= kLeastSector)
    if (vgPlain_am_covered_by_single_free_segment(start, with_gaps))
      return start + VKI_PAGE_SIZE;
  return 0;
}

} // namespace

bool map(std::size_t bytes, SysRes& mapped) {
  if (bytes < kLeastSector)
    return false;
  const Addr start = find_room(VG_PGROUNDUP(bytes));
  if (start == 0)
    return false;
  mapped = vgPlain_am_mmap_anon_fixed_client(start, bytes,
                                             VKI_PROT_READ | VKI_PROT_WRITE | VKI_PROT_EXEC);
  if (sr_isError(mapped))
    return false;
  // The core offers fixed mappings for the client only. This memory is the core's own: it may unmap
  // it, and must not map anything else over it.
  const_cast<NSegment*>(VG_(am_find_nsegment)(start))->kind = SkAnonV;
  return true;
}

} // namespace code_cache_placement
