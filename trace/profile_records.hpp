// Writes the records that the profiles of both tools share (docs/format-aprof.md).
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"

struct Loop;

namespace profile_records {

// Writes `keyword`, which may include ids, and a text up to the end of the line.
void text_line(TextFile& out, const char* keyword, const char* text);

// Writes the records from `creator` to `reason`, which follow the line that names the format.
void put_run(TextFile& out, const char* creator, const char* valgrind, const char* reason);

void put_end(TextFile& out); // with the checksum

// The routines that a profile mentions, with the objects and files that they refer to.
class Names {
public:
  Names();
  void use(RoutineId routine) { used_[index(routine)] = 1; }
  void use_file(u32 file) { files_used_[file] = 1; }
  void use(const Loop& loop); // a loop that has been executed
  bool is_used(RoutineId routine) const {
    return index(routine) < used_.size() && used_[index(routine)] != 0;
  }
  void put(TextFile& out);

private:
  Vector<u8> used_{"trace.records"};
  Vector<u8> files_used_{"trace.records"};
};

// Writes a loop that has been executed and whose names have been written.
void put_loop(TextFile& out, const Loop& loop);

} // namespace profile_records
