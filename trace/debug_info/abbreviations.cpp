#include "trace/debug_info/abbreviations.hpp"

using namespace dwarf;

namespace {

constexpr unsigned kVaries = ~0u;

unsigned bytes_of(u16 form, const Format& format) {
  switch (form) {
  case DW_FORM_flag_present:
  case DW_FORM_implicit_const: return 0;
  case DW_FORM_data1:
  case DW_FORM_flag:
  case DW_FORM_ref1:
  case DW_FORM_strx1:
  case DW_FORM_addrx1: return 1;
  case DW_FORM_data2:
  case DW_FORM_ref2:
  case DW_FORM_strx2:
  case DW_FORM_addrx2: return 2;
  case DW_FORM_strx3:
  case DW_FORM_addrx3: return 3;
  case DW_FORM_data4:
  case DW_FORM_ref4:
  case DW_FORM_ref_sup4:
  case DW_FORM_strx4:
  case DW_FORM_addrx4: return 4;
  case DW_FORM_data8:
  case DW_FORM_ref8:
  case DW_FORM_ref_sig8:
  case DW_FORM_ref_sup8: return 8;
  case DW_FORM_data16: return 16;
  case DW_FORM_addr: return format.address_bytes;
  case DW_FORM_ref_addr: return format.version < 3 ? format.address_bytes : format.offset_bytes;
  case DW_FORM_strp:
  case DW_FORM_line_strp:
  case DW_FORM_sec_offset:
  case DW_FORM_strp_sup:
  case DW_FORM_GNU_ref_alt:
  case DW_FORM_GNU_strp_alt: return format.offset_bytes;
  default: return kVaries;
  }
}

u64 skip_block(Cursor& from, u64 bytes) {
  from.skip(bytes);
  return 0;
}

} // namespace

u64 read_value(Cursor& from, u16 form, const Format& format) {
  if (const unsigned bytes = bytes_of(form, format); bytes <= sizeof(u64))
    return form == DW_FORM_flag_present ? 1 : from.number(bytes);
  switch (form) {
  case DW_FORM_data16: return skip_block(from, 16);
  case DW_FORM_sdata:
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx: return from.uleb();
  case DW_FORM_string: return reinterpret_cast<u64>(from.string());
  case DW_FORM_block1: return skip_block(from, from.number(1));
  case DW_FORM_block2: return skip_block(from, from.number(2));
  case DW_FORM_block4: return skip_block(from, from.number(4));
  case DW_FORM_block: return skip_block(from, from.uleb());
  case DW_FORM_exprloc: {
    const u8* const expression = from.at();
    skip_block(from, from.uleb());
    return from.has_failed() ? 0 : reinterpret_cast<u64>(expression);
  }
  case DW_FORM_indirect: {
    const u64 actual = from.uleb();
    if (actual != DW_FORM_indirect && actual <= DW_FORM_GNU_strp_alt)
      return read_value(from, static_cast<u16>(actual), format);
    break;
  }
  default: break;
  }
  from.fail(); // its length is unknown
  return 0;
}

void Abbreviations::read(Cursor& from, const Format& format, u64 last_code) {
  while (const u64 code = from.uleb()) {
    Entry entry{.code = code,
                .tag = static_cast<u16>(from.uleb()),
                .has_children = from.number(1) != 0,
                .first = static_cast<u32>(attributes_.size()),
                .end = 0,
                .bytes = 0};
    for (;;) {
      const auto name = static_cast<u16>(from.uleb());
      const auto form = static_cast<u16>(from.uleb());
      const u64 implicit = form == DW_FORM_implicit_const ? from.uleb() : 0;
      if (name == 0 && form == 0)
        break;
      attributes_.push_back({name, form, implicit});
      const unsigned bytes = bytes_of(form, format);
      entry.bytes = entry.bytes == kVarying || bytes == kVaries ? kVarying : entry.bytes + bytes;
    }
    entry.end = static_cast<u32>(attributes_.size());
    entries_.push_back(entry);
    if (code == last_code)
      return;
  }
}

const Abbreviations::Entry* Abbreviations::find(u64 code) const {
  if (code == 0)
    return nullptr;
  if (code - 1 < entries_.size() && entries_[code - 1].code == code) // as compilers number them
    return &entries_[code - 1];
  for (const Entry& entry : entries_)
    if (entry.code == code)
      return &entry;
  return nullptr;
}
