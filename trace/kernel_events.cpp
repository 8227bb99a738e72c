#include "trace/kernel_events.hpp"

#include "base/vector.hpp"
#include "trace/double_mappings.hpp"
#include "trace/sink.hpp"
#include "trace/threads.hpp"
#include "trace/unreported_accesses.hpp"

#include <algorithm>

namespace kernel_events {
namespace {

// Constants of the kernel's interface that Valgrind's headers lack.
constexpr UWord kDontNeed = 4; // MADV_DONTNEED
constexpr UWord kDontNeedLocked = 24;

// System calls

// For some system calls the core overstates an access: it reports a whole buffer as written
// although the kernel may have written less, or a word as read that only serves as a key. This is
// the buffer of a thread's current call.
struct Overstated {
  enum class Written : u8 { result_bytes, nothing };
  Addr buffer = 0; // 0: nothing is overstated
  Written written = Written::nothing;
  bool is_read = true;
};
Vector<Overstated>* overstated; // by ThreadId; null: nobody listens

Overstated overstated_by_core(UInt number, const UWord* arguments) {
  using enum Overstated::Written;
  switch (number) {
  // The core reports the whole buffer.
  case __NR_recvfrom: return {arguments[1], result_bytes};
  case __NR_sched_getaffinity: return {arguments[2], result_bytes};
  case __NR_futex:
    switch (arguments[1] & ~UWord{VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME}) {
    case VKI_FUTEX_LOCK_PI:
    case VKI_FUTEX_UNLOCK_PI:
    case VKI_FUTEX_TRYLOCK_PI: return {};
    case VKI_FUTEX_WAKE:
    case VKI_FUTEX_WAKE_BITSET:
    case VKI_FUTEX_WAKE_OP:
    case VKI_FUTEX_REQUEUE: return {arguments[0], nothing, false}; // the word is only a key
    }
    return {arguments[0], nothing}; // the word is compared
  }
  return {};
}

const Overstated* overstated_of(ThreadId tid, Addr address) {
  const bool known = tid < overstated->size() && (*overstated)[tid].buffer == address;
  return known && address != 0 ? &(*overstated)[tid] : nullptr;
}

bool is_only_key(ThreadId tid, Addr address) {
  const Overstated* of = overstated_of(tid, address);
  return of != nullptr && !of->is_read;
}

void reads(CorePart part, ThreadId tid, const HChar*, Addr address, SizeT bytes) {
  if (part != Vg_CoreSysCall || bytes == 0 || is_only_key(tid, address) ||
      !VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ))
    return; // the kernel will refuse it
  threads::make_current(tid);
  sink::kernel_read(address, bytes);
}

void reads_string(CorePart part, ThreadId tid, const HChar* what, Addr address) {
  SizeT length = 0; // including the terminator
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
  // ldconfig maps objects, too, but as data.
  const HChar* name = VG_(basename)(object);
  return VG_(strncmp)(name, "ld-", 3) == 0 || VG_(strncmp)(name, "ld.so", 5) == 0;
}

bool is_elf(const HChar* path) {
  const Int file = VG_(fd_open)(path, VKI_O_RDONLY, 0);
  if (file < 0)
    // Deleted, or readable by its owner only.
    return false;
  HChar magic[4] = {};
  const bool elf = VG_(read)(file, magic, sizeof magic) == sizeof magic &&
                   VG_(strncmp)(magic, "\177ELF", 4) == 0;
  VG_(close)(file);
  return elf;
}

// Whether a mapping may show what others have written: a file, or System V shared memory.
bool shows_data(const NSegment& segment) {
  if (segment.kind != SkFileC)
    return segment.kind == SkShmC;
  const HChar* path = VG_(am_get_filename)(&segment);
  return path == nullptr || VG_(strcmp)(path, "/dev/zero") != 0; // /dev/zero means anonymous memory
}

// Whether the new mapping is of an object that the dynamic linker maps for execution.
bool is_program(const NSegment& segment) {
  const ThreadId tid = VG_(get_running_tid)();
  if (tid == VG_INVALID_THREADID || !in_dynamic_linker(VG_(get_IP)(tid)))
    return false;
  const HChar* path = VG_(am_get_filename)(&segment);
  return path != nullptr && is_elf(path);
}

// Independent of the protection: unreadable memory may become readable by mprotect, which therefore
// needs no event.
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

// madvise has dropped the pages: they will be zeroes, or be read from the file again. (Shared
// anonymous memory keeps its contents, but the core cannot tell it from other memory.)
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

u64 rings; // io_urings, whose accesses the core does not report

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
