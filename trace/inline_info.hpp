// What compilers inlined, by the DWARF of an object or, where that is elsewhere, by the core, which
// can read it with a file's other debug info.
//
// Of the C library that takes 0.07 s in each run, and who asks is interested in what programs
// inline. So it is left out there. (Valgrind 3.21 and later read it when somebody first asks for
// debug info of the file, which is after that.)
#pragma once

#include "base/valgrind.hpp"
#include "base/vector.hpp"

namespace inline_info {

// Before the client's files are mapped.
void want();

// From system_calls.cpp.
void before_system_call(UInt number, const UWord* arguments);
void after_system_call(UInt number);

// A function of the source that has the code at an address: the routine there, or one inlined into
// it.
struct Frame {
  const char* function;  // kept for the whole run; null: unknown
  const char* file_name; // the same, as the core tells it, perhaps without folders
  u32 file;              // as routines->files() has it; 0: unknown
  u32 line;              // of the code, or of the call that was inlined; 0: unknown
};
Vector<Frame> frames_at(GuestAddr address); // outermost first, at least one

// The function of the source that has the code at `address`, if it was inlined into the routine
// there; null otherwise. Kept for the whole run.
const char* inlined_at(GuestAddr address);

} // namespace inline_info
