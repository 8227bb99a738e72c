#include "trace/time_slices.hpp"

#include "trace/clock.hpp"

#include <algorithm>
#include <utility>

extern "C" {
#include "pub_tool_libcproc.h"
}

namespace time_slices {
namespace {

constexpr u32 kWhole = 100000;     // blocks, of the core's slices
constexpr u32 kShort = 5000;       // blocks
constexpr u64 kMostAhead = 30000;  // instructions, or blocks, if only these are counted
constexpr UInt kLongestWait = 100; // milliseconds

bool wanted = false;
ClientThread* latest; // to run; null: it has ended
u64 since;            // when it began to run
u64 checked;          // when it was last compared with the others
bool gives_way;       // who releases the lock; may be read by another that comes for it
ThreadId highest = 0;

// What was executed since then was executed by the latest thread.
void account() {
  const u64 now = client_clock::counted();
  if (latest != nullptr)
    latest->executed += now - since;
  since = now;
}

bool is_behind(const ClientThread& thread, const ClientThread& other) {
  return thread.executed + kMostAhead < other.executed;
}

bool is_ahead(const ClientThread& thread) {
  for (ThreadId tid = 1; tid <= highest; tid++)
    if (const ClientThread* other = threads::find(tid))
      if (!other->waits && is_behind(*other, thread))
        return true;
  return false;
}

// Those that are behind have not come: they cannot run, as after a fork.
void give_up(const ClientThread& ahead) {
  for (ThreadId tid = 1; tid <= highest; tid++)
    if (ClientThread* other = threads::find(tid))
      other->waits |= is_behind(*other, ahead);
}

// The core counts down the blocks that are left to the running thread.
constexpr PtrdiffT kLeft = offsetof(VexGuestAMD64State, host_EvC_COUNTER);

u32 blocks_left(ThreadId tid) {
  u32 left;
  VG_(get_shadow_regs_area)(tid, reinterpret_cast<UChar*>(&left), 0, kLeft, sizeof left);
  return left;
}

void leave(ThreadId tid, u32 blocks) {
  VG_(set_shadow_regs_area)(tid, 0, kLeft, sizeof blocks, reinterpret_cast<UChar*>(&blocks));
}

// Lets it execute one block, after which the core releases the lock. That must not be done here:
// the block that the core has looked up may be discarded by others, and the process may end.
void give_way(ThreadId tid, ClientThread& thread) {
  const UInt now = VG_(read_millisecond_timer)();
  if (!thread.gives_way || latest != &thread) { // another has run
    thread.gives_way = true;
    thread.gives_way_since = now;
  } else if (now - thread.gives_way_since > kLongestWait) {
    give_up(thread);
  }
  leave(tid, 1);
  __atomic_store_n(&gives_way, true, __ATOMIC_RELAXED);
}

} // namespace

extern "C" {
struct sched_lock;
void __real_vgModuleLocal_acquire_sched_lock(sched_lock*);

// Without --fair-sched=yes, who has released the lock often takes it again before those who wait.
void __wrap_vgModuleLocal_acquire_sched_lock(sched_lock* lock) {
  if (__atomic_exchange_n(&gives_way, false, __ATOMIC_RELAXED))
    VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
  __real_vgModuleLocal_acquire_sched_lock(lock);
}
}

void want() { wanted = true; }

void created(ClientThread& thread, const ClientThread* creator) {
  thread.executed = creator == nullptr ? 0 : creator->executed;
}

void ended(const ClientThread& thread) {
  if (!wanted)
    return;
  account();
  if (latest == &thread)
    latest = nullptr;
}

void forked(ThreadId tid) {
  for (ThreadId other = 1; other <= highest; other++)
    if (ClientThread* gone = other == tid ? nullptr : threads::find(other))
      gone->waits = true;
}

void starts_running(ThreadId tid) {
  if (!wanted)
    return;
  highest = std::max(highest, tid);
  ClientThread& thread = *threads::find(tid);
  account();
  if (std::exchange(thread.waits, false) && latest != nullptr) // it has not fallen behind
    thread.executed = std::max(thread.executed, latest->executed);
  if (thread.gives_way || &thread != latest || since - checked >= kMostAhead) {
    if (is_ahead(thread))
      give_way(tid, thread);
    else
      thread.gives_way = false;
    checked = since;
  }
  latest = &thread;
}

void before_system_call(ThreadId tid, UInt number) {
  ClientThread* thread = threads::find(tid);
  if (thread != nullptr) // who creates a thread gives way, but does not wait
    thread->waits = number != __NR_clone && number != __NR_clone3;
}

void end_if_long() {
  if (!wanted || highest < 2)
    return;
  const ThreadId tid = VG_(get_running_tid)();
  if (blocks_left(tid) <= kWhole - kShort)
    leave(tid, 0);
}

} // namespace time_slices
