// Where in the object's file the code of an entry lies that has several pieces: as a list of ranges
// says. A list of locations is the same, with an expression behind each range.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

struct CodeRange {
  u64 begin;
  u64 end;
};

// Reads one list or the other from a cursor, which has failed if that is cut off.
class RangeReader {
public:
  enum class Of : u8 { ranges, locations };
  enum class Entry : u8 {
    range,
    other, // says something of ranges to come
    end,
    unknown, // of a later version
  };

  RangeReader(const DwarfUnit& unit, Of of, Cursor& at)
      : unit_(unit), of_(of), at_(at), base_(unit.first().low) {}

  // Stores a range. In a list of locations the cursor is at its expression then, and has to be
  // behind that before the next entry.
  Entry next(CodeRange& range) { return has_pairs(unit_) ? pair(range) : entry(range); }

  // Before version 5, in .debug_ranges and .debug_loc.
  static bool has_pairs(const DwarfUnit& unit) { return unit.header().format.version < 5; }

private:
  Entry pair(CodeRange& range);
  Entry entry(CodeRange& range);

  const DwarfUnit& unit_;
  const Of of_;
  Cursor& at_;
  u64 base_;
};

// In the order of the list; one for an entry with one piece.
void read_ranges(DwarfFile& file, const DwarfUnit& unit, const DwarfUnit::Entry& entry,
                 Vector<CodeRange>& to);
