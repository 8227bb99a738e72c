#include "trace/double_mappings.hpp"

#include "base/vector.hpp"

namespace double_mappings {
namespace {

struct Attached {
  UWord segment; // System V's
  Addr address;
};
Vector<Attached>* attached; // null: no segment was ever attached
u64 found;

bool shows_pages_of(const NSegment& one, const NSegment& other) {
  return one.dev == other.dev && one.ino == other.ino &&
         one.offset < other.offset + static_cast<Long>(other.end - other.start + 1) &&
         other.offset < one.offset + static_cast<Long>(one.end - one.start + 1);
}

// Whether a mapping shares its pages with another one, and one of both is writable.
bool is_elsewhere(const NSegment& mapped) {
  Vector<Addr> starts("trace.double_mappings");
  // The result is negative if there is too little room: the number needed.
  Int count = -64;
  while (count < 0) {
    starts.resize(static_cast<std::size_t>(-count));
    count = VG_(am_get_segment_starts)(SkFileC, starts.begin(), -count);
  }
  for (Int i = 0; i < count; i++) {
    const NSegment* other = VG_(am_find_nsegment)(starts[static_cast<std::size_t>(i)]);
    if (other != nullptr && other->start != mapped.start && shows_pages_of(mapped, *other) &&
        (mapped.hasW || other->hasW))
      return true;
  }
  return false;
}

void mapped_shared(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  if (segment != nullptr && segment->kind == SkFileC && is_elsewhere(*segment))
    found++;
}

void attaches(UWord segment, Addr address) {
  if (attached == nullptr)
    attached = create<Vector<Attached>>("trace.double_mappings", "trace.double_mappings");
  for (const Attached& other : *attached)
    if (other.segment == segment) {
      found++;
      break;
    }
  attached->push_back({segment, address});
}

void detaches(Addr address) {
  if (attached == nullptr)
    return;
  for (std::size_t i = 0; i < attached->size(); i++)
    if ((*attached)[i].address == address)
      return attached->swap_remove(i);
}

} // namespace

void after_system_call(UInt number, const UWord* arguments, Addr result) {
  constexpr UWord kShared = VKI_MAP_SHARED;
  if (number == __NR_mmap && (arguments[3] & (kShared | VKI_MAP_ANONYMOUS)) == kShared)
    mapped_shared(result);
  else if (number == __NR_shmat)
    attaches(arguments[0], result);
  else if (number == __NR_shmdt)
    detaches(arguments[0]);
}

u64 count() { return found; }

} // namespace double_mappings
