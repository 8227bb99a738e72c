#include "trace/threads.hpp"

#include "trace/call_events.hpp"

#include <algorithm>

extern "C" {
#include "pub_tool_xarray.h"
}

namespace threads {

Level* current = nullptr;

namespace {

Vector<ClientThread*>* everyone; // by ThreadIndex - 1
ClientThread** by_tid;           // by Valgrind's ThreadId, null when not alive
ThreadId running = VG_INVALID_THREADID;

void add_level(ClientThread& thread) {
  auto* level = create<Level>("trace.thread.level");
  level->is_handler = !thread.levels.empty();
  level->logical = sink::start_thread(thread.index);
  thread.levels.push_back(level);
}

void use_level(ClientThread& thread) {
  current = &thread.level();
  sink::switch_thread(current->logical);
}

void say_how_threads_take_turns() {
  if (VG_(clo_verbosity) > 0 && VG_(strcmp)(fair_scheduling(), "no") == 0)
    VG_(umsg)("several threads: with --fair-sched=try they take turns as they do natively\n");
}

void created(ThreadId creator, ThreadId child) {
  auto* thread = create<ClientThread>("trace.thread");
  everyone->push_back(thread);
  if (everyone->size() == 2)
    say_how_threads_take_turns();
  thread->index = ThreadIndex{static_cast<u32>(everyone->size())};
  thread->creator = ThreadIndex::none;
  if (ClientThread* parent = find(creator)) {
    thread->creator = parent->index;
    const CallStack& calls = parent->level().calls;
    constexpr std::size_t kLongest = 100; // of a recursion a million deep
    for (std::size_t i = calls.depth() - std::min(calls.depth(), kLongest); i < calls.depth(); i++)
      thread->created_in.push_back(calls[i].routine);
    VG_(memcpy)(thread->name, parent->name, sizeof thread->name); // as the kernel does
  }
  add_level(*thread);
  by_tid[child] = thread;
}

void ended(ThreadId tid) {
  ClientThread* thread = find(tid);
  if (thread == nullptr)
    return;
  for (Level* level : thread->levels) {
    sink::end_thread(level->logical);
    destroy(level);
  }
  thread->levels.clear();
  by_tid[tid] = nullptr;
  if (running == tid) {
    running = VG_INVALID_THREADID;
    current = nullptr;
  }
}

void starts_running(ThreadId tid, ULong) {
  make_current(tid);
  if (!current->begun) {
    current->begun = true;
    current->first_sp = VG_(get_SP)(tid);
    by_tid[tid]->lwp = VG_(gettid)();
    current->calls.begin(routines->called(VG_(get_IP)(tid)), current->first_sp);
  }
}

void handler_starts(ThreadId tid, Int, Bool) {
  make_current(tid);
  ClientThread& thread = *by_tid[tid];
  if (thread.active == thread.levels.size())
    add_level(thread);
  thread.active++;
  thread.level().begun = false;
  use_level(thread);
}

void drop_level(ClientThread& thread) {
  thread.level().calls.end_all();
  thread.level().binding_slot = 0;
  thread.active--;
  use_level(thread);
}

void handler_returned(ThreadId tid, Int) {
  make_current(tid);
  ClientThread& thread = *by_tid[tid];
  if (thread.active > 1)
    drop_level(thread);
}

} // namespace

void listen() {
  everyone = create<Vector<ClientThread*>>("trace.threads", "trace.threads");
  const std::size_t bytes = VG_N_THREADS * sizeof(ClientThread*);
  by_tid = static_cast<ClientThread**>(allocate("trace.threads", bytes));
  VG_(memset)(by_tid, 0, bytes);
  VG_(track_pre_thread_ll_create)(created);
  VG_(track_pre_thread_ll_exit)(ended);
  VG_(track_start_client_code)(starts_running);
  VG_(track_pre_deliver_signal)(handler_starts);
  VG_(track_post_deliver_signal)(handler_returned);
}

// The core tells its tools by its arguments only.
const char* fair_scheduling() {
  constexpr char kOption[] = "--fair-sched=";
  const char* value = "no";
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
    const char* argument = *static_cast<HChar**>(VG_(indexXA)(VG_(args_for_valgrind), i));
    if (VG_(strncmp)(argument, kOption, sizeof kOption - 1) == 0)
      value = argument + sizeof kOption - 1;
  }
  return value;
}

ClientThread* find(ThreadId tid) {
  return tid == VG_INVALID_THREADID || tid >= VG_N_THREADS ? nullptr : by_tid[tid];
}

const Vector<ClientThread*>& all() { return *everyone; }

void make_current(ThreadId tid) {
  if (tid == running)
    return;
  running = tid;
  use_level(*by_tid[tid]);
}

void leave_handlers_below(GuestAddr sp) {
  ClientThread& thread = *by_tid[running];
  const Addr alt_begin = VG_(thread_get_altstack_min)(running);
  const Addr alt_end = alt_begin + VG_(thread_get_altstack_size)(running);
  while (thread.active > 1) {
    const Level& level = thread.level();
    const bool on_alt_stack = alt_begin <= level.first_sp && level.first_sp < alt_end;
    // After its own return, the handler's stack pointer is one word above its first.
    const bool left = on_alt_stack ? sp < alt_begin || alt_end < sp : sp > level.first_sp + 8;
    if (!left)
      return;
    drop_level(thread);
  }
}

} // namespace threads
