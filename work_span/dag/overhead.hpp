// Overhead by its kind: what a run-time library was doing when it executed that. Fixed size, no
// memory of its own.
//
//   scheduling       creating, queueing and distributing threads, tasks and iterations
//   synchronisation  barriers, joins, locks
//   waiting          in the kernel, or on the way there; giving way to other threads
//   spinning         going round in a loop until another thread has done something
//   allocation       memory for the library's own use
//   linking          the dynamic linker looks for a routine
#pragma once

#include "base/types.hpp"
#include "work_span/engine/measures.hpp"

enum class OverheadKind : u8 {
  none,
  scheduling,
  synchronisation,
  waiting,
  spinning,
  allocation,
  linking,
};
constexpr unsigned kOverheadKinds = 6;

class Overhead {
public:
  Work& of(OverheadKind kind) { return by_kind_[static_cast<unsigned>(kind) - 1]; }
  Work operator[](unsigned i) const { return by_kind_[i]; } // in the order above, from 0
  Work sum() const {
    Work all = 0;
    for (const Work amount : by_kind_)
      all += amount;
    return all;
  }
  Overhead& operator+=(const Overhead& other) {
    for (unsigned i = 0; i < kOverheadKinds; i++)
      by_kind_[i] += other.by_kind_[i];
    return *this;
  }
  // The number of kinds up to the last one that there is some of.
  unsigned kinds() const {
    unsigned count = kOverheadKinds;
    while (count > 0 && by_kind_[count - 1] == 0)
      count--;
    return count;
  }

private:
  Work by_kind_[kOverheadKinds]{};
};
