#include "trace/kernel_events.hpp"

#include "base/vector.hpp"
#include "trace/double_mappings.hpp"
#include "trace/sink.hpp"
#include "trace/threads.hpp"
#include "trace/unreported_accesses.hpp"

#include <algorithm>

namespace kernel_events {
namespace {

// Of the kernel's interface, and not in Valgrind's headers.
constexpr UWord kDontNeed = 4; // MADV_DONTNEED
constexpr UWord kDontNeedLocked = 24;

// System calls

// For some system calls the core reports a buffer as written of which the kernel may have written
// less, or a word as read that is but a name to it. Which one, of the call that a thread is in.
struct Overstated {
  enum class Written : u8 { result_bytes, nothing };
  Addr buffer = 0; // 0: all that is reported is written
  Written written = Written::nothing;
  bool is_read = true;
};
Vector<Overstated>* overstated; // by ThreadId; null: nobody listens

Overstated overstated_by_core(UInt number, const UWord* arguments) {
  using enum Overstated::Written;
  switch (number) {
  case __NR_recvfrom: // all that there was room for
    return {arguments[1], result_bytes};
  case __NR_sched_getaffinity: return {arguments[2], result_bytes};
  case __NR_futex:
    switch (arguments[1] & ~UWord{VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME}) {
    case VKI_FUTEX_LOCK_PI:
    case VKI_FUTEX_UNLOCK_PI:
    case VKI_FUTEX_TRYLOCK_PI: return {};
    case VKI_FUTEX_WAKE:
    case VKI_FUTEX_WAKE_BITSET:
    case VKI_FUTEX_WAKE_OP:
    case VKI_FUTEX_REQUEUE: return {arguments[0], nothing, false}; // a name to wait at
    }
    return {arguments[0], nothing}; // compared
  }
  return {};
}

const Overstated* overstated_of(ThreadId tid, Addr address) {
  const bool known = tid < overstated->size() && (*overstated)[tid].buffer == address;
  return known && address != 0 ? &(*overstated)[tid] : nullptr;
}

bool is_but_a_name(ThreadId tid, Addr address) {
  const Overstated* of = overstated_of(tid, address);
  return of != nullptr && !of->is_read;
}

void reads(CorePart part, ThreadId tid, const HChar*, Addr address, SizeT bytes) {
  if (part != Vg_CoreSysCall || bytes == 0 || is_but_a_name(tid, address) ||
      !VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ))
    return; // the kernel will refuse it
  threads::make_current(tid);
  sink::kernel_read(address, bytes);
}

void reads_string(CorePart part, ThreadId tid, const HChar* what, Addr address) {
  SizeT length = 0; // with the terminator
  for (Addr page_end = 0;; length++) {
    if (address + length >= page_end) {
      if (!VG_(am_is_valid_for_client)(address + length, 1, VKI_PROT_READ))
        return;
      page_end = VG_PGROUNDDN(address + length) + VKI_PAGE_SIZE;
    }
    if (reinterpret_cast<const char*>(address)[length] == 0)
      break;
  }
  reads(part, tid, what, address, length + 1);
}

SizeT result_of_system_call(ThreadId tid) {
  SizeT result;
  VG_(get_shadow_regs_area)
  (tid, reinterpret_cast<UChar*>(&result), 0, offsetof(VexGuestAMD64State, guest_RAX),
   sizeof result);
  return result;
}

void written(CorePart part, ThreadId tid, Addr address, SizeT bytes) {
  if (part != Vg_CoreSysCall && part != Vg_CoreSignal)
    return;
  if (const Overstated* of = overstated_of(tid, address); of != nullptr && part == Vg_CoreSysCall)
    bytes = of->written == Overstated::Written::nothing
                ? 0
                : std::min(bytes, result_of_system_call(tid));
  if (bytes == 0)
    return;
  threads::make_current(tid);
  sink::kernel_write(address, bytes);
}

// Mappings

bool in_dynamic_linker(Addr code) {
  const HChar* object;
  if (!VG_(get_objname)(VG_(current_DiEpoch)(), code, &object))
    return false;
  const HChar* name = VG_(basename)(object); // ldconfig maps objects, too: its data
  return VG_(strncmp)(name, "ld-", 3) == 0 || VG_(strncmp)(name, "ld.so", 5) == 0;
}

bool is_elf(const HChar* path) {
  const Int file = VG_(fd_open)(path, VKI_O_RDONLY, 0);
  if (file < 0)
    return false; // deleted, or its owner's only
  HChar magic[4] = {};
  const bool elf = VG_(read)(file, magic, sizeof magic) == sizeof magic &&
                   VG_(strncmp)(magic, "\177ELF", 4) == 0;
  VG_(close)(file);
  return elf;
}

// Whether a mapping shows what others wrote: a file, or shared memory of System V.
bool shows_data(const NSegment& segment) {
  if (segment.kind != SkFileC)
    return segment.kind == SkShmC;
  const HChar* path = VG_(am_get_filename)(&segment);
  return path == nullptr || VG_(strcmp)(path, "/dev/zero") != 0; // another name of no file at all
}

// Whether the mapping just made is of an object that the dynamic linker maps to run it.
bool is_program(const NSegment& segment) {
  const ThreadId tid = VG_(get_running_tid)();
  if (tid == VG_INVALID_THREADID || !in_dynamic_linker(VG_(get_IP)(tid)))
    return false;
  const HChar* path = VG_(am_get_filename)(&segment);
  return path != nullptr && is_elf(path);
}

// Whatever the protection: what cannot be read now can after mprotect, which so needs no event.
void mapped(Addr address, SizeT bytes, Bool, Bool, Bool, ULong debug_info) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  if (debug_info == 0 && segment != nullptr && shows_data(*segment) && !is_program(*segment))
    sink::map_external(address, bytes);
  else
    sink::forget(address, bytes);
}

