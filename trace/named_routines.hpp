// The routines that match the patterns of an option. Each routine is matched once.
//
// Lives as long as the run, and refers to the option's patterns. Costs a byte per routine, and a
// load per query after the first.
#pragma once

#include "base/memory.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"

class NamedRoutines {
public:
  void name(const Vector<const char*>& patterns) {
    patterns_ = &patterns;
    known_ = create<Vector<u8>>("trace.named", "trace.named");
  }

  bool empty() const { return patterns_->empty(); }

  bool has(RoutineId routine) {
    if (empty())
      return false;
    if (index(routine) >= known_->size())
      known_->resize(index(routine) + 1);
    u8& answer = (*known_)[index(routine)];
    if (answer == 0)
      answer = routines->is_named(routine, *patterns_) ? 2 : 1;
    return answer == 2;
  }

private:
  const Vector<const char*>* patterns_ = nullptr;
  Vector<u8>* known_ = nullptr; // by RoutineId; 0: not matched yet, 1: no, 2: yes
};

// Tells the user which of an option's patterns match no routine that ran.
inline void tell_unmatched(const char* option, const Vector<const char*>& patterns) {
  for (const char* pattern : patterns) {
    Vector<const char*> alone("trace.named");
    alone.push_back(pattern);
    bool is_matched = false;
    for (u32 i = 1; i <= routines->size() && !is_matched; i++)
      is_matched = routines->is_named(RoutineId{i}, alone);
    if (!is_matched)
      VG_(umsg)("no function that ran matches --%s=%s\n", option, pattern);
  }
}
