#include "trace/channel_events.hpp"

#include "base/address_map.hpp"
#include "trace/threads.hpp"

namespace channel_events {
namespace {

void (*before_sending)(u64); // null: no tool listens
void (*after_receiving)(u64);
void (*closed)(u64);
AddressMap<u64>* peers; // of the sockets of pairs, by inode

bool sends(UInt number) {
  switch (number) {
  case __NR_write:
  case __NR_writev:
  // All of them act at the current offset, as channels need.
  case __NR_pwritev2:
  case __NR_sendto:
  case __NR_sendmsg:
  case __NR_sendmmsg:
  case __NR_mq_timedsend: return true;
  default: return false;
  }
}
bool receives(UInt number) {
  switch (number) {
  case __NR_read:
  case __NR_readv:
  case __NR_preadv2:
  case __NR_recvfrom:
  case __NR_recvmsg:
  case __NR_recvmmsg:
  case __NR_mq_timedreceive: return true;
  default: return false;
  }
}

enum class Kind : u64 { pipe, socket, descriptor, signal, queue, sysv_queue, sysv_semaphore };
constexpr u64 kEnd = u64{1} << 62; // marks the end of a channel
u64 channel(Kind kind, u64 id) { return u64{1} << 63 | static_cast<u64>(kind) << 56 | id; }

// Returns 0 if the system call sends no signal.
u64 signal_sent(UInt number, const UWord* arguments) {
  switch (number) {
  case __NR_kill:
  case __NR_tkill:
  case __NR_rt_sigqueueinfo: return channel(Kind::signal, arguments[1]);
  case __NR_tgkill:
  case __NR_rt_tgsigqueueinfo: return channel(Kind::signal, arguments[2]);
  default: return 0;
  }
}

u64* peer_of(u64 inode) { return peers == nullptr ? nullptr : peers->find(inode); }

// The semaphore of a set that a system call raises or lowers first; 0 if there is none.
u64 semaphore_changed(const UWord* arguments, bool raised) {
  struct Operation { // struct sembuf
    u16 number;
    short change;
    short flags;
  };
  const auto* operations = reinterpret_cast<const Operation*>(arguments[1]);
  if (!VG_(am_is_valid_for_client)(arguments[1], arguments[2] * sizeof *operations, VKI_PROT_READ))
    return 0;
  for (UWord i = 0; i < arguments[2]; i++)
    if (raised ? operations[i].change > 0 : operations[i].change < 0)
      return channel(Kind::sysv_semaphore,
                     u64{static_cast<u32>(arguments[0])} << 16 | operations[i].number);
  return 0;
}

// Returns 0 if the system call does not act on an object of System V.
u64 sysv_channel(UInt number, const UWord* arguments, bool sending) {
  switch (number) {
  case __NR_msgsnd: return sending ? channel(Kind::sysv_queue, static_cast<u32>(arguments[0])) : 0;
  case __NR_msgrcv: return sending ? 0 : channel(Kind::sysv_queue, static_cast<u32>(arguments[0]));
  case __NR_semop:
  case __NR_semtimedop: return semaphore_changed(arguments, sending);
  default: return 0;
  }
}

// Returns 0 if the descriptor is no channel.
u64 channel_at(UWord descriptor, bool sending, bool is_queue = false) {
  constexpr u32 kType = 0170000, kPipe = 0010000, kSocket = 0140000, kFile = 0100000, kNone = 0;
  struct vg_stat status;
  if (VG_(fstat)(static_cast<Int>(descriptor), &status) != 0)
    return 0;
  switch (status.mode & kType) {
  case kPipe: return channel(Kind::pipe, status.ino);
  case kFile: return is_queue ? channel(Kind::queue, status.ino) : 0;
  case kNone: return channel(Kind::descriptor, descriptor); // all eventfds have the same inode
  case kSocket: {
    const u64* peer = peer_of(status.ino);
    return peer == nullptr ? 0 : channel(Kind::socket, sending ? *peer : status.ino);
  }
  default: return 0;
  }
}

void set_peer(u64 inode, u64 peer) {
  if (u64* known = peer_of(inode))
    *known = peer;
  else
    peers->insert(inode, peer);
}

void paired(const int* sockets) {
  struct vg_stat ends[2];
  if (VG_(fstat)(sockets[0], &ends[0]) != 0 || VG_(fstat)(sockets[1], &ends[1]) != 0)
    return;
  if (peers == nullptr)
    peers = create<AddressMap<u64>>("trace.channels", "trace.channels");
  set_peer(ends[0].ino, ends[1].ino);
  set_peer(ends[1].ino, ends[0].ino);
}

// Closing a pipe or socket tells the receiver that its end has come. A channel that is identified
// by its descriptor is gone.
void before_end(ThreadId tid, UWord descriptor) {
  const u64 to = channel_at(descriptor, true);
  if (to == channel(Kind::descriptor, descriptor))
    return closed(to);
  if (to != 0) {
    threads::make_current(tid);
    before_sending(to | kEnd);
  }
}

bool is_listening() { return before_sending != nullptr && threads::all().size() > 1; }

} // namespace

void listen(void (*before)(u64), void (*after)(u64), void (*on_close)(u64)) {
  before_sending = before;
  after_receiving = after;
  closed = on_close;
}

void signal_delivered(ThreadId tid, Int number) {
  if (!is_listening())
    return;
  threads::make_current(tid);
  after_receiving(channel(Kind::signal, static_cast<u64>(number)));
}

void before_system_call(ThreadId tid, UInt number, const UWord* arguments) {
  if (!is_listening())
    return;
  if (number == __NR_close || number == __NR_shutdown)
    return before_end(tid, arguments[0]);
  const u64 to = sends(number)
                     ? channel_at(arguments[0], true, number == __NR_mq_timedsend)
                     : signal_sent(number, arguments) | sysv_channel(number, arguments, true);
  if (to != 0) {
    threads::make_current(tid);
    before_sending(to);
  }
}

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (before_sending == nullptr || sr_isError(result))
    return;
  if (number == __NR_socketpair)
    return paired(reinterpret_cast<const int*>(arguments[3]));
  if (!is_listening())
    return;
  const u64 from = receives(number)
                       ? channel_at(arguments[0], false, number == __NR_mq_timedreceive)
                   : number == __NR_rt_sigtimedwait ? channel(Kind::signal, sr_Res(result))
                                                    : sysv_channel(number, arguments, false);
  if (from != 0) {
    threads::make_current(tid);
    after_receiving(from);
    // A message may be empty.
    if (receives(number) && number != __NR_mq_timedreceive && sr_Res(result) == 0)
      after_receiving(from | kEnd);
  }
}

} // namespace channel_events
