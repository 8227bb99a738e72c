#include "trace/debug_info/dwarf_locations.hpp"

#include "trace/debug_info/dwarf_ranges.hpp"

using namespace dwarf;

namespace {

// A damaged list may have no end.
constexpr int kMostEntries = 1 << 12;

// Finds the place at `address`; none if the list does not contain the address, 0 if the list cannot
// be understood. Returns true if more of the list would not change the result.
bool find(Cursor at, const DwarfUnit& unit, u64 address, std::optional<u8>& place) {
  RangeReader ranges(unit, RangeReader::Of::locations, at);
  for (int entry = 0; entry < kMostEntries; entry++) {
    CodeRange range;
    const RangeReader::Entry next = ranges.next(range);
    if (at.has_failed())
      return false;
    if (next == RangeReader::Entry::end)
      place.reset();
    if (next == RangeReader::Entry::end || next == RangeReader::Entry::unknown)
      return true;
    if (next == RangeReader::Entry::other)
      continue;
    const u64 length = RangeReader::has_pairs(unit) ? at.number(2) : at.uleb();
    const u8* const expression = at.at();
    at.skip(length);
    if (at.has_failed())
      return false;
    if (range.begin <= address && address < range.end) {
      place = place_of(expression, length);
      return true;
    }
  }
  return true;
}

} // namespace

u8 place_of(const u8* expression, u64 length) {
  if (length == 0)
    return 0;
  return length == 1 || *expression == DW_OP_fbreg ? *expression : 0;
}

std::optional<u8> place_at(DwarfFile& file, const DwarfUnit& unit, u64 locations, u64 address) {
  const ElfFile::Section& section =
      RangeReader::has_pairs(unit) ? file.locations : file.location_lists;
  std::optional<u8> place = 0;
  file.read(section, locations, [&](Cursor at) {
    place = 0;
    return find(at, unit, address, place);
  });
  return place;
}
