/* Requests by which programs with their own scheduler or synchronisation inform cilkshadow:

     #include <valgrind/cilkshadow.h>
     ...
     CILKSHADOW_TASK_CREATE(task);          in the strand that creates it
     push(queue, task);
     ...
     CILKSHADOW_TASK_BEGIN(task);           in the thread that runs it
     task->run(task);
     CILKSHADOW_TASK_END(task);
     ...
     wait_until_done(task);                 in a thread that waits for it
     CILKSHADOW_TASK_WAIT(task);

   Natively, and under other Valgrind tools, a request is a few instructions without effect; with
   NVALGRIND defined, none at all. Needs Valgrind's own <valgrind/valgrind.h>.

   Copyright (C) 2026 the aprof-trms authors. All rights reserved.

   Redistribution and use in source and binary forms, with or without modification, are permitted
   provided that the following conditions are met:

   1. Redistributions of source code must retain the above copyright notice, this list of
      conditions and the following disclaimer.

   2. Redistributions in binary form must reproduce the above copyright notice, this list of
      conditions and the following disclaimer in the documentation and/or other materials provided
      with the distribution.

   THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
   IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
   FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR
   CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
   CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
   SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
   THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR
   OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY
   OF SUCH DAMAGE. */
#ifndef VALGRIND_CILKSHADOW_H
#define VALGRIND_CILKSHADOW_H

#include <valgrind/valgrind.h>

/* Part of the interface between compiled programs and the tool: the order must not change. */
typedef enum {
  VG_USERREQ__CILKSHADOW_HAPPENS_BEFORE = VG_USERREQ_TOOL_BASE('C', 'S'),
  VG_USERREQ__CILKSHADOW_HAPPENS_AFTER,
  VG_USERREQ__CILKSHADOW_TASK_CREATE,
  VG_USERREQ__CILKSHADOW_TASK_BEGIN,
  VG_USERREQ__CILKSHADOW_TASK_END,
  VG_USERREQ__CILKSHADOW_TASK_WAIT,
  VG_USERREQ__CILKSHADOW_RUNTIME_BEGIN,
  VG_USERREQ__CILKSHADOW_RUNTIME_END,
  VG_USERREQ__CILKSHADOW_REGION_BEGIN,
  VG_USERREQ__CILKSHADOW_REGION_END,
  VG_USERREQ__CILKSHADOW_WORK_SPAN, /* cilk/cilkscale.h */
  VG_USERREQ__CILKSHADOW_WORK_SPAN_DUMP
} CilkshadowRequest;

#define CILKSHADOW_REQUEST(number, argument)                                                       \
  VALGRIND_DO_CLIENT_REQUEST_STMT(number, argument, 0, 0, 0, 0)

/* What this thread does before HAPPENS_BEFORE happens before what another thread does after a later
   HAPPENS_AFTER of the same address. HAPPENS_AFTER refers to all earlier HAPPENS_BEFORE of the
   address. For flags, spinning and the like. */
#define CILKSHADOW_HAPPENS_BEFORE(address)                                                         \
  CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_HAPPENS_BEFORE, (address))
#define CILKSHADOW_HAPPENS_AFTER(address)                                                          \
  CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_HAPPENS_AFTER, (address))

/* A task, identified by an address that no other task has until it was waited for. From its
   creation on, it may run in parallel with its creator, and with everything that the thread which
   runs it does before and after. BEGIN and END belong in one function, around the call that
   executes the task; one task may run within another. WAIT belongs behind the wait. */
#define CILKSHADOW_TASK_CREATE(task) CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_TASK_CREATE, (task))
#define CILKSHADOW_TASK_BEGIN(task) CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_TASK_BEGIN, (task))
#define CILKSHADOW_TASK_END(task) CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_TASK_END, (task))
#define CILKSHADOW_TASK_WAIT(task) CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_TASK_WAIT, (task))

/* What this thread executes in between belongs to the scheduler: it is overhead, neither work nor
   span. May be nested. */
#define CILKSHADOW_RUNTIME_BEGIN() CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_RUNTIME_BEGIN, 0)
#define CILKSHADOW_RUNTIME_END() CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_RUNTIME_END, 0)

/* A region of interest, by its name (a string), as often as it is executed. BEGIN and END belong in
   one function. Work, span and burdened span of what this thread executes in between, with what it
   waits for there, are summed by name. Regions may be nested. */
#define CILKSHADOW_REGION_BEGIN(name)                                                              \
  CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_REGION_BEGIN, (name))
#define CILKSHADOW_REGION_END(name) CILKSHADOW_REQUEST(VG_USERREQ__CILKSHADOW_REGION_END, (name))

#endif
