/* Cilk's keywords for an ordinary compiler:

     #include <cilk/cilk.h>
     ...
     long x = cilk_spawn fib(n - 1);
     long y = fib(n - 2);
     cilk_sync;

   The program runs serially, like its serial elision. Markers, one no-op each, show
   `valgrind --tool=cilkshadow` what could run in parallel. With CILKSHADOW_SERIAL or cilk_spawn
   itself defined (-Dcilk_spawn=), there are no markers, only the serial elision.

   C99 or later, and C++11 or later, by gcc or clang; amd64. Include it before functions are
   defined.

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
#ifndef CILKSHADOW_CILK_H
#define CILKSHADOW_CILK_H

#if defined __GNUC__ /* no warnings about the expansions of the keywords */
#pragma GCC system_header
#endif

#define _Cilk_spawn cilk_spawn
#define _Cilk_sync cilk_sync
#define _Cilk_scope cilk_scope
#define _Cilk_for cilk_for

#if defined CILKSHADOW_SERIAL || defined cilk_spawn || !defined __GNUC__ || !defined __x86_64__

#ifndef cilk_spawn
#define cilk_spawn
#endif
#ifndef cilk_sync
#define cilk_sync
#endif
#ifndef cilk_scope
#define cilk_scope
#endif
#ifndef cilk_for
#define cilk_for for
#endif
#define cilk_spawn_as(type) cilk_spawn

#else

#include "cilkshadow_marker.h"

#define cilk_sync ((void)CILKSHADOW_MARK(CILKSHADOW_SYNC))

#if defined __cplusplus
#include "cilkshadow_cxx.h"
#else
#include "cilkshadow_c.h"
#endif

#endif

/* OpenCilk's reducers are declared by a type qualifier: `int cilk_reducer(zero, add) sum = 0`.
   Without parallelism, the variable is its only view. */
#define cilk_reducer(identity, reduce)

#endif
