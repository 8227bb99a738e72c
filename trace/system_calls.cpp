#include "trace/system_calls.hpp"

#include "base/valgrind.hpp"
#include "trace/channel_events.hpp"
#include "trace/exec_events.hpp"
#include "trace/futex_events.hpp"
#include "trace/kernel_events.hpp"
#include "trace/thread_names.hpp"

namespace system_calls {
namespace {

// Between before() and after(), the core reports the accesses of the system call.
void before(ThreadId tid, UInt number, UWord* arguments, UInt) {
  kernel_events::before_system_call(tid, number, arguments);
  exec_events::before_system_call(number, arguments);
  futex_events::before_system_call(tid, number, arguments);
  channel_events::before_system_call(tid, number, arguments);
}

void after(ThreadId tid, UInt number, UWord* arguments, UInt, SysRes result) {
  futex_events::after_system_call(tid, number, arguments, result);
  channel_events::after_system_call(tid, number, arguments, result);
  exec_events::after_system_call(number, result);
  thread_names::after_system_call(tid, number, arguments, result);
  kernel_events::after_system_call(tid, number, arguments, result);
}

} // namespace

void listen() { VG_(needs_syscall_wrapper)(before, after); }

} // namespace system_calls
