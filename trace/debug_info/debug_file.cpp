#include "trace/debug_info/debug_file.hpp"

#include "base/valgrind.hpp"
#include "trace/debug_info/cursor.hpp"

#include <elf.h>

namespace {

using Path = Vector<char>;

Path path(const char* format, const char* a, const char* b) {
  Path text("trace.debug_file");
  text.resize(VG_(strlen)(format) + VG_(strlen)(a) + VG_(strlen)(b) + 1);
  VG_(sprintf)(text.begin(), format, a, b);
  return text;
}

// As hexadecimal digits; empty if the object has none.
Path build_id(ElfFile& object) {
  Vector<u8> note("trace.debug_file");
  const ElfFile::Section section = object.section(".note.gnu.build-id");
  object.read(section, 0, section.bytes, note);
  Path digits("trace.debug_file");
  if (note.size() < sizeof(Elf64_Nhdr))
    return digits;
  Elf64_Nhdr header;
  VG_(memcpy)(&header, note.begin(), sizeof header);
  const std::size_t begin = sizeof header + VG_ROUNDUP(std::size_t{header.n_namesz}, 4);
  if (header.n_type != NT_GNU_BUILD_ID || begin + header.n_descsz > note.size())
    return digits;
  for (std::size_t i = begin; i < begin + header.n_descsz; i++)
    for (const unsigned digit : {note[i] / 16u, note[i] % 16u})
      digits.push_back("0123456789abcdef"[digit]);
  digits.push_back(0);
  return digits;
}

// The name in .gnu_debuglink; empty if there is none.
Path link_of(ElfFile& object) {
  Vector<u8> link("trace.debug_file");
  const ElfFile::Section section = object.section(".gnu_debuglink");
  object.read(section, 0, section.bytes, link);
  return path("%s%s", Cursor(link.begin(), link.end()).string(), "");
}

} // namespace

Vector<char> debug_file_of(ElfFile& object) {
  const Path id = build_id(object);
  const Path link = link_of(object);
  object.close();
  const auto is_of_object = [&](const Path& candidate) {
    ElfFile file(candidate.begin());
    if (!file.is_elf() || VG_(strcmp)(candidate.begin(), object.path()) == 0)
      return false;
    const Path of_candidate = build_id(file);
    return id.size() == of_candidate.size() &&
           VG_(memcmp)(id.begin(), of_candidate.begin(), id.size()) == 0;
  };
  Vector<Path> candidates("trace.debug_file");
  if (id.size() > 3) {
    const char first[] = {id[0], id[1], 0};
    candidates.push_back(path("/usr/lib/debug/.build-id/%s/%s.debug", first, id.begin() + 2));
    if (const char* cache = VG_(getenv)("DEBUGINFOD_CACHE_PATH"))
      candidates.push_back(path("%s/%s/debuginfo", cache, id.begin()));
    if (const char* home = VG_(getenv)("HOME"))
      candidates.push_back(path("%s/.cache/debuginfod_client/%s/debuginfo", home, id.begin()));
  }
  if (link.size() > 1)
    for (const char* place : {"%s/%s", "%s/.debug/%s", "/usr/lib/debug%s/%s"})
      candidates.push_back(path(place, VG_(dirname)(object.path()), link.begin()));
  for (Path& candidate : candidates)
    if (is_of_object(candidate))
      return static_cast<Path&&>(candidate);
  return Path("trace.debug_file");
}

Vector<char> not_inflatable(const char* object) {
  const auto is_of = [](const ElfFile& file) {
    const ElfFile::Section lines = file.section(".debug_line");
    return lines.compressed > 0 && lines.bytes == 0;
  };
  ElfFile file(object);
  if (is_of(file))
    return path("%s%s", object, "");
  Path other = debug_file_of(file);
  if (!other.empty() && is_of(ElfFile(other.begin())))
    return other;
  return Path("trace.debug_file");
}
