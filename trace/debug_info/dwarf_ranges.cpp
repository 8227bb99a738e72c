#include "trace/debug_info/dwarf_ranges.hpp"

using namespace dwarf;

namespace {

// Of .debug_ranges, before version 5: pairs of addresses.
bool read_pairs(Cursor at, const DwarfUnit& unit, Vector<CodeRange>& to) {
  const unsigned bytes = unit.header().format.address_bytes;
  const u64 base_follows = bytes == 8 ? ~u64{0} : 0xFFFFFFFF;
  u64 base = unit.first().low;
  while (!at.has_failed()) {
    const u64 begin = at.number(bytes);
    const u64 end = at.number(bytes);
    if (begin == base_follows)
      base = end;
    else if (begin == 0 && end == 0)
      return !at.has_failed();
    else if (!at.has_failed())
      to.push_back({base + begin, base + end});
  }
  return false;
}

// Of .debug_rnglists.
bool read_list(Cursor at, const DwarfUnit& unit, Vector<CodeRange>& to) {
  const unsigned bytes = unit.header().format.address_bytes;
  const auto indexed = [&] { return unit.address(DW_FORM_addrx, at.uleb()); };
  u64 base = unit.first().low;
  while (!at.has_failed()) {
    u64 begin = 0;
    u64 end = 0;
    switch (at.number(1)) {
    case DW_RLE_end_of_list: return !at.has_failed();
    case DW_RLE_base_addressx: base = indexed(); continue;
    case DW_RLE_base_address: base = at.number(bytes); continue;
    case DW_RLE_startx_endx:
      begin = indexed();
      end = indexed();
      break;
    case DW_RLE_startx_length:
      begin = indexed();
      end = begin + at.uleb();
      break;
    case DW_RLE_offset_pair:
      begin = base + at.uleb();
      end = base + at.uleb();
      break;
    case DW_RLE_start_end:
      begin = at.number(bytes);
      end = at.number(bytes);
      break;
    case DW_RLE_start_length:
      begin = at.number(bytes);
      end = begin + at.uleb();
      break;
    default: return true; // of a later version
    }
    if (!at.has_failed())
      to.push_back({begin, end});
  }
  return false;
}

} // namespace

void read_ranges(DwarfFile& file, const DwarfUnit& unit, const DwarfUnit::Entry& entry,
                 Vector<CodeRange>& to) {
  to.clear();
  if (!entry.ranges) {
    to.push_back({entry.low, entry.high});
    return;
  }
  const bool pairs = unit.header().format.version < 5;
  file.read(pairs ? file.ranges : file.range_lists, *entry.ranges, [&](Cursor at) {
    to.clear();
    return pairs ? read_pairs(at, unit, to) : read_list(at, unit, to);
  });
}
