/* Requests of a program to the tool it runs under:

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

/* From here on activations that begin are recorded (START), are not (STOP), or the other way round
   than before (TOGGLE), in all threads. An activation is recorded whole or not at all: one that is
   pending stays what it is. A program starts recording, unless run with --collect-at-start=no. */
#define APROF_START() APROF_REQUEST(VG_USERREQ__APROF_START, 0)
#define APROF_STOP() APROF_REQUEST(VG_USERREQ__APROF_STOP, 0)
#define APROF_TOGGLE() APROF_REQUEST(VG_USERREQ__APROF_TOGGLE, 0)

/* Forgets all numbers so far. Activations that are pending are not recorded. */
#define APROF_ZERO() APROF_REQUEST(VG_USERREQ__APROF_ZERO, 0)

/* Writes the profile so far to FILE.dump1, FILE.dump2..., where FILE is what --aprof-out-file says,
   with `name` (a string) in it. Numbers go on from where they are: see APROF_ZERO. */
#define APROF_DUMP() APROF_REQUEST(VG_USERREQ__APROF_DUMP, 0)
#define APROF_DUMP_AT(name) APROF_REQUEST(VG_USERREQ__APROF_DUMP_AT, (name))

/* Without instrumentation the program runs about as fast as under --tool=none, and nothing is seen
   but system calls. Activations pending when it is switched off count as unfinished; what is
   pending when it is switched on is not seen. See also --instr-at-start=no. */
#define APROF_START_INSTRUMENTATION() APROF_REQUEST(VG_USERREQ__APROF_INSTRUMENTATION, 1)
#define APROF_STOP_INSTRUMENTATION() APROF_REQUEST(VG_USERREQ__APROF_INSTRUMENTATION, 0)

#endif
