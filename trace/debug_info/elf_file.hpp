// The sections of an ELF file of 64 bits, read piece by piece; a compressed one (-gz) is inflated
// at its first read, and kept.
//
// The file is open from the first read to close(): descriptors are the client's.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

class ElfFile {
public:
  struct Section {
    u64 offset = 0;     // in the file
    u64 bytes = 0;      // 0: there is none, or it holds nothing
    u64 compressed = 0; // bytes in the file, if they are
    u32 link = 0;       // another section's number
  };

  explicit ElfFile(const char* path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  const char* path() const { return path_; }
  bool is_elf() const { return !sections_.empty(); }
  Section section(const char* name) const;
  Section section(u32 number) const {
    return number < sections_.size() ? sections_[number] : Section{};
  }

  // As many bytes from `offset` in the section as there are, up to `bytes`.
  void read(const Section& section, u64 offset, u64 bytes, Vector<u8>& to);
  void close();

private:
  struct Inflated {
    u64 offset; // of the section
    Vector<u8> bytes;
  };

  void read_sections();
  void find_compressed(Section& section);
  const Vector<u8>& inflated(const Section& section);
  void read_file(u64 offset, u64 bytes, Vector<u8>& to);

  char* path_;
  int file_ = -1;
  Vector<Section> sections_{"trace.elf"};
  Vector<u32> names_{"trace.elf"}; // offsets of the sections' names
  Vector<u8> name_text_{"trace.elf"};
  Vector<Inflated> inflated_{"trace.elf"};
};
