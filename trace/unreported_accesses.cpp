#include "trace/unreported_accesses.hpp"

#include "trace/sink.hpp"
#include "trace/threads.hpp"

#include <algorithm>

namespace unreported_accesses {
namespace {

// Constants of the kernel's interface that Valgrind's headers lack.
constexpr UWord kClearsTid = 0x00200000; // CLONE_CHILD_CLEARTID
constexpr UWord kMostPieces = 1024;      // UIO_MAXIOV

Addr cleared_of_child; // by the clone that is under way

void reads(Addr address, SizeT bytes) {
  if (address != 0 && bytes > 0 && VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ))
    sink::kernel_read(address, bytes);
}

void writes(Addr address, SizeT bytes) {
  if (address != 0 && bytes > 0 && VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_WRITE))
    sink::kernel_write(address, bytes);
}

// Several pieces of memory, as readv and writev take them.
struct Pieces {
  const vki_iovec* first;
  UWord count;

  Pieces(UWord at, UWord many) : first(reinterpret_cast<const vki_iovec*>(at)), count(many) {
    if (many > kMostPieces || !VG_(am_is_valid_for_client)(at, many * sizeof *first, VKI_PROT_READ))
      count = 0; // the kernel will refuse them
  }
  SizeT bytes() const {
    SizeT sum = 0;
    for (UWord i = 0; i < count; i++)
      sum += first[i].iov_len;
    return sum;
  }
  // Visits the first `bytes` bytes of them.
  void each(SizeT bytes, void (*take)(Addr, SizeT)) const {
    for (UWord i = 0; i < count && bytes > 0; i++) {
      const SizeT part = std::min<SizeT>(bytes, first[i].iov_len);
      take(reinterpret_cast<Addr>(first[i].iov_base), part);
      bytes -= part;
    }
  }
};

bool is_this_process(UWord pid) { return static_cast<Int>(pid) == VG_(getpid)(); }

} // namespace

void before_system_call(ThreadId tid, UInt number, const UWord* arguments) {
  if (number == __NR_sendfile) {
    threads::make_current(tid);
    reads(arguments[2], sizeof(ULong));
  } else if (number == __NR_process_vm_readv && is_this_process(arguments[0])) {
    threads::make_current(tid);
    Pieces(arguments[3], arguments[4]).each(Pieces(arguments[1], arguments[2]).bytes(), reads);
  } else if (number == __NR_clone && (arguments[0] & kClearsTid) != 0)
    cleared_of_child = arguments[3];
}

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  cleared_of_child = 0;
  if (sr_isError(result))
    return;
  if (number == __NR_splice || number == __NR_copy_file_range) {
    threads::make_current(tid);
    writes(arguments[1], sizeof(ULong));
    writes(arguments[3], sizeof(ULong));
  } else if (number == __NR_process_vm_writev && is_this_process(arguments[0])) {
    threads::make_current(tid);
    Pieces(arguments[3], arguments[4]).each(sr_Res(result), writes);
  } else if (number == __NR_set_tid_address)
    threads::find(tid)->cleared_at_end = arguments[0];
}

void created(ClientThread& child) { child.cleared_at_end = cleared_of_child; }

void ends(const ClientThread& thread) { writes(thread.cleared_at_end, sizeof(Int)); }

} // namespace unreported_accesses
