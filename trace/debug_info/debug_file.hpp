// The file with the debug info that was moved out of an object, as Debian's -dbgsym packages and
// debuginfod have it: found by the object's build id or its link, where the core looks, too.
#pragma once

#include "base/vector.hpp"
#include "trace/debug_info/elf_file.hpp"

// Its path; empty if there is none.
Vector<char> debug_file_of(ElfFile& object);

// The object or its debug file, if its debug info is compressed in a way that neither the core nor
// ElfFile knows, as zstd: the core then reads nothing of either, not even symbols. Else empty.
Vector<char> not_inflatable(const char* object);
