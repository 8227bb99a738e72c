// Debug info of what compilers inlined, which the core can read with a file's other debug info.
//
// Of the C library that takes 0.07 s in each run, and who asks is interested in what programs
// inline. So it is left out there. (Valgrind 3.21 and later read it when somebody first asks for
// debug info of the file, which is after that.)
#pragma once

#include "base/valgrind.hpp"

namespace inline_info {

// Before the client's files are mapped.
void want();

// What the core tells of every system call.
void before_system_call(UInt number, const UWord* arguments);
void after_system_call(UInt number);

} // namespace inline_info
