#include "trace/debug_info/dwarf_unit.hpp"

#include "base/valgrind.hpp"

using namespace dwarf;

std::optional<DwarfUnitHeader> DwarfUnitHeader::read(DwarfFile& file, u64 offset) {
  DwarfUnitHeader header;
  header.offset = offset;
  bool understood = false;
  file.read(file.info, offset, [&](Cursor at) {
    const u8* const begin = at.at();
    u64 length = at.number(4);
    if (length == 0xFFFFFFFF) {
      header.format.offset_bytes = 8;
      length = at.number(8);
    }
    header.end = offset + static_cast<u64>(at.at() - begin) + length;
    header.format.version = static_cast<u16>(at.number(2));
    if (header.format.version >= 5) {
      header.type = static_cast<u8>(at.number(1));
      header.format.address_bytes = static_cast<u8>(at.number(1));
      header.abbreviations = at.number(header.format.offset_bytes);
      if (header.type == DW_UT_skeleton)
        at.skip(8); // identifies a unit in another file
    } else {
      header.abbreviations = at.number(header.format.offset_bytes);
      header.format.address_bytes = static_cast<u8>(at.number(1));
    }
    header.entries = offset + static_cast<u64>(at.at() - begin);
    const u16 version = header.format.version;
    const u8 address = header.format.address_bytes;
    understood = !at.has_failed() && 2 <= version && version <= 5 &&
                 (address == 4 || address == 8) &&
                 header.end > header.entries; // a damaged length may wrap around
    return true;
  });
  return understood ? std::optional(header) : std::nullopt;
}

// The first entry has the bases that other attributes are relative to, possibly those before it in
// the same entry.
DwarfUnit::DwarfUnit(DwarfFile& file, const DwarfUnitHeader& header)
    : file_(file), header_(header) {
  // By default, the bases are behind the first header of each section. A header has a length, a
  // version, two sizes, and a count of offsets.
  const u64 length = header.format.offset_bytes == 8 ? 12 : 4;
  bases_.addresses = bases_.strings = length + 4;
  bases_.range_lists = bases_.locations = length + 8;
  file.read(file.info, header.entries, [this](Cursor at) {
    const u64 code = at.uleb();
    const Abbreviations abbreviations = read_abbreviations(code);
    const Abbreviations::Entry* first = abbreviations.find(code);
    if (first == nullptr)
      return true;
    read_bases(abbreviations, *first, at);
    first_ = read(abbreviations, *first, at);
    return !at.has_failed();
  });
}

// Reads to the end of the table, or up to the entry with this code.
Abbreviations DwarfUnit::read_abbreviations(u64 last_code) const {
  Abbreviations abbreviations;
  file_.read(file_.abbreviations, header_.abbreviations, [&](Cursor at) {
    abbreviations = {};
    abbreviations.read(at, header_.format, last_code);
    return !at.has_failed();
  });
  return abbreviations;
}

void DwarfUnit::read_bases(const Abbreviations& abbreviations, const Abbreviations::Entry& first,
                           Cursor at) {
  abbreviations.for_each_value(first, at, header_.format, [this](u16 name, u16 form, u64 value) {
    switch (name) {
    case DW_AT_stmt_list: bases_.line_table = value; break;
    case DW_AT_comp_dir: bases_.folder = string(form, value); break;
    case DW_AT_addr_base: bases_.addresses = value; break;
    case DW_AT_rnglists_base: bases_.range_lists = value; break;
    case DW_AT_loclists_base: bases_.locations = value; break;
    case DW_AT_str_offsets_base: bases_.strings = value; break;
    default: break;
    }
  });
}

void DwarfUnit::load() {
  file_.read(file_.info, header_.entries, header_.end - header_.entries, bytes_);
  abbreviations_ = read_abbreviations(0);
}

DwarfUnit::Entry DwarfUnit::entry_at(u64 offset) const {
  Entry entry;
  if (!bytes_.empty()) {
    if (offset - header_.entries >= bytes_.size())
      return entry;
    Cursor at(bytes_.begin() + (offset - header_.entries), bytes_.end());
    const Abbreviations::Entry* of = abbreviations_.find(at.uleb());
    return of == nullptr ? entry : read(abbreviations_, *of, at);
  }
  file_.read(file_.info, offset, [&](Cursor at) {
    const u64 code = at.uleb();
    const Abbreviations abbreviations = read_abbreviations(code);
    if (const Abbreviations::Entry* of = abbreviations.find(code))
      entry = read(abbreviations, *of, at);
    return !at.has_failed();
  });
  return entry;
}

template <typename F> void DwarfUnit::for_each_attribute(u64 offset, F f) const {
  file_.read(file_.info, offset, [&](Cursor at) {
    const u64 code = at.uleb();
    const Abbreviations abbreviations = read_abbreviations(code);
    if (const Abbreviations::Entry* of = abbreviations.find(code))
      abbreviations.for_each_value(*of, at, header_.format, f);
    return !at.has_failed();
  });
}

