// Tells which part of the C++ library's headers an instruction comes from, by its source line. For
// example, this tells a semaphore's std::atomic from a latch's.
#pragma once

#include "trace/routines.hpp"

namespace atomic_sources {

enum class Source : u8 {
  program,
  several_lines, // the code may be shared by several places in the program
  library,       // C++'s, other than those below
  atomics,
  waits,
  semaphores,
  barriers,
  latches,
  futures,
};

Source source_of_file(u32 file); // by its number in routines->files()
Source source_of(GuestAddr instruction);

// The routine that an instruction is in or is inlined into; null if unknown.
const Routine* routine_of(GuestAddr instruction);

// For the running routine, one of std::atomic's that is not inlined and has a frame: whether code
// of a std::future or std::latch called it, and whether an address is in its own frame.
enum class Caller : u8 { other, future, latch };
bool is_called_by(Caller caller);
bool is_in_frame(GuestAddr address);

// Whether a routine is std::atomic's, which is out of line only if the compiler does not inline.
bool is_of_atomics(const Routine& routine);

// Whether the program has called a library whose name matches a pattern.
bool has_called(const char* library);

} // namespace atomic_sources
