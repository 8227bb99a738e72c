#include "trace/debug_info/dwarf_ranges.hpp"

using namespace dwarf;

namespace {

constexpr u8 kUnknown = 0xFF;

// Maps a DW_RLE_* to the DW_LLE_* of the same meaning: location lists have all kinds of entries
// that range lists have.
u8 of_locations(u8 code) {
  switch (code) {
  case DW_RLE_base_address: return DW_LLE_base_address;
  case DW_RLE_start_end: return DW_LLE_start_end;
  case DW_RLE_start_length: return DW_LLE_start_length;
  // These have the same numbers.
  default: return code <= DW_RLE_offset_pair ? code : kUnknown;
  }
}

} // namespace

RangeReader::Entry RangeReader::pair(CodeRange& range) {
  const unsigned bytes = unit_.header().format.address_bytes;
  const u64 base_follows = bytes == 8 ? ~u64{0} : 0xFFFFFFFF;
  const u64 begin = at_.number(bytes);
  const u64 end = at_.number(bytes);
  if (begin == base_follows) {
    base_ = end;
    return Entry::other;
  }
  if (begin == 0 && end == 0)
    return Entry::end;
  range = {base_ + begin, base_ + end};
  return Entry::range;
}

RangeReader::Entry RangeReader::entry(CodeRange& range) {
  const auto given = [&] { return at_.number(unit_.header().format.address_bytes); };
  const auto indexed = [&] { return unit_.address(DW_FORM_addrx, at_.uleb()); };
  const auto code = static_cast<u8>(at_.number(1));
  switch (of_ == Of::ranges ? of_locations(code) : code) {
  case DW_LLE_end_of_list: return Entry::end;
  case DW_LLE_base_addressx: base_ = indexed(); return Entry::other;
  case DW_LLE_base_address: base_ = given(); return Entry::other;
  case DW_LLE_GNU_view_pair:
    at_.skip_leb();
    at_.skip_leb();
    return Entry::other;
  case DW_LLE_startx_endx:
    range.begin = indexed();
    range.end = indexed();
    return Entry::range;
  case DW_LLE_startx_length:
    range.begin = indexed();
    range.end = range.begin + at_.uleb();
    return Entry::range;
  case DW_LLE_offset_pair:
    range.begin = base_ + at_.uleb();
    range.end = base_ + at_.uleb();
    return Entry::range;
  case DW_LLE_default_location: range = {0, ~u64{0}}; return Entry::range;
  case DW_LLE_start_end:
    range.begin = given();
    range.end = given();
    return Entry::range;
  case DW_LLE_start_length:
    range.begin = given();
    range.end = range.begin + at_.uleb();
    return Entry::range;
  default: return Entry::unknown;
  }
}

void read_ranges(DwarfFile& file, const DwarfUnit& unit, const DwarfUnit::Entry& entry,
                 Vector<CodeRange>& to) {
  to.clear();
  if (!entry.ranges) {
    to.push_back({entry.low, entry.high});
    return;
  }
  const ElfFile::Section& section = RangeReader::has_pairs(unit) ? file.ranges : file.range_lists;
  file.read(section, *entry.ranges, [&](Cursor at) {
    to.clear();
    RangeReader ranges(unit, RangeReader::Of::ranges, at);
    for (;;) {
      CodeRange range;
      const RangeReader::Entry next = ranges.next(range);
      if (at.has_failed())
        return false;
      if (next == RangeReader::Entry::end || next == RangeReader::Entry::unknown)
        return true;
      if (next == RangeReader::Entry::range)
        to.push_back(range);
    }
  });
}
