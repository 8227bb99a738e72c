#include "trace/channel_events.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/vector.hpp"
#include "trace/threads.hpp"

#include <algorithm>
#include <utility>

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

enum class Kind : u64 {
  pipe,
  socket,
  descriptor,
  signal,
  queue,
  sysv_queue,
  raised_semaphore,
  lowered_semaphore,
  set_of_semaphores, // that was given values as a whole
};
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

// Returns 0 if the system call neither sends nor receives a message of System V.
u64 sysv_queue(UInt number, const UWord* arguments, bool sending) {
  return number == (sending ? __NR_msgsnd : __NR_msgrcv)
             ? channel(Kind::sysv_queue, static_cast<u32>(arguments[0]))
             : 0;
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

void send(ThreadId tid, u64 to) {
  threads::make_current(tid);
  before_sending(to);
}
void receive(ThreadId tid, u64 from) {
  threads::make_current(tid);
  after_receiving(from);
}

// Closing a pipe or socket tells the receiver that its end has come. A channel that is identified
// by its descriptor is gone.
void before_end(ThreadId tid, UWord descriptor) {
  const u64 to = channel_at(descriptor, true);
  if (to == channel(Kind::descriptor, descriptor))
    return closed(to);
  if (to != 0)
    send(tid, to | kEnd);
}

// Queues and semaphores of System V
//
// Who lowers one comes after those who have raised it, and who waits for zero after those who have
// lowered it; both come after those who have set its value.

u64 semaphore(Kind kind, UWord set, UWord number) {
  return channel(kind, u64{static_cast<u32>(set)} << 16 | static_cast<u16>(number));
}
u64 set_of_semaphores(UWord set) { return channel(Kind::set_of_semaphores, static_cast<u32>(set)); }

// A thread that has been handed a message may return from its system call after the queue has been
// removed. So the channels of an object are closed once no thread is in a call that acts on it.

struct SysvObjects {
  Vector<u64> acted_on{"trace.channels"};       // by ThreadId: the object, by its channel; 0: none
  Vector<u64> removed{"trace.channels"};        // and not closed
  AddressMap<u32> semaphores{"trace.channels"}; // of a set, how many from 0 on were acted on
};
Lazy<SysvObjects> sysv_objects{"trace.channels"};

void note_semaphore(UWord set, u16 number) {
  u32& known = sysv_objects->semaphores.at(set_of_semaphores(set));
  known = std::max(known, u32{number} + 1);
}

// Returns 0 if the system call does not act on an object of System V.
u64 sysv_object(UInt number, const UWord* arguments) {
  switch (number) {
  case __NR_msgsnd:
  case __NR_msgrcv:
  case __NR_msgctl: return channel(Kind::sysv_queue, static_cast<u32>(arguments[0]));
  case __NR_semop:
  case __NR_semtimedop:
  case __NR_semctl: return set_of_semaphores(arguments[0]);
  default: return 0;
  }
}

bool removes(UInt number, const UWord* arguments) {
  constexpr u32 kRemove = 0; // IPC_RMID
  const auto command = static_cast<u32>(arguments[number == __NR_semctl ? 2 : 1]);
  return (number == __NR_semctl || number == __NR_msgctl) &&
         (command & ~u32{VKI_IPC_64}) == kRemove;
}

void close_object(u64 object) {
  closed(object);
  if (const u32* semaphores = sysv_objects->semaphores.find(object)) {
    for (u32 number = 0; number < *semaphores; number++)
      for (const Kind kind : {Kind::raised_semaphore, Kind::lowered_semaphore})
        closed(semaphore(kind, static_cast<u32>(object), number)); // the set's id
    sysv_objects->semaphores.remove(object);
  }
}

void begin_call_on(ThreadId tid, u64 object) {
  Vector<u64>& acted_on = sysv_objects->acted_on;
  if (acted_on.size() <= tid)
    acted_on.resize(tid + 1);
  acted_on[tid] = object;
}

void end_call(ThreadId tid, bool has_removed) {
  SysvObjects& of = *sysv_objects;
  if (tid >= of.acted_on.size())
    return;
  if (const u64 object = std::exchange(of.acted_on[tid], 0); has_removed)
    of.removed.push_back(object);
  for (std::size_t i = of.removed.size(); i-- > 0;)
    if (const u64 object = of.removed[i];
        std::find(of.acted_on.begin(), of.acted_on.end(), object) == of.acted_on.end()) {
      close_object(object);
      of.removed.swap_remove(i);
    }
}

bool operates_on_semaphores(UInt number) {
  return number == __NR_semop || number == __NR_semtimedop;
}

// The kernel takes the number of operations as 32 bits, and no more than 500 by default.
template <typename Visit> void for_each_operation(const UWord* arguments, Visit visit) {
  constexpr u32 kMost = 32'000;
  const u32 count = static_cast<u32>(arguments[2]);
  const auto* operations = reinterpret_cast<const vki_sembuf*>(arguments[1]);
  if (count > kMost ||
      !VG_(am_is_valid_for_client)(arguments[1], count * sizeof *operations, VKI_PROT_READ))
    return;
  for (u32 i = 0; i < count; i++)
    visit(operations[i]);
}

void before_operations(ThreadId tid, const UWord* arguments) {
  for_each_operation(arguments, [&](const vki_sembuf& one) {
    note_semaphore(arguments[0], one.sem_num);
    if (one.sem_op != 0)
      send(tid, semaphore(one.sem_op > 0 ? Kind::raised_semaphore : Kind::lowered_semaphore,
                          arguments[0], one.sem_num));
  });
}
void after_operations(ThreadId tid, const UWord* arguments) {
  for_each_operation(arguments, [&](const vki_sembuf& one) {
    if (one.sem_op > 0)
      return;
    receive(tid, semaphore(one.sem_op < 0 ? Kind::raised_semaphore : Kind::lowered_semaphore,
                           arguments[0], one.sem_num));
    receive(tid, set_of_semaphores(arguments[0]));
  });
}

// Arguments: (set, number, command, value)
void before_control(ThreadId tid, const UWord* arguments) {
  const UWord command = arguments[2] & ~UWord{VKI_IPC_64};
  if (command == VKI_SETALL)
    return send(tid, set_of_semaphores(arguments[0]));
  if (command != VKI_SETVAL)
    return;
  note_semaphore(arguments[0], static_cast<u16>(arguments[1]));
  send(tid, semaphore(Kind::raised_semaphore, arguments[0], arguments[1]));
  send(tid, semaphore(Kind::lowered_semaphore, arguments[0], arguments[1]));
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
  receive(tid, channel(Kind::signal, static_cast<u64>(number)));
}

void before_system_call(ThreadId tid, UInt number, const UWord* arguments) {
  if (!is_listening())
    return;
  if (number == __NR_close || number == __NR_shutdown)
    return before_end(tid, arguments[0]);
  if (const u64 object = sysv_object(number, arguments); object != 0)
    begin_call_on(tid, object);
  if (operates_on_semaphores(number))
    return before_operations(tid, arguments);
  if (number == __NR_semctl)
    return before_control(tid, arguments);
  const u64 to = sends(number)
                     ? channel_at(arguments[0], true, number == __NR_mq_timedsend)
                     : signal_sent(number, arguments) | sysv_queue(number, arguments, true);
  if (to != 0)
    send(tid, to);
}

namespace {

void after_success(ThreadId tid, UInt number, const UWord* arguments, UWord result) {
  if (number == __NR_socketpair)
    return paired(reinterpret_cast<const int*>(arguments[3]));
  if (!is_listening())
    return;
  if (operates_on_semaphores(number))
    return after_operations(tid, arguments);
  const u64 from = receives(number)
                       ? channel_at(arguments[0], false, number == __NR_mq_timedreceive)
                   : number == __NR_rt_sigtimedwait ? channel(Kind::signal, result)
                                                    : sysv_queue(number, arguments, false);
  if (from != 0) {
    receive(tid, from);
    // A message may be empty.
    if (receives(number) && number != __NR_mq_timedreceive && result == 0)
      after_receiving(from | kEnd);
  }
}

} // namespace

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (before_sending == nullptr)
    return;
  const bool succeeded = !sr_isError(result);
  if (succeeded)
    after_success(tid, number, arguments, sr_Res(result));
  if (is_listening() && sysv_object(number, arguments) != 0)
    end_call(tid, succeeded && removes(number, arguments));
}

} // namespace channel_events
