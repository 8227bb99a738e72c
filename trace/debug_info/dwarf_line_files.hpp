// The source files that a unit's entries refer to by number.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

// Returns the path of file `number` in the unit's line table, as it was passed to the compiler. A
// relative path is joined to the folder in which the compiler ran. Empty if unknown.
Vector<char> source_file(DwarfFile& file, const DwarfUnit& unit, u32 number);
