/* Requests by which a program controls aprof-trms while running under it:

     #include <valgrind/aprof.h>
     ...
     APROF_START();
     serve_requests();
     APROF_DUMP_AT("after the first load");

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
#ifndef VALGRIND_APROF_H
#define VALGRIND_APROF_H

#include <valgrind/valgrind.h>

/* Part of the interface between compiled programs and the tool: the order must not change. */
typedef enum {
  VG_USERREQ__APROF_START = VG_USERREQ_TOOL_BASE('A', 'P'),
  VG_USERREQ__APROF_STOP,
  VG_USERREQ__APROF_TOGGLE,
  VG_USERREQ__APROF_ZERO,
  VG_USERREQ__APROF_DUMP,
  VG_USERREQ__APROF_DUMP_AT,
  VG_USERREQ__APROF_INSTRUMENTATION
} AprofRequest;

#define APROF_REQUEST(number, argument)                                                            \
  VALGRIND_DO_CLIENT_REQUEST_STMT(number, argument, 0, 0, 0, 0)

/* START records the activations that begin from now on, in all threads; STOP does not; TOGGLE
   switches between the two. An activation is recorded completely or not at all: pending ones are
   not affected. Recording is on when the program starts, unless run with --collect-at-start=no. */
#define APROF_START() APROF_REQUEST(VG_USERREQ__APROF_START, 0)
#define APROF_STOP() APROF_REQUEST(VG_USERREQ__APROF_STOP, 0)
#define APROF_TOGGLE() APROF_REQUEST(VG_USERREQ__APROF_TOGGLE, 0)

/* Resets all numbers to zero. Activations that are pending now are not recorded. */
#define APROF_ZERO() APROF_REQUEST(VG_USERREQ__APROF_ZERO, 0)

/* Writes the profile so far to FILE.dump1, FILE.dump2..., where FILE is that of --aprof-out-file.
   The profile contains `name` (a string). Numbers are not reset: see APROF_ZERO. */
#define APROF_DUMP() APROF_REQUEST(VG_USERREQ__APROF_DUMP, 0)
#define APROF_DUMP_AT(name) APROF_REQUEST(VG_USERREQ__APROF_DUMP_AT, (name))

/* Switch instrumentation on and off. Without it, the program runs about as fast as under
   --tool=none, and only system calls are observed. Activations that are pending when it is switched
   off count as unfinished; those that are pending when it is switched on are not seen. See also
   --instr-at-start=no. */
#define APROF_START_INSTRUMENTATION() APROF_REQUEST(VG_USERREQ__APROF_INSTRUMENTATION, 1)
#define APROF_STOP_INSTRUMENTATION() APROF_REQUEST(VG_USERREQ__APROF_INSTRUMENTATION, 0)

#endif
