// A text file that appears complete or not at all. It is written to PATH.PID.part, a name that no
// other process uses, and renamed when it is complete. (A path that exists but is not a regular
// file, such as a device or a pipe, is written to directly.) The client's file size limit does not
// apply. The file counts its lines and computes their Adler-32 checksum (RFC 1950), so that a
// reader can detect damage.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

class TextFile {
public:
  TextFile() = default;
  ~TextFile(); // removes an unfinished file
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  static bool written_in_place(const char* path);

  bool open(const char* path); // returns false if the file cannot be created

  TextFile& operator<<(const char* text);
  TextFile& operator<<(char c);
  TextFile& operator<<(u64 number) { return *this << u128{number}; }
  TextFile& operator<<(u32 number) { return *this << u128{number}; }
  TextFile& operator<<(u128 number);
  void put_escaped(const char* text); // writes newline, return and backslash as \n, \r and \\ .
  void put_hexadecimal(u32 number);   // 8 digits
  void end_line() { *this << '\n'; }

  u64 lines() const { return lines_; }
  u32 adler32() const { return sum_b_ << 16 | sum_a_; }

  // Flushes and renames the file. Returns false if the disk is full or the folder is gone.
  bool finish();

  // Why open or finish returned false, such as "no space left".
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
