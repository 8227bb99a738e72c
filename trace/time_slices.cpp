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

void let_others_run(const ClientThread& thread) {
  const UInt begin = VG_(read_millisecond_timer)();
  do {
    latest = nullptr;
    VG_(vg_yield)();
    account();
    if (VG_(read_millisecond_timer)() - begin > kLongestWait)
      give_up(thread);
  } while (is_ahead(thread));
}

} // namespace

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

void starts_running(ThreadId tid) {
  if (!wanted)
    return;
  highest = std::max(highest, tid);
  ClientThread& thread = *threads::find(tid);
  account();
  if (std::exchange(thread.waits, false) && latest != nullptr) // it has not fallen behind
    thread.executed = std::max(thread.executed, latest->executed);
  if (&thread != latest || since - checked >= kMostAhead) {
    if (is_ahead(thread))
      let_others_run(thread);
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
  // The core counts down the blocks that are left to the running thread.
  constexpr PtrdiffT kCounter = offsetof(VexGuestAMD64State, host_EvC_COUNTER);
  const ThreadId tid = VG_(get_running_tid)();
  u32 left;
  VG_(get_shadow_regs_area)(tid, reinterpret_cast<UChar*>(&left), 0, kCounter, sizeof left);
  if (left > kWhole - kShort)
    return;
  left = 0;
  VG_(set_shadow_regs_area)(tid, 0, kCounter, sizeof left, reinterpret_cast<UChar*>(&left));
}

} // namespace time_slices
