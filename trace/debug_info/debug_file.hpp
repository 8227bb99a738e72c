// Finds the separate file with an object's debug info, as Debian's -dbgsym packages and debuginfod
// provide it: by build id or debug link, in the folders where the core looks, too.
#pragma once

#include "base/vector.hpp"
#include "trace/debug_info/elf_file.hpp"

// Its path; empty if there is none.
Vector<char> debug_file_of(ElfFile& object);

// Returns the path of the object or its debug file if its debug info is compressed by a method that
// neither the core nor ElfFile supports, such as zstd; otherwise empty. From such a file the core
// reads nothing, not even symbols.
Vector<char> not_inflatable(const char* object);
