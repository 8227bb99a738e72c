// The records that the profiles of all tools have (docs/format-aprof.md).
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"
#include "trace/routines.hpp"

struct Loop;

namespace profile_records {

// `keyword`, ids, and a text to the end of the line.
void text_line(TextFile& out, const char* keyword, const char* text);

// creator to reason, after the first line that names the format.
void put_run(TextFile& out, const char* creator, const char* valgrind, const char* reason);

void put_end(TextFile& out); // with the checksum

// The routines that a profile speaks of, with the objects and files that they name.
class Names {
public:
  Names();
  void use(RoutineId routine) { used_[index(routine)] = 1; }
  void use_file(u32 file) { files_used_[file] = 1; }
  void use(const Loop& loop); // that has been executed
  void put(TextFile& out);

private:
  Vector<u8> used_{"trace.records"};
  Vector<u8> files_used_{"trace.records"};
};

// A loop that has been executed, whose names are there.
void put_loop(TextFile& out, const Loop& loop);

} // namespace profile_records
