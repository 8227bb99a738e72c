// The names of the source files that a unit's entries number.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

// Path of file `number` in the unit's line table, as the compiler was told it, with the folder that
// it was run in before what is relative; empty: unknown.
Vector<char> source_file(DwarfFile& file, const DwarfUnit& unit, u32 number);
