// Finds the source positions of calls and of acquisitions of locks, including inlined functions.
// Runs when the profile is written, because it takes some microseconds for each.
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"
#include "trace/profile_records.hpp"

namespace cilkshadow::source_places {

class SourcePlaces {
public:
  // `sites`: their numbers in the profile, by SiteId; 0: not in the profile.
  explicit SourcePlaces(const Vector<u32>& sites);

  void use(profile_records::Names& names) const;
  void put_calls(TextFile& out) const; // `inlined-call` records
  void put_locks(TextFile& out) const; // `held-at` records

private:
  struct InlinedCode { // at a site's call
    u32 site;
    const char* function;
    u32 call_file, call_line;
  };
  struct Acquisition { // of a lock, by the innermost function that is not the system's
    u32 lock;
    u64 held;
    RoutineId routine;
    const char* function; // inlined into the routine; empty if none was
    u32 file, line;
  };
  void find_calls(const Vector<u32>& sites);
  void find_locks();

  Vector<InlinedCode> calls_{"cilkshadow.writer"};
  Vector<Acquisition> locks_{"cilkshadow.writer"};
};

} // namespace cilkshadow::source_places
