#include "trace/debug_info/dwarf_file.hpp"

#include "base/valgrind.hpp"

DwarfFile::DwarfFile(const char* path)
    : elf_(path), info(elf_.section(".debug_info")), abbreviations(elf_.section(".debug_abbrev")),
      line(elf_.section(".debug_line")), strings(elf_.section(".debug_str")),
      line_strings(elf_.section(".debug_line_str")),
      string_offsets(elf_.section(".debug_str_offsets")), addresses(elf_.section(".debug_addr")),
      ranges(elf_.section(".debug_ranges")), range_lists(elf_.section(".debug_rnglists")),
      locations(elf_.section(".debug_loc")), location_lists(elf_.section(".debug_loclists")) {}

u64 DwarfFile::number(const ElfFile::Section& section, u64 offset, unsigned bytes) {
  Vector<u8> piece("trace.dwarf.piece");
  elf_.read(section, offset, bytes, piece);
  return Cursor(piece.begin(), piece.end()).number(bytes);
}

Vector<char> DwarfFile::string(const ElfFile::Section& section, u64 offset) {
  Vector<char> copy("trace.dwarf.string");
  read(section, offset, [&](Cursor from) {
    const char* text = from.string();
    copy.resize(VG_(strlen)(text) + 1);
    VG_(strcpy)(copy.begin(), text);
    return !from.has_failed();
  });
  return copy;
}
