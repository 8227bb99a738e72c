// Where in the object's file the code of an entry lies that has several pieces.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

struct CodeRange {
  u64 begin;
  u64 end;
};

// In the order of the list; one for an entry with one piece.
void read_ranges(DwarfFile& file, const DwarfUnit& unit, const DwarfUnit::Entry& entry,
                 Vector<CodeRange>& to);
