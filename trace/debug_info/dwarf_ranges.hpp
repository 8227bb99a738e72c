// Range lists: the pieces of an entry's code, as addresses in the object's file. A location list
// has the same format, with an expression after each range.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/dwarf_unit.hpp"

struct CodeRange {
  u64 begin;
  u64 end;
};

// Reads a range list or a location list from a cursor, which fails if the list is cut off.
class RangeReader {
public:
  enum class Of : u8 { ranges, locations };
  enum class Entry : u8 {
    range,
    other, // affects the ranges that follow
    end,
    unknown, // of a later DWARF version
  };

  RangeReader(const DwarfUnit& unit, Of of, Cursor& at)
      : unit_(unit), of_(of), at_(at), base_(unit.first().low) {}

  // Reads the next entry, and stores it if it is a range. In a location list the cursor is then at
  // its expression, and must be moved behind it before the next call.
  Entry next(CodeRange& range) { return has_pairs(unit_) ? pair(range) : entry(range); }

  // Whether lists have the format before version 5, of .debug_ranges and .debug_loc.
  static bool has_pairs(const DwarfUnit& unit) { return unit.header().format.version < 5; }

private:
  Entry pair(CodeRange& range);
  Entry entry(CodeRange& range);

  const DwarfUnit& unit_;
  const Of of_;
  Cursor& at_;
  u64 base_;
};

// Appends the ranges in the order of the list, or the single range of an entry that has no list.
void read_ranges(DwarfFile& file, const DwarfUnit& unit, const DwarfUnit::Entry& entry,
                 Vector<CodeRange>& to);
