// Tells which functions are inlined at an address: from the object's DWARF or, where that is in a
// separate file, from the core, which reads it with the file's other debug info.
//
// The core's inline information costs 0.07 s per run for the C library alone and 0.03 s for the
// tool itself, and only what programs inline is of interest. So it is not read for these. (Valgrind
// 3.21 and later read a file's debug info when it is first needed, which is later than this
// switch.)
#pragma once

#include "base/valgrind.hpp"
#include "base/vector.hpp"

namespace inline_info {

// Call before the client's files are mapped.
void want();

// A source function that the code at an address comes from: the routine there, or one inlined into
// it.
struct Frame {
  const char* function;  // valid for the whole run; null: unknown
  const char* file_name; // likewise; as the core returns it, perhaps without folders
  u32 file;              // number in routines->files(); 0: unknown
  u32 line;              // of the code, or of the call that was inlined; 0: unknown
};
using Frames = Vector<Frame>;        // outermost first
Frames frames_at(GuestAddr address); // never empty
// Whether debug info has a line or an inlined function of the address. Cheaper than its frames.
bool has_source(GuestAddr address);
// Names of functions are equal if their text is: each entry of the debug info may have its own.
bool same_text(const char* a, const char* b);
// Whether both are of the same file, even if its folders are given differently.
bool same_file_name(const char* a, const char* b);
// Number of outermost frames that are of the same functions, called from the same lines; `most` at
// most.
std::size_t shared(const Frames& a, const Frames& b, std::size_t most);

// The source function that the code at `address` comes from, if it was inlined into the routine
// there; null otherwise. Valid for the whole run.
const char* inlined_at(GuestAddr address);

} // namespace inline_info
