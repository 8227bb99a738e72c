// The file with the debug info that was moved out of an object, as Debian's -dbgsym packages and
// debuginfod have it: found by the object's build id or its link, where the core looks, too.
#pragma once

#include "base/vector.hpp"
#include "trace/debug_info/elf_file.hpp"

// Its path; empty if there is none.
Vector<char> debug_file_of(ElfFile& object);
