// An ELF file with DWARF sections.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/debug_info/cursor.hpp"
#include "trace/debug_info/elf_file.hpp"

class DwarfFile {
public:
  explicit DwarfFile(const char* path);

  // Whether the file has debug info that can be read.
  bool has_units() const { return info.bytes > 0 && abbreviations.bytes > 0; }

  u64 first_code() const { return elf_.first_code(); }

  // Calls `parse` with the contents of a section from `offset` on, repeatedly and with more of it
  // each time, until `parse` returns true because it has seen enough.
  template <typename Parse> void read(const ElfFile::Section& section, u64 offset, Parse parse) {
    Vector<u8> piece("trace.dwarf.piece");
    for (u64 bytes = 512;; bytes *= 8) {
      elf_.read(section, offset, bytes, piece);
      if (parse(Cursor(piece.begin(), piece.end())) || piece.size() < bytes)
        return;
    }
  }
  void read(const ElfFile::Section& section, u64 offset, u64 bytes, Vector<u8>& to) {
    elf_.read(section, offset, bytes, to);
  }
  u64 number(const ElfFile::Section& section, u64 offset, unsigned bytes);
  // Empty if there is none.
  Vector<char> string(const ElfFile::Section& section, u64 offset);

  void close() { elf_.close(); }

private:
  ElfFile elf_;

public:
  const ElfFile::Section info, abbreviations, line, strings, line_strings, string_offsets,
      addresses, ranges, range_lists, locations, location_lists;
};
