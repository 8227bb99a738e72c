#include "trace/futex_events.hpp"

#include "trace/threads.hpp"

namespace futex_events {
namespace {

void (*before_futex)(GuestAddr, u64); // null: nobody wants to know
void (*after_futex)(GuestAddr, u64, bool);

} // namespace

void listen(void (*before)(GuestAddr, u64), void (*after)(GuestAddr, u64, bool)) {
  before_futex = before;
  after_futex = after;
}

void before_system_call(ThreadId tid, UInt number, const UWord* arguments) {
  if (number != __NR_futex || before_futex == nullptr)
    return;
  threads::make_current(tid);
  before_futex(arguments[0], arguments[1]);
}

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (number != __NR_futex || after_futex == nullptr)
    return;
  threads::make_current(tid);
  after_futex(arguments[0], arguments[1], !sr_isError(result));
}

} // namespace futex_events