void unmapped(Addr address, SizeT bytes) {
  sink::forget(address, bytes);
  threads::unmapped(address, bytes);
}
void break_grew(Addr address, SizeT bytes, ThreadId) { sink::forget(address, bytes); }
void moved(Addr from, Addr to, SizeT bytes) { sink::move(from, to, bytes); }

// madvise dropped the pages: what comes next is zeroes, or delivered from the file again. (Shared
// anonymous memory keeps its contents, but the core does not tell it apart.)
void dropped(Addr address, SizeT bytes) {
  const Addr end = VG_PGROUNDUP(address + bytes);
  while (address < end) {
    const NSegment* segment = VG_(am_find_nsegment)(address);
    if (segment == nullptr)
      return;
    const Addr part_end = std::min(end, segment->end + 1);
    if (segment->kind == SkFileC && shows_data(*segment))
      sink::map_external(address, part_end - address);
    else if (segment->kind != SkShmC)
      sink::forget(address, part_end - address);
    address = part_end;
  }
}

u64 rings; // of io_uring, which the core lets pass

} // namespace

void listen() {
  overstated = create<Vector<Overstated>>("trace.kernel.overstated", "trace.kernel.overstated");
  VG_(track_pre_mem_read)(reads);
  VG_(track_pre_mem_read_asciiz)(reads_string);
  VG_(track_post_mem_write)(written);
  VG_(track_new_mem_mmap)(mapped);
  VG_(track_new_mem_brk)(break_grew);
  VG_(track_die_mem_brk)(unmapped);
  VG_(track_die_mem_munmap)(unmapped);
  VG_(track_copy_mem_remap)(moved);
}

void before_system_call(ThreadId tid, UInt number, const UWord* arguments) {
  if (overstated == nullptr)
    return;
  if (tid >= overstated->size())
    overstated->resize(tid + 1);
  (*overstated)[tid] = overstated_by_core(number, arguments);
  unreported_accesses::before_system_call(tid, number, arguments);
}

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (overstated == nullptr)
    return;
  unreported_accesses::after_system_call(tid, number, arguments, result);
  if (sr_isError(result))
    return;
  double_mappings::after_system_call(number, arguments, sr_Res(result));
  if (number == __NR_madvise && (arguments[2] == kDontNeed || arguments[2] == kDontNeedLocked))
    dropped(arguments[0], arguments[1]);
  else if (number == __NR_io_uring_setup)
    rings++;
}

u64 io_urings() { return rings; }

} // namespace kernel_events