Vector<char> DwarfUnit::name_of(u64 offset) const {
  Vector<char> name("trace.dwarf.string");
  for_each_attribute(offset, [&](u16 attribute, u16 form, u64 value) {
    if (attribute == DW_AT_name)
      name = string(form, value);
  });
  return name;
}

bool DwarfUnit::has_name(u64 offset, const char* name) const {
  bool found = false;
  for_each_attribute(offset, [&](u16 attribute, u16 form, u64 value) {
    if (attribute != DW_AT_name && attribute != DW_AT_linkage_name &&
        attribute != DW_AT_MIPS_linkage_name)
      return;
    const Vector<char> own = string(form, value);
    found |= !own.empty() && VG_(strcmp)(own.begin(), name) == 0;
  });
  return found;
}

DwarfUnit::Entry DwarfUnit::read(const Abbreviations& abbreviations, const Abbreviations::Entry& of,
                                 Cursor& at) const {
  Entry entry;
  entry.tag = of.tag;
  bool high_is_size = false;
  abbreviations.for_each_value(of, at, header_.format, [&](u16 name, u16 form, u64 value) {
    switch (name) {
    case DW_AT_low_pc: entry.low = address(form, value); break;
    case DW_AT_high_pc:
      high_is_size = form != DW_FORM_addr;
      entry.high = value;
      break;
    case DW_AT_ranges:
      entry.ranges = form == DW_FORM_rnglistx
                         ? indexed_list(file_.range_lists, bases_.range_lists, value)
                         : value;
      break;
    case DW_AT_abstract_origin:
    case DW_AT_specification: entry.origin = reference(form, value); break;
    case DW_AT_decl_file: entry.file = static_cast<u32>(value); break;
    case DW_AT_decl_line: entry.line = static_cast<u32>(value); break;
    case DW_AT_call_file: entry.call_file = static_cast<u32>(value); break;
    case DW_AT_call_line: entry.call_line = static_cast<u32>(value); break;
    case DW_AT_object_pointer: entry.object = reference(form, value); break;
    case DW_AT_language: entry.language = static_cast<u16>(value); break;
    case DW_AT_type: entry.type = reference(form, value); break;
    case DW_AT_location:
      if (form == DW_FORM_exprloc)
        entry.expression = reinterpret_cast<const u8*>(value);
      else if (form == DW_FORM_sec_offset)
        entry.locations = value;
      else if (form == DW_FORM_loclistx)
        entry.locations = indexed_list(file_.location_lists, bases_.locations, value);
      break;
    case DW_AT_byte_size: entry.bytes = value; break;
    case DW_AT_encoding: entry.encoding = static_cast<u8>(value); break;
    case DW_AT_calling_convention: entry.convention = static_cast<u8>(value); break;
    case DW_AT_artificial: entry.is_artificial = value != 0; break;
    default: break;
    }
  });
  if (high_is_size)
    entry.high += entry.low;
  return entry;
}

// Returns 0 for references to another file or to a type unit.
u64 DwarfUnit::reference(u16 form, u64 value) const {
  switch (form) {
  case DW_FORM_ref1:
  case DW_FORM_ref2:
  case DW_FORM_ref4:
  case DW_FORM_ref8:
  case DW_FORM_ref_udata: return header_.offset + value;
  case DW_FORM_ref_addr: return value;
  default: return 0;
  }
}

u64 DwarfUnit::address(u16 form, u64 value) const {
  if (form == DW_FORM_addr)
    return value;
  return file_.number(file_.addresses, bases_.addresses + value * header_.format.address_bytes,
                      header_.format.address_bytes);
}

u64 DwarfUnit::indexed_list(const ElfFile::Section& section, u64 base, u64 number) const {
  const unsigned bytes = header_.format.offset_bytes;
  return base + file_.number(section, base + number * bytes, bytes);
}

Vector<char> DwarfUnit::string(u16 form, u64 value) const {
  switch (form) {
  case DW_FORM_string: {
    const char* text = reinterpret_cast<const char*>(value);
    Vector<char> copy("trace.dwarf.string");
    copy.resize(VG_(strlen)(text) + 1);
    VG_(strcpy)(copy.begin(), text);
    return copy;
  }
  case DW_FORM_strp: return file_.string(file_.strings, value);
  case DW_FORM_line_strp: return file_.string(file_.line_strings, value);
  case DW_FORM_strx:
  case DW_FORM_strx1:
  case DW_FORM_strx2:
  case DW_FORM_strx3:
  case DW_FORM_strx4: {
    const unsigned bytes = header_.format.offset_bytes;
    const u64 place = bases_.strings + value * bytes;
    return file_.string(file_.strings, file_.number(file_.string_offsets, place, bytes));
  }
  default: return Vector<char>("trace.dwarf.string");
  }
}
