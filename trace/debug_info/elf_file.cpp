#include "trace/debug_info/elf_file.hpp"

#include "base/valgrind.hpp"
#include "trace/debug_info/cursor.hpp"

#include <algorithm>
#include <elf.h>

// miniz, as part of the core, which inflates debug info with it.
extern "C" SizeT tinfl_decompress_mem_to_mem(void* to, SizeT to_bytes, const void* from,
                                             SizeT from_bytes, Int flags);

namespace {
// Bytes: they stay allocated to the end of the run.
constexpr u64 kMostInflated = 1 << 28;
} // namespace

ElfFile::ElfFile(const char* path) : path_(VG_(strdup)("trace.elf", path)) {
  read_sections();
  close();
}

ElfFile::~ElfFile() {
  close();
  VG_(free)(path_);
}

void ElfFile::close() {
  if (file_ >= 0)
    VG_(close)(file_);
  file_ = -1;
}

void ElfFile::read_sections() {
  Vector<u8> bytes("trace.elf");
  read_file(0, sizeof(Elf64_Ehdr), bytes);
  Elf64_Ehdr header;
  if (bytes.size() != sizeof header || VG_(memcmp)(bytes.begin(), ELFMAG, SELFMAG) != 0 ||
      bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    return;
  VG_(memcpy)(&header, bytes.begin(), sizeof header);
  read_file(header.e_shoff, u64{header.e_shnum} * sizeof(Elf64_Shdr), bytes);
  if (header.e_shentsize != sizeof(Elf64_Shdr) ||
      bytes.size() != u64{header.e_shnum} * sizeof(Elf64_Shdr))
    return;
  for (unsigned i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr section;
    VG_(memcpy)(&section, bytes.begin() + i * sizeof section, sizeof section);
    names_.push_back(section.sh_name);
    sections_.push_back({.offset = section.sh_offset,
                         .bytes = section.sh_type == SHT_NOBITS ? 0 : section.sh_size,
                         .compressed = 0,
                         .link = section.sh_link});
    constexpr u64 kCode = SHF_ALLOC | SHF_EXECINSTR;
    if ((section.sh_flags & kCode) == kCode)
      first_code_ = std::min(first_code_, u64{section.sh_addr});
    if ((section.sh_flags & SHF_COMPRESSED) != 0)
      find_compressed(sections_.back());
  }
  const Section names = section(header.e_shstrndx);
  read(names, 0, names.bytes, name_text_);
}

ElfFile::Section ElfFile::section(const char* name) const {
  for (std::size_t i = 0; i < sections_.size(); i++)
    if (names_[i] < name_text_.size() &&
        VG_(strcmp)(Cursor(name_text_.begin() + names_[i], name_text_.end()).string(), name) == 0)
      return sections_[i];
  return {};
}

void ElfFile::find_compressed(Section& section) {
  Vector<u8> bytes("trace.elf");
  read_file(section.offset, sizeof(Elf64_Chdr), bytes);
  Elf64_Chdr header{};
  if (bytes.size() == sizeof header)
    VG_(memcpy)(&header, bytes.begin(), sizeof header);
  const bool is_known = header.ch_type == ELFCOMPRESS_ZLIB && section.bytes > sizeof header &&
                        header.ch_size <= kMostInflated;
  section.compressed = section.bytes - sizeof header;
  section.bytes = is_known ? header.ch_size : 0;
  section.offset += sizeof header;
}

const Vector<u8>& ElfFile::inflated(const Section& section) {
  for (const Inflated& known : inflated_)
    if (known.offset == section.offset)
      return known.bytes;
  Vector<u8> compressed("trace.elf");
  read_file(section.offset, section.compressed, compressed);
  Vector<u8>& bytes = inflated_.push_back({section.offset, Vector<u8>("trace.elf")}).bytes;
  bytes.resize_for_overwrite(section.bytes);
  constexpr Int kZlibHeader = 1; // TINFL_FLAG_PARSE_ZLIB_HEADER
  const std::size_t done = tinfl_decompress_mem_to_mem(
      bytes.begin(), bytes.size(), compressed.begin(), compressed.size(), kZlibHeader);
  if (done != section.bytes)
    bytes.clear(); // damaged
  return bytes;
}

void ElfFile::read(const Section& section, u64 offset, u64 bytes, Vector<u8>& to) {
  if (offset >= section.bytes) {
    to.clear();
    return;
  }
  bytes = std::min(bytes, section.bytes - offset);
  if (section.compressed == 0) {
    read_file(section.offset + offset, bytes, to);
    return;
  }
  const Vector<u8>& all = inflated(section);
  to.resize_for_overwrite(all.empty() ? 0 : bytes);
  VG_(memcpy)(to.begin(), all.begin() + (all.empty() ? 0 : offset), to.size());
}

void ElfFile::read_file(u64 offset, u64 bytes, Vector<u8>& to) {
  to.clear();
  if (file_ < 0)
    file_ = VG_(fd_open)(path_, VKI_O_RDONLY, 0);
  struct vg_stat status;
  if (file_ < 0 || VG_(fstat)(file_, &status) != 0 || offset >= static_cast<u64>(status.size) ||
      VG_(lseek)(file_, static_cast<Off64T>(offset), VKI_SEEK_SET) < 0)
    return;
  bytes = std::min(bytes, static_cast<u64>(status.size) - offset);
  to.resize_for_overwrite(bytes);
  std::size_t done = 0;
  while (done < bytes) {
    const Int read = VG_(read)(file_, to.begin() + done, static_cast<Int>(bytes - done));
    if (read <= 0)
      break;
    done += static_cast<std::size_t>(read);
  }
  to.resize(done);
}
