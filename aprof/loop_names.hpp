// The records of a profile that name executed loops and the places where they call routines
// (docs/format-aprof.md).
//
// Cost: a lookup of the inlined functions for each call in a loop.
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"
#include "trace/loops/loop_calls.hpp"
#include "trace/profile_records.hpp"

class LoopNames {
public:
  LoopNames(); // before Names: may find routines and files

  // Marks what put() names. All routines of the profile must have been marked.
  void use(profile_records::Names& names) const;
  void put(TextFile& out, const profile_records::Names& names) const;

private:
  struct Named {
    const Loop* loop;
    Vector<LoopCall> calls;
  };
  Vector<Named> loops_{"aprof.writer.loops"};
};
