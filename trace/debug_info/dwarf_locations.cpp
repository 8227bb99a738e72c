#include "trace/debug_info/dwarf_locations.hpp"

using namespace dwarf;

namespace {

constexpr int kMostEntries = 1 << 12; // a damaged list may have no end

// From one list or the other: the place at `address`; none: the list does not say. It is 0 as long
// as the list is not understood. True: more of it would tell no more.
bool find_in_pairs(Cursor at, const DwarfUnit& unit, u64 address, std::optional<u8>& place) {
  const unsigned bytes = unit.header().format.address_bytes;
  const u64 base_follows = bytes == 8 ? ~u64{0} : 0xFFFFFFFF;
  u64 base = unit.first().low;
  for (int entry = 0; entry < kMostEntries; entry++) {
    const u64 begin = at.number(bytes);
    const u64 end = at.number(bytes);
    if (at.has_failed())
      return false;
    if (begin == base_follows) {
      base = end;
      continue;
    }
    if (begin == 0 && end == 0) {
      place.reset();
      return true;
    }
    const u64 length = at.number(2);
    const u8* const expression = at.at();
    at.skip(length);
    if (base + begin <= address && address < base + end && !at.has_failed()) {
      place = place_of(expression, length);
      return true;
    }
  }
  return true;
}

bool find_in_list(Cursor at, const DwarfUnit& unit, u64 address, std::optional<u8>& place) {
  const unsigned bytes = unit.header().format.address_bytes;
  const auto indexed = [&] { return unit.address(DW_FORM_addrx, at.uleb()); };
  u64 base = unit.first().low;
  for (int entry = 0; entry < kMostEntries && !at.has_failed(); entry++) {
    u64 begin = 0;
    u64 end = ~u64{0};
    switch (at.number(1)) {
    case DW_LLE_end_of_list:
      if (!at.has_failed())
        place.reset();
      return !at.has_failed();
    case DW_LLE_base_addressx: base = indexed(); continue;
    case DW_LLE_base_address: base = at.number(bytes); continue;
    case DW_LLE_GNU_view_pair:
      at.skip_leb();
      at.skip_leb();
      continue;
    case DW_LLE_startx_endx:
      begin = indexed();
      end = indexed();
      break;
    case DW_LLE_startx_length:
      begin = indexed();
      end = begin + at.uleb();
      break;
    case DW_LLE_offset_pair:
      begin = base + at.uleb();
      end = base + at.uleb();
      break;
    case DW_LLE_default_location: break;
    case DW_LLE_start_end:
      begin = at.number(bytes);
      end = at.number(bytes);
      break;
    case DW_LLE_start_length:
      begin = at.number(bytes);
      end = begin + at.uleb();
      break;
    default: return true; // of a later version
    }
    const u64 length = at.uleb();
    const u8* const expression = at.at();
    at.skip(length);
    if (begin <= address && address < end && !at.has_failed()) {
      place = place_of(expression, length);
      return true;
    }
  }
  return !at.has_failed();
}

} // namespace

u8 place_of(const u8* expression, u64 length) {
  if (length == 0)
    return 0;
  return length == 1 || *expression == DW_OP_fbreg ? *expression : 0;
}

std::optional<u8> place_at(DwarfFile& file, const DwarfUnit& unit, u64 locations, u64 address) {
  const bool pairs = unit.header().format.version < 5;
  std::optional<u8> place = 0;
  file.read(pairs ? file.locations : file.location_lists, locations, [&](Cursor at) {
    place = 0;
    return pairs ? find_in_pairs(at, unit, address, place) : find_in_list(at, unit, address, place);
  });
  return place;
}
