// The sections of a 64-bit ELF file, read piece by piece. A compressed section (-gz) is inflated at
// its first read and kept in memory.
//
// The file is open only from the first read to close(), because file descriptors are the client's.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

class ElfFile {
public:
  struct Section {
    u64 offset = 0;     // in the file
    u64 bytes = 0;      // 0: the section is absent or empty
    u64 compressed = 0; // size in the file if it is compressed, otherwise 0
    u32 link = 0;       // number of another section
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

  // The lowest address of a section with machine code; the highest of all if there is none.
  u64 first_code() const { return first_code_; }

  // Reads up to `bytes` bytes from `offset` in the section, or as many as there are.
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
  u64 first_code_ = ~u64{0};
  Vector<Section> sections_{"trace.elf"};
  Vector<u32> names_{"trace.elf"}; // offsets of the section names
  Vector<u8> name_text_{"trace.elf"};
  Vector<Inflated> inflated_{"trace.elf"};
};
