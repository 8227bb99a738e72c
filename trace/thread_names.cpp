#include "trace/thread_names.hpp"

#include "trace/threads.hpp"

namespace thread_names {
namespace {

bool is_listening = false;

void name_thread(ClientThread& thread, const char* name, SizeT length) {
  SizeT i = 0;
  for (; i < length && i + 1 < sizeof thread.name && name[i] != 0; i++)
    thread.name[i] = name[i];
  thread.name[i] = 0;
}

// pthread_setname_np for another thread writes to /proc/self/task/TID/comm.
void name_by_comm_file(Int file, const char* name, SizeT length) {
  char link[64];
  char path[64];
  VG_(snprintf)(link, sizeof link, "/proc/self/fd/%d", file);
  const SSizeT bytes = VG_(readlink)(link, path, sizeof path - 1);
  if (bytes <= 0)
    return;
  path[bytes] = 0;
  const char* task = VG_(strstr)(path, "/task/");
  if (VG_(strncmp)(path, "/proc/", 6) != 0 || task == nullptr)
    return;
  HChar* rest;
  const Long lwp = VG_(strtoll10)(task + 6, &rest);
  if (VG_(strcmp)(rest, "/comm") != 0)
    return;
  for (ClientThread* thread : threads::all())
    if (!thread->levels.empty() && thread->lwp == lwp)
      name_thread(*thread, name, length);
}

} // namespace

void listen() { is_listening = true; }

void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (!is_listening || sr_isError(result))
    return;
  if (number == __NR_prctl && arguments[0] == VKI_PR_SET_NAME) {
    if (ClientThread* thread = threads::find(tid))
      name_thread(*thread, reinterpret_cast<const char*>(arguments[1]), sizeof thread->name);
  } else if (number == __NR_write && arguments[2] < sizeof ClientThread::name) {
    name_by_comm_file(static_cast<Int>(arguments[0]), reinterpret_cast<const char*>(arguments[1]),
                      arguments[2]);
  }
}

} // namespace thread_names
