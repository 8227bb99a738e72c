#include "trace/debug_info/dwarf_line_files.hpp"

#include "base/valgrind.hpp"

using namespace dwarf;

namespace {

using Text = Vector<char>;

Text text(const char* from) {
  Text copy("trace.dwarf.path");
  copy.resize(VG_(strlen)(from) + 1);
  VG_(strcpy)(copy.begin(), from);
  return copy;
}

// Joins `path` to the folder if it is relative.
Text path_in(const Text& folder, const Text& path) {
  if (folder.size() <= 1 || path.size() <= 1 || path[0] == '/')
    return path.empty() ? text("") : text(path.begin());
  Text joined("trace.dwarf.path");
  joined.resize(folder.size() + path.size());
  VG_(sprintf)(joined.begin(), "%s/%s", folder.begin(), path.begin());
  return joined;
}

// The header of a line table, starting with the lists of folders and files.
class Lists {
public:
  Lists(const DwarfUnit& unit, Cursor at, const Format& format)
      : unit_(unit), at_(at), format_(format) {}

  // Empty if there is no such file.
  Text file(u64 number) { return format_.version < 5 ? old_file(number) : file_5(number); }

private:
  // Until version 4, an item is a string; files have three further numbers. Folder 0 is the unit's;
  // files are numbered from 1.
  Text old_file(u64 number) {
    Cursor folders = at_;
    while (*at_.string() != 0) {
    }
    for (u64 i = 1; !at_.has_failed(); i++) {
      const char* name = at_.string();
      u64 folder = at_.uleb();
      at_.skip_leb(); // modification time
      at_.skip_leb(); // size
      if (*name == 0)
        break;
      if (i != number)
        continue;
      const char* folder_name = "";
      for (; folder > 0 && !folders.has_failed(); folder--)
        folder_name = folders.string();
      const Text& top = unit_.bases().folder;
      return *folder_name == 0 ? path_in(top, text(name))
                               : path_in(path_in(top, text(folder_name)), text(name));
    }
    return text("");
  }

  struct Item {
    Text path = text("");
    u64 folder = 0;
  };

  // Since version 5, each list describes the format of its items.
  struct Part {
    u64 content;
    u16 form;
  };
  Vector<Part> read_parts() {
    Vector<Part> parts("trace.dwarf.parts");
    for (u64 count = at_.number(1); count > 0 && !at_.has_failed(); count--) {
      const u64 content = at_.uleb();
      parts.push_back({content, static_cast<u16>(at_.uleb())});
    }
    return parts;
  }
  // Reads item `number` of the next list and moves the cursor behind the list.
  Item item(u64 number) {
    const Vector<Part> parts = read_parts();
    const u64 count = at_.uleb();
    Item found;
    for (u64 i = 0; i < count && !parts.empty() && !at_.has_failed(); i++)
      for (const Part& part : parts) {
        const u64 value = read_value(at_, part.form, format_);
        if (i == number && part.content == DW_LNCT_path)
          found.path = unit_.string(part.form, value);
        else if (i == number && part.content == DW_LNCT_directory_index)
          found.folder = value;
      }
    return found;
  }
  Text file_5(u64 number) {
    const Cursor folders = at_;
    // The folder in which the compiler was run.
    const Text top = item(0).path;
    const Item named = item(number);
    at_ = folders;
    return path_in(path_in(top, item(named.folder).path), named.path);
  }

  const DwarfUnit& unit_;
  Cursor at_;
  Format format_;
};

} // namespace

Vector<char> source_file(DwarfFile& file, const DwarfUnit& unit, u32 number) {
  if (!unit.bases().line_table)
    return text("");
  const u64 offset = *unit.bases().line_table;
  Format format = unit.header().format;
  // This and the next two: sizes of the fields that follow the header's length.
  u64 begin = 0;
  u64 bytes = 0;
  file.read(file.line, offset, [&](Cursor at) {
    const u8* const from = at.at();
    format.offset_bytes = 4;
    if (at.number(4) == 0xFFFFFFFF) {
      format.offset_bytes = 8;
      at.skip(8);
    }
    format.version = static_cast<u16>(at.number(2));
    if (format.version >= 5)
      at.skip(2); // sizes of addresses and segment selectors
    bytes = at.number(format.offset_bytes);
    begin = offset + static_cast<u64>(at.at() - from);
    return true;
  });
  Vector<u8> header("trace.dwarf.line");
  file.read(file.line, begin, bytes, header);
  Cursor at(header.begin(), header.end());
  at.skip(format.version < 4 ? 4 : 5);
  const u64 first_special = at.number(1);
  // Skips the argument counts of the standard opcodes.
  at.skip(first_special == 0 ? 0 : first_special - 1);
  return Lists(unit, at, format).file(number);
}
