#include "trace/exec_events.hpp"

namespace exec_events {
namespace {

void (*before_exec)();
void (*exec_failed)();

// Most failing execs come from searching the folders of PATH for a program.
bool file_exists(UWord path) {
  struct vg_stat unused;
  return VG_(am_is_valid_for_client)(path, 1, VKI_PROT_READ) &&
         !sr_isError(VG_(stat)(reinterpret_cast<const HChar*>(path), &unused));
}

} // namespace

void listen(void (*on_exec)(), void (*on_failed_exec)()) {
  before_exec = on_exec;
  exec_failed = on_failed_exec;
}

void before_system_call(UInt number, const UWord* arguments) {
  if (number == __NR_execveat || (number == __NR_execve && file_exists(arguments[0])))
    before_exec();
}

void after_system_call(UInt number, SysRes result) {
  if (sr_isError(result) && (number == __NR_execve || number == __NR_execveat))
    exec_failed();
}

} // namespace exec_events
