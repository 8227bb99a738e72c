// Valgrind's C headers, made usable from C++: those that more than two files need. A file that
// needs others includes them after this one, in its own extern "C" block.
//
// pub_tool_vki.h defines a template under C++, so it and pub_tool_basics.h stay outside the extern
// "C" block. Code that is also compiled hosted, such as the engines, does not include this header:
// it sees Valgrind only through base/check.hpp and base/memory.hpp.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wextern-c-compat"
#endif

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

#define _Static_assert static_assert // pub_tool_guest.h is C11
extern "C" {
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_seqmatch.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vkiscnums.h"
// pub_core_options.h
extern Bool VG_(clo_read_inline_info); // --read-inline-info
extern Bool VG_(clo_demangle);         // --demangle
// pub_core_debuginfo.h
extern Bool VG_(get_fnname_raw)(DiEpoch epoch, Addr address, const HChar** name); // mangled
}
#undef _Static_assert

#pragma GCC diagnostic pop
