// Which part of the C++ library's headers an instruction comes from, by its line of source: what
// tells a semaphore's std::atomic from a latch's.
#pragma once

#include "trace/routines.hpp"

namespace atomic_sources {

enum class Source : u8 {
  program,
  several_lines, // compilers may have several places of the program share it
  library,       // C++'s, but for those below
  atomics,
  waits,
  semaphores,
  barriers,
  latches,
  futures,
};

Source source_of_file(u32 file); // by its number in routines->files()
Source source_of(GuestAddr instruction);

// The routine that an instruction is in, or is inlined into; null: none that is known.
const Routine* routine_of(GuestAddr instruction);

// Of the routine that runs, one of std::atomic's that is not inlined and has a frame: whether code
// of a std::future or std::latch called it, and whether an address is in its own frame.
enum class Caller : u8 { other, future, latch };
bool is_called_by(Caller caller);
bool is_in_frame(GuestAddr address);

// Whether a routine is std::atomic's, which compilers inline where they inline anything.
bool is_of_atomics(const Routine& routine);

// Whether the program has called a library of such a name, a pattern.
bool has_called(const char* library);

} // namespace atomic_sources
