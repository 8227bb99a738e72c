#include "trace/futex_events.hpp"

#include "trace/threads.hpp"

namespace futex_events {
namespace {

void (*before_futex)(GuestAddr, u64); // null: no tool listens
void (*after_futex)(GuestAddr, u64, bool);
void (*giving_way)(bool);

} // namespace

void listen(void (*before)(GuestAddr, u64), void (*after)(GuestAddr, u64, bool),
            void (*gives_way)(bool)) {
  before_futex = before;
  after_futex = after;
  giving_way = gives_way;
}

void before_system_call(ThreadId tid, UInt number, const UWord* arguments) {
  const bool sleeps = number == __NR_nanosleep || number == __NR_clock_nanosleep;
  if (before_futex == nullptr || !(number == __NR_futex || number == __NR_sched_yield || sleeps))
    return;
  threads::make_current(tid);
  if (number == __NR_futex)
    before_futex(arguments[0], arguments[1]);
  else
    giving_way(sleeps);
}

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (number != __NR_futex || after_futex == nullptr)
    return;
  threads::make_current(tid);
  after_futex(arguments[0], arguments[1], !sr_isError(result));
}

} // namespace futex_events
