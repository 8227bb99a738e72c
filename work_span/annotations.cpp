#include "work_span/annotations.hpp"

#include "trace/threads.hpp"
#include "work_span/cilkshadow.h"
#include "work_span/order/thread_edges.hpp"
#include "work_span/runtimes/annotated_tasks.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/state/state.hpp"

namespace annotations {
namespace {

using shadow::Thread;

void unmatched() { shadow::mistakes().unmatched++; }

void runtime(Thread& thread, bool begins) {
  if (!begins && thread.tasks.schedulers == 0)
    unmatched();
  else
    thread.tasks.schedulers += begins ? 1 : -1;
}

void write_so_far(GuestAddr to) {
  const shadow::Extent now = named_regions::so_far();
  if (VG_(am_is_valid_for_client)(to, sizeof now, VKI_PROT_WRITE))
    *reinterpret_cast<shadow::Extent*>(to) = now;
  else
    shadow::mistakes().refused++;
}

} // namespace

Bool handle(ThreadId tid, UWord* arguments, UWord* result) {
  if (!VG_IS_TOOL_USERREQ('C', 'S', arguments[0]))
    return False;
  *result = 0;
  threads::make_current(tid);
  shadow::account();
  Thread& thread = *shadow::running();
  const GuestAddr object = arguments[1];
  switch (arguments[0]) {
  case VG_USERREQ__CILKSHADOW_HAPPENS_BEFORE: thread_edges::release(object); return True;
  case VG_USERREQ__CILKSHADOW_HAPPENS_AFTER: thread_edges::acquire(object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_CREATE: annotated_tasks::create(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_BEGIN: annotated_tasks::begin(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_END: annotated_tasks::end(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_TASK_WAIT: annotated_tasks::wait_for(thread, object); return True;
  case VG_USERREQ__CILKSHADOW_RUNTIME_BEGIN: runtime(thread, true); return True;
  case VG_USERREQ__CILKSHADOW_RUNTIME_END: runtime(thread, false); return True;
  case VG_USERREQ__CILKSHADOW_REGION_BEGIN: named_regions::begin(object); return True;
  case VG_USERREQ__CILKSHADOW_REGION_END: named_regions::end(object); return True;
  case VG_USERREQ__CILKSHADOW_WORK_SPAN: write_so_far(object); return True;
  case VG_USERREQ__CILKSHADOW_WORK_SPAN_DUMP: named_regions::add(object, arguments[2]); return True;
  default: shadow::mistakes().newer++; return True;
  }
}

} // namespace annotations
