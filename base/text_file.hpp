// A text file that appears whole or not at all. It is written under a name that no other process
// uses, PATH.PID.part, and renamed when complete. (A path that exists and is no regular file, but a
// device or a pipe, is written to directly.) A file size limit of the client does not apply. The
// file counts its lines and their Adler-32 checksum (RFC 1950), for a reader to compare with.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

class TextFile {
public:
  TextFile() = default;
  ~TextFile(); // a file that was not finished is removed
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  static bool written_in_place(const char* path);

  bool open(const char* path); // returns false if it cannot be written there

  TextFile& operator<<(const char* text);
  TextFile& operator<<(char c);
  TextFile& operator<<(u64 number) { return *this << u128{number}; }
  TextFile& operator<<(u32 number) { return *this << u128{number}; }
  TextFile& operator<<(u128 number);
  void put_escaped(const char* text); // newline, return and backslash as \n, \r and \\ .
  void put_hexadecimal(u32 number);   // 8 digits
  void end_line() { *this << '\n'; }

  u64 lines() const { return lines_; }
  u32 adler32() const { return sum_b_ << 16 | sum_a_; }

  // Writes out and renames; returns false if the disk is full or the folder gone.
  bool finish();

  // Why open or finish returned false: "no space left" or the like.
  const char* why() const;

private:
  void put(const char* bytes, std::size_t length);
  void flush();

  Vector<char> path_{"base.text_file.path"};
  Vector<char> part_path_{"base.text_file.path"};
  Vector<char> buffer_{"base.text_file.buffer"};
  int file_ = -1;
  bool in_place_ = false;
  int error_ = 0; // an errno
  u64 lines_ = 0;
  u32 sum_a_ = 1;
  u32 sum_b_ = 0;
};
